package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.vramlab.memory.MemorySnapshot;

/** Histories made by hand. */
final class History {

    private final List<Object> events = new ArrayList<>();

    History event(String action, long address, long size) {
        events.add(Map.of("action", action, "addr", address, "device_free", address, "size", size, "stream", 0L));
        return this;
    }

    History alloc(long address, long size) {
        return event("alloc", address, size);
    }

    History free(long address, long size) {
        return event("free_requested", address, size).event("free_completed", address, size);
    }

    Story story() {
        return Story.of(MemorySnapshot.ofData(Map.of("segments", List.of(), "device_traces", List.of(events))), 0);
    }
}
