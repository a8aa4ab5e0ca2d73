package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

/** What a GPU draws, and how far each operation moves its generator on, is what an H100 printed; skipped where no PyTorch is at hand. */
class RecordedDrawsTest extends RecordedScripts {

    private static String resource(String name) throws Exception {
        try (var in = RecordedDrawsTest.class.getResourceAsStream("/drawn/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Thirty-five operations and five counts of drawn numbers; an H200 has as many multiprocessors, so the same threads draw. */
    @Test
    void aGeneratorGoesOnAsItDoesOnAGpu() throws Exception {
        assertEquals(resource("drawn_on_h100.txt").lines().toList(),
                record(resource("drawn_on_gpu.py")).ok().out().lines().toList());
    }
}
