package io.vramlab.device.internal.cpu.kernels.elementwise;

import io.vramlab.device.Interruptible;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies that turn rows into columns: in squares that fit the first-level cache, so that neither side is walked across
 * its grain for long. For two dimensions of four-byte elements of one dtype, the inner one strided in the source alone.
 */
final class Transpose {

    private static final int SQUARE = 32;
    /** Columns between two looks for an interrupt: some hundred squares. */
    private static final int LOOK = 256 * SQUARE;

    private Transpose() {
    }

    /** True for copies that this is made for. */
    static boolean serves(View to, View from) {
        return to.dtype == from.dtype && to.dtype.bytes() == Integer.BYTES && to.contiguous() && from.rank() == 2
                && from.stride(0) == 1 && from.size(0) > 1 && from.size(1) > 1;
    }

    /** Does it. */
    static void copy(View to, View from) {
        int rows = Math.toIntExact(from.size(0));
        int columns = Math.toIntExact(from.size(1));
        long stride = from.stride(1);
        Parallel.range(rows, Math.max(SQUARE, Elementwise.GRAIN / columns), (a, b) -> {
            int[] square = new int[SQUARE * SQUARE];
            for (int i = (int) a; i < b; i += SQUARE) {
                int height = (int) Math.min(SQUARE, b - i);
                for (int j = 0; j < columns; j += SQUARE) {
                    if (j % LOOK == 0) {
                        Interruptible.check();
                    }
                    int width = Math.min(SQUARE, columns - j);
                    for (int c = 0; c < width; c++) {
                        MemorySegment.copy(from.memory, ValueLayout.JAVA_INT_UNALIGNED, ((j + c) * stride + i) * 4,
                                square, c * SQUARE, height);
                    }
                    turn(square);
                    for (int r = 0; r < height; r++) {
                        MemorySegment.copy(square, r * SQUARE, to.memory, ValueLayout.JAVA_INT_UNALIGNED,
                                ((long) (i + r) * columns + j) * 4, width);
                    }
                }
            }
        });
    }

    private static void turn(int[] square) {
        for (int r = 1; r < SQUARE; r++) {
            for (int c = 0; c < r; c++) {
                int x = square[r * SQUARE + c];
                square[r * SQUARE + c] = square[c * SQUARE + r];
                square[c * SQUARE + r] = x;
            }
        }
    }
}
