package io.vramlab.tensor.internal.values;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Some elements of a tensor, whatever its strides, copied to the host and nowhere else: the allocator is not asked for
 * memory, so looking at a value leaves all figures as they were. What the thread's stream has queued is waited for.
 */
public final class Peek {

    /** Elements nearer than this are copied in one piece, with what lies between them. */
    private static final long NEAR_BYTES = 4096;

    private final DType dtype;
    private final double[] reals;
    private final long[] wholes;

    /**
     * Reads.
     *
     * @param at
     *            where the elements lie, in elements from the tensor's first
     */
    Peek(TensorImpl a, long... at) {
        dtype = a.dtype();
        reals = new double[dtype.isFloatingPoint() ? at.length : 0];
        wholes = new long[dtype.isFloatingPoint() ? 0 : at.length];
        try (Arena arena = Arena.ofConfined()) {
            TreeMap<Long, MemorySegment> pieces = pieces(a, at, arena);
            for (int i = 0; i < at.length; i++) {
                Map.Entry<Long, MemorySegment> piece = pieces.floorEntry(at[i]);
                long inside = at[i] - piece.getKey();
                if (dtype.isFloatingPoint()) {
                    reals[i] = Values.at(piece.getValue(), dtype, inside);
                } else {
                    wholes[i] = Values.wholeAt(piece.getValue(), dtype, inside);
                }
            }
        }
    }

    private static TreeMap<Long, MemorySegment> pieces(TensorImpl a, long[] at, Arena arena) {
        int size = a.dtype().bytes();
        long[] sorted = at.clone();
        Arrays.sort(sorted);
        TreeMap<Long, MemorySegment> pieces = new TreeMap<>();
        for (int from = 0, to; from < sorted.length; from = to) {
            to = from + 1;
            while (to < sorted.length && (sorted[to] - sorted[to - 1]) * size <= NEAR_BYTES) {
                to++;
            }
            MemorySegment host = arena.allocate((sorted[to - 1] - sorted[from] + 1) * size, 8);
            a.driver().copyToHost(host, a.operand().address() + sorted[from] * size, a.stream());
            pieces.put(sorted[from], host);
        }
        if (!pieces.isEmpty()) {
            a.driver().synchronizeStream(a.stream());
        }
        return pieces;
    }

    /** How many elements were read. */
    int count() {
        return reals.length + wholes.length;
    }

    boolean isReal() {
        return dtype.isFloatingPoint();
    }

    /** An element of a floating-point tensor, exactly. */
    double real(int i) {
        return reals[i];
    }

    /** An element of any other tensor, exactly; 0 or 1 for bool. */
    long whole(int i) {
        return wholes[i];
    }

    /** The element as text where no other stands beside it. */
    String text(int i) {
        return dtype == DType.BOOL ? wholes[i] != 0 ? "True" : "False" : Long.toString(wholes[i]);
    }
}
