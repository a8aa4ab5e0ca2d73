package io.vramlab.install.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;

/** How a holder of memory is named by its stack. */
class HoldersTest {

    private static final String TORCH = "/venv/lib/python3.11/site-packages/torch/nn/modules/";

    private static Map<String, Object> frame(String file, int line, String name) {
        return Map.of("filename", file, "line", (long) line, "name", name);
    }

    private static String name(List<Map<String, Object>> frames) {
        List<Object> events = List.of(
                Map.of("action", "segment_alloc", "addr", 0L, "size", 2L << 20, "stream", 0L, "frames", frames),
                Map.of("action", "alloc", "addr", 0L, "size", 1L << 20, "stream", 0L, "frames", frames));
        Story story = Story
                .of(MemorySnapshot.ofData(Map.of("segments", List.of(), "device_traces", List.of(events))), 0);
        return Holders.of(story.at(1)).getFirst().name();
    }

    @Test
    void theLibrarysLineIsToldWithTheUsersThatLedThereAndNotWhatLiesBetween() {
        assertEquals("linear.py:134 forward ← net.py:20 forward ← train.py:36 step",
                name(List.of(frame(TORCH + "linear.py", 134, "forward"), frame(TORCH + "module.py", 1790, "_call_impl"),
                        frame(TORCH + "module.py", 1779, "_wrapped_call_impl"), frame("/home/me/net.py", 20, "forward"),
                        frame(TORCH + "module.py", 1790, "_call_impl"), frame("/home/me/train.py", 36, "step"),
                        frame("/home/me/train.py", 48, "main"))));
    }

    @Test
    void compiledFramesAreLeftOutWherePythonsAreThere() {
        assertEquals("train.py:36 step", name(List.of(frame("CUDACachingAllocator.cpp", 0, "malloc"),
                frame("??", 0, "at::empty"), frame("/home/me/train.py", 36, "step"))));
    }

    @Test
    void aStackWithoutLinesOfTheUsersIsToldAsItIs() {
        assertEquals("linear.py:134 forward ← module.py:1790 _call_impl",
                name(List.of(frame(TORCH + "linear.py", 134, "forward"),
                        frame(TORCH + "module.py", 1790, "_call_impl"))));
    }
}
