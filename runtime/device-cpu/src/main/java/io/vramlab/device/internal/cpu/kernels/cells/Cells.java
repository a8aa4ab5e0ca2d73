package io.vramlab.device.internal.cpu.kernels.cells;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Moves single elements bit by bit, without looking at what they mean. */
public final class Cells {

    private Cells() {
    }

    /** Copies element {@code i} of one view to element {@code j} of another of the same dtype. */
    public static void copy(View from, long i, View to, long j) {
        MemorySegment a = from.memory;
        MemorySegment b = to.memory;
        long at = from.offset(i);
        long end = to.offset(j);
        switch (from.dtype.bytes()) {
            case 1 -> b.set(ValueLayout.JAVA_BYTE, end, a.get(ValueLayout.JAVA_BYTE, at));
            case 2 -> b.set(ValueLayout.JAVA_SHORT_UNALIGNED, end * 2, a.get(ValueLayout.JAVA_SHORT_UNALIGNED, at * 2));
            case 4 -> b.set(ValueLayout.JAVA_INT_UNALIGNED, end * 4, a.get(ValueLayout.JAVA_INT_UNALIGNED, at * 4));
            default -> b.set(ValueLayout.JAVA_LONG_UNALIGNED, end * 8, a.get(ValueLayout.JAVA_LONG_UNALIGNED, at * 8));
        }
    }
}
