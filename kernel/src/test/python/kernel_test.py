"""The public conformance suite, jupyter_kernel_test, run against this kernel: every test of it, none skipped.

    python kernel_test.py [KERNELSPEC]

KERNELSPEC is the name under which the kernel is installed (default: vramlab). Needs jupyter_kernel_test, from PyPI or as
Debian's python3-jupyter-kernel-test.
"""
import inspect
import sys
import unittest

import jupyter_kernel_test

NAME = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "vramlab"


class ThisKernel(jupyter_kernel_test.KernelTests):
    kernel_name = NAME

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # the suite waits 0.1 s for each message that follows a reply: too little on a machine that has other work
        hasty = cls.kc.iopub_channel.get_msg
        if not inspect.iscoroutinefunction(hasty):
            cls.kc.iopub_channel.get_msg = lambda timeout=None: hasty(timeout=timeout and max(timeout, 0.5))

    language_name = "java"
    file_extension = ".jsh"

    code_hello_world = 'System.out.println("hello, world");'
    code_stderr = 'System.err.println("oops");'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": '"a" + "b"', "result": "ab"},
        {"code": "List.of(1, 2).size()", "result": "2"},
    ]
    code_generate_error = 'throw new IllegalStateException("on purpose");'
    code_display_data = [
        {"code": 'display("shown")', "mime": "text/plain"},
        {"code": "display(Map.of(1, 2))", "mime": "text/html"},
        {"code": "display(new java.awt.image.BufferedImage(2, 2, 1))", "mime": "image/png"},
    ]
    code_clear_output = "clearOutput(false);"

    completion_samples = [
        {"text": "System.out.pri", "matches": {"print(", "printf(", "println("}},
        {"text": "%lsm", "matches": {"lsmagic"}},
    ]
    complete_code_samples = ["int a = 1;", "1 + 1", "class Net { }", "%who"]
    incomplete_code_samples = ["for (int i = 0; i < 3; i++) {", "class Net {", "Math.max(1,"]
    invalid_code_samples = ["int 3x = ;"]
    code_inspect_sample = "Math.max("
    code_page_something = "Math.max?"

    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "6 *"


# Debian 12's suite does not have this one yet
if hasattr(jupyter_kernel_test, "IopubWelcomeTests"):
    class WelcomeOfThisKernel(jupyter_kernel_test.IopubWelcomeTests):
        kernel_name = NAME
        support_iopub_welcome = True


class NoneSkipped(unittest.TextTestResult):
    """A test that the suite skips counts as a failure: it would be one for lack of support."""

    def addSkip(self, test, reason):
        self.addFailure(test, (AssertionError, AssertionError("skipped: " + reason), None))


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(verbosity=2, resultclass=NoneSkipped))
