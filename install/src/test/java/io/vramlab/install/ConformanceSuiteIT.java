package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** jupyter_kernel_test, the public suite, against the kernel as it is installed. */
class ConformanceSuiteIT {

    @TempDir
    private Path folder;

    @Test
    void everyTestOfThePublicSuitePassesAndNoneIsSkipped() throws Exception {
        Optional<String> python = Commands.suitesPython();
        assumeTrue(python.isPresent(), "there is no jupyter_kernel_test, and PyPI has none to give");
        Commands.Ran ran = Commands.run(
                Map.of("JUPYTER_PATH", Installed.environment().get("JUPYTER_PATH"), "VRAMLAB_HISTORY",
                        folder.resolve("history.jsonl").toString()),
                List.of(python.get(), Checkout.file("kernel/src/test/python/kernel_test.py").toString(),
                        "vramlab"))
                .ok();
        Matcher tests = Pattern.compile("Ran (\\d+) tests in .*\\n\\nOK\\s*$").matcher(ran.err());
        assertTrue(tests.find(), ran::err);
        // clear_output, completion, display_data, error, execute_result, stderr, stdout, history, inspect, is_complete,
        // kernel_info, pager: what the oldest suite with all of them has
        assertTrue(Integer.parseInt(tests.group(1)) >= 12, ran::err);
    }
}
