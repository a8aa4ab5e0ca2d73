package io.vramlab.tensor;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Lets go of what holds what holds what…, however deep, without a stack as deep: as CPython's trashcan
 * ({@code Py_TRASHCAN_BEGIN}), which frees fifty levels by calls and puts off what lies deeper until those have returned, the
 * last put off first. One for each thread.
 */
final class Trashcan {

    /** CPython's {@code PyTrash_UNWIND_LEVEL}. */
    private static final int LEVELS = 50;

    private final Deque<Object> later = new ArrayDeque<>();
    private final Deque<Object> escaping = new ArrayDeque<>();
    private int level;
    private Set<Object> escaped;

    /** Lets go of what an object holds that nobody holds any more. */
    void letGo(Object value) {
        if (level >= LEVELS) {
            later.push(value);
            return;
        }
        level++;
        try {
            Lifetimes.dropMembers(value);
            if (level == 1) {
                for (Object next = later.poll(); next != null; next = later.poll()) {
                    Lifetimes.dropMembers(next);
                }
            }
        } finally {
            level--;
        }
    }

    /** Tells what an object holds, and what that holds, that code may hold it which does not count; circles are met once. */
    void escape(Object value) {
        if (escaped != null) {
            if (escaped.add(value)) {
                escaping.add(value);
            }
            return;
        }
        escaped = Collections.newSetFromMap(new IdentityHashMap<>());
        escaped.add(value);
        try {
            for (Object next = value; next != null; next = escaping.poll()) {
                Lifetimes.escapeMembers(next);
            }
        } finally {
            escaped = null;
            escaping.clear();
        }
    }
}
