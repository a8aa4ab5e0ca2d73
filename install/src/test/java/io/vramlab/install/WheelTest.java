package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** The Python half of the packages; that they install and run where no Java is, {@code .ci/try-wheel} shows. */
class WheelTest {

    @Test
    void itsOwnTestsPass() throws IOException, InterruptedException {
        Commands.Ran ran = Commands.run(Map.of("PYTHONDONTWRITEBYTECODE", "1"),
                List.of("python3", Checkout.file("install/src/test/python/wheel_test.py").toString()));
        assertEquals(0, ran.status(), ran::toString);
    }
}
