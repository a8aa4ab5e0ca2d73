package io.vramlab.install.story;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.vramlab.memory.MemorySnapshot;

/** Histories made by hand. */
public final class History {

    private final List<Object> events = new ArrayList<>();
    private List<Object> frames = List.of();

    public History event(String action, long address, long size) {
        return event(action, address, size, 0);
    }

    public History event(String action, long address, long size, long stream) {
        Map<String, Object> event = new HashMap<>(Map.of("action", action, "addr", address, "device_free", address,
                "size", size, "stream", stream));
        if (!frames.isEmpty()) {
            event.put("frames", frames);
        }
        events.add(event);
        return this;
    }

    /** What is asked for from here on is asked for by these frames, innermost first, each as {@code file:line:function}. */
    public History by(String... stack) {
        frames = Stream.of(stack).map(frame -> frame.split(":"))
                .map(each -> (Object) Map.of("filename", each[0], "line", Long.valueOf(each[1]), "name", each[2]))
                .toList();
        return this;
    }

    public History alloc(long address, long size) {
        return event("alloc", address, size);
    }

    public History free(long address, long size) {
        return event("free_requested", address, size).event("free_completed", address, size);
    }

    public Story story() {
        return story(List.of());
    }

    /** With segments that are there at the end. */
    public Story story(List<Object> segments) {
        return Story.of(MemorySnapshot.ofData(Map.of("segments", segments, "device_traces", List.of(events))), 0);
    }

    /** An empty segment of the pool (graph, user), as a snapshot has it. */
    public static Map<String, Object> segment(long address, long size, long graph, long user) {
        return Map.of("address", address, "total_size", size, "stream", 0L, "segment_type", "large", "segment_pool_id",
                List.of(graph, user), "blocks", List.of(Map.of("size", size, "state", "inactive")));
    }
}
