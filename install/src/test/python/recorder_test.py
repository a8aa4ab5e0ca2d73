"""What the recorder of PyTorch programs is made of, by its sources alone: no PyTorch is needed."""
import ast
import importlib.util
import pathlib
import re
import subprocess
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
INSTALL = ROOT / "install"
PACKAGE = INSTALL / "vramlab_recorder"
sys.path.insert(0, str(INSTALL / "packaging"))
import dist


def parsed(file):
    return ast.parse(file.read_text(encoding="utf-8"))


def told():
    """The package's modules in the order in which its docstring tells them to be read."""
    listed = [line for line in ast.get_docstring(parsed(PACKAGE / "__init__.py")).splitlines() if line.startswith("- ")]
    return [name for line in listed for name in re.findall(r"`(\w+)`", line.partition(": ")[0])]


class RecorderTest(unittest.TestCase):

    def test_each_module_is_told_and_says_what_it_teaches(self):
        modules = {file.stem: file for file in PACKAGE.glob("*.py") if file.stem != "__init__"}
        self.assertEqual(sorted(modules), sorted(told()))
        for name, file in modules.items():
            self.assertTrue(ast.get_docstring(parsed(file)), name)

    def test_each_module_imports_only_from_those_before_it(self):
        order = told()
        for name in order:
            imported = [node.module for node in ast.walk(parsed(PACKAGE / (name + ".py"))) if isinstance(node, ast.ImportFrom) and node.level]
            self.assertEqual([], [other for other in imported if order.index(other) >= order.index(name)], name)

    def test_what_lies_beside_it_is_there_and_packed(self):
        asked = {node.args[0].value for file in PACKAGE.glob("*.py") for node in ast.walk(parsed(file))
                 if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_beside"}
        self.assertIn("vramlab_cudnn", asked)
        wanted = {"vramlab_trace.py", *(name + ".py" for name in asked), *("vramlab_recorder/%s.py" % name for name in (*told(), "__init__"))}
        self.assertEqual(wanted, set(dist.recorder()))

    def test_alone_it_says_what_it_needs_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(INSTALL / "vramlab_trace.py", folder)
            ran = subprocess.run([sys.executable, folder + "/vramlab_trace.py", "train.py"], capture_output=True, text=True, cwd=folder)
            self.assertIn("the folder vramlab_recorder was to be beside this file; it is not there. Copy both", ran.stderr)
            self.assertNotIn("Traceback", ran.stderr)

    def test_without_pytorch_it_says_where_to_get_it(self):
        ran = subprocess.run([sys.executable, "-S", "-E", str(INSTALL / "vramlab_trace.py"), "train.py"], capture_output=True, text=True)
        self.assertIn("it has no PyTorch. Use the Python that runs your program", ran.stderr)
        self.assertIn("-m pip install torch", ran.stderr)
        self.assertNotIn("Traceback", ran.stderr)

    def test_what_is_no_script_is_refused_before_anything_is_written(self):
        spec = importlib.util.spec_from_file_location("scripts", PACKAGE / "scripts.py")
        scripts = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(scripts)
        with tempfile.TemporaryDirectory() as folder:
            def made(name, content):
                pathlib.Path(folder, name).write_bytes(content)
                return folder + "/" + name
            self.assertIn("jupyter nbconvert --to script", scripts.refusal(made("train.ipynb", b"{}"), "train.trace"))
            self.assertIn("no text", scripts.refusal(made("oom.pickle", b"\x80\x04\x95\0\0"), "oom.trace"))
            recording = made("step.trace", b"\x1f\x8b\x08\0")
            self.assertIn("into itself", scripts.refusal(recording, recording))
            self.assertIsNone(scripts.refusal(made("train.py", b"import torch\n"), "train.trace"))
            self.assertIsNone(scripts.refusal(made("train.pyz", b"PK\x03\x04\0\0"), "train.trace"))


if __name__ == "__main__":
    unittest.main()
