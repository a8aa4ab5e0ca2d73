package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in Python, those of the packages first; that these install and run where no Java is, {@code .ci/try-wheel} shows. */
class PythonScriptsTest {

    @ParameterizedTest
    @ValueSource(strings = {"wheel_test.py", "run_notebook_test.py", "lines_test.py", "recorder_test.py"})
    void itsOwnTestsPass(String script) throws IOException, InterruptedException {
        Commands.Ran ran = Commands.run(Map.of("PYTHONDONTWRITEBYTECODE", "1"),
                List.of("python3", Checkout.file("install/src/test/python/" + script).toString()));
        assertEquals(0, ran.status(), ran::toString);
    }
}
