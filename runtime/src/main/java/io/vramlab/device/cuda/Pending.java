package io.vramlab.device.cuda;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The kernels launched since somebody last waited for the device and found it well: a late error is of one of these. Only
 * the last few are kept; launching costs one store. Written by several threads without a lock: at worst a name is missing
 * from a message.
 */
final class Pending {

    private static final int KEPT = 64;

    private final String[] names = new String[KEPT];
    private int next;

    void launched(String name) {
        int at = next;
        names[at & KEPT - 1] = name;
        next = at + 1;
    }

    /** Everything so far went well. */
    void done() {
        if (next != 0) {
            Arrays.fill(names, null);
            next = 0;
        }
    }

    /** For a message: the kernels, each once, oldest first; empty if there are none. */
    String text() {
        Set<String> found = new LinkedHashSet<>();
        for (int i = 0; i < KEPT; i++) {
            String name = names[next + i & KEPT - 1];
            if (name != null) {
                found.add(name);
            }
        }
        return found.isEmpty() ? "" : " It is one of: " + String.join(", ", found) + ".";
    }
}
