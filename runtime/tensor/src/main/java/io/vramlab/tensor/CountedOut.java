package io.vramlab.tensor;

import java.util.ArrayList;
import java.util.List;

/** A check of the counting: the tensors that it closed, to see whether anything can reach one of them still. */
final class CountedOut {

    private static final List<Handle> CLOSED = new ArrayList<>();
    private static volatile boolean checked = Boolean.getBoolean("vramlab.lifetimes.check");

    private CountedOut() {
    }

    static void check(boolean wanted) {
        checked = wanted;
        synchronized (CLOSED) {
            CLOSED.clear();
        }
    }

    static boolean isChecked() {
        return checked;
    }

    static void add(Handle handle) {
        if (checked) {
            synchronized (CLOSED) {
                CLOSED.add(handle);
            }
        }
    }

    /** Those that a collection, made now, finds reachable; how many were closed, and forgotten by this, does not matter. */
    static List<Handle> reachable() {
        System.gc();
        synchronized (CLOSED) {
            CLOSED.removeIf(each -> each.refersTo(null));
            List<Handle> reachable = List.copyOf(CLOSED);
            CLOSED.clear();
            return reachable;
        }
    }
}
