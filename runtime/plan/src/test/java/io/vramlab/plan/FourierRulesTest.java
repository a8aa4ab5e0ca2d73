package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Fourier transforms along lines that a block of an H100 holds, and along longer ones. */
class FourierRulesTest {

    /** Two lines of 32,000 are 256,000 bytes; 32,000 complex numbers, 8 bytes each, are more than 227 KiB: cuFFT takes as much. */
    @Test
    void linesThatNoBlockHoldsAreTransformedInAWorkspace() throws IOException {
        assertEquals(List.of(256_000L, 256_016L, 256_000L), sizes("r2c", 32_000));
        assertEquals(List.of(256_016L, 256_000L, 256_016L, 256_000L), sizes("c2r", 32_000));
        assertEquals(List.of(512_000L, 512_000L, 512_000L), sizes("c2c", 32_000));
    }

    /** 4,000 complex numbers are 32,000 bytes. */
    @Test
    void shortLinesTakeNone() throws IOException {
        assertEquals(List.of(32_000L, 32_016L), sizes("r2c", 4_000));
        assertEquals(List.of(32_016L, 32_000L, 32_016L), sizes("c2r", 4_000));
        assertEquals(List.of(64_000L, 64_000L), sizes("c2c", 4_000));
    }

    /** What is transformed, the result, and what the transform takes besides, of two lines. */
    private static List<Long> sizes(String kind, long n) throws IOException {
        long half = n / 2 + 1;
        String real = "\"float32\",[2,%d],[%d,1],0,0]".formatted(n, n);
        String complex = "\"complex64\",[2,%d],[%d,1],0,0]".formatted(half, half);
        String all = "\"complex64\",[2,%d],[%d,1],0,0]".formatted(n, n);
        boolean forth = kind.equals("r2c");
        String in = kind.equals("c2c") ? all : forth ? real : complex;
        String out = kind.equals("c2c") ? all : forth ? complex : real;
        long read = kind.equals("c2c") ? 16 * n : forth ? 8 * n : 16 * half;
        long made = kind.equals("c2c") ? 16 * n : forth ? 16 * half : 8 * n;
        String last = kind.equals("c2r") ? Long.toString(n) : "true";
        String lines = String.join("\n", "{\"vramlab_trace\":1,\"device\":\"H100-80GB\",\"script\":\"one.py\"}",
                "[\"O\",1,\"aten._fft_" + kind + ".default\"]", "[\"T\",1," + in, "[\"T\",2," + out,
                "[\"b\",1," + read + "]",
                "[\"o\",1,0,0,0,[{\"t\":[1,1]},[1],0," + last + "],{},{\"t\":[2,2]},[[2," + made + "]],\"\"]",
                "[\"z\",true]");
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(lines.getBytes(StandardCharsets.UTF_8));
        }
        ProgramTrace trace = ProgramTrace.read(new ByteArrayInputStream(zipped.toByteArray()));
        return Plan.of(trace, DeviceProfile.find("H100-80GB").orElseThrow(), "").sizes();
    }
}
