package io.vramlab.device.dry;

import io.vramlab.device.ScriptedAddresses.Placement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Addresses that were told in advance, and what was placed at them. */
final class Script {

    private final Deque<Placement> next = new ArrayDeque<>();
    private final Map<Long, Long> placed = new HashMap<>();
    private long bytes;

    synchronized void follow(List<Placement> script) {
        next.clear();
        next.addAll(script);
    }

    /** The address told for a request of that size; 0 if there is none. */
    synchronized long place(long size) {
        Placement p = next.peek();
        if (p == null || p.bytes() != size || placed.containsKey(p.address())) {
            next.clear();
            return 0;
        }
        next.remove();
        placed.put(p.address(), size);
        bytes += size;
        return p.address();
    }

    /** True if that address was told, and is free again now. */
    synchronized boolean free(long address) {
        Long size = placed.remove(address);
        bytes -= size == null ? 0 : size;
        return size != null;
    }

    /** What is placed now. */
    synchronized long bytes() {
        return bytes;
    }
}
