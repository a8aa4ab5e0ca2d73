package io.vramlab.device.internal.cpu.kernels.cells;

import io.vramlab.device.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Elements of any dtype to and from {@code long}; floats are cut towards zero, the low bits of a long are stored. */
final class LongCells {

    private LongCells() {
    }

    /** Reads {@code n} elements, {@code stride} apart, from element {@code first} of the segment. */
    static void read(MemorySegment s, DType dtype, long first, long stride, long[] to, int at, int n) {
        if (stride == 0 && n > 1) {
            read(s, dtype, first, 1, to, at, 1);
            Arrays.fill(to, at + 1, at + n, to[at]);
            return;
        }
        switch (dtype) {
            case FLOAT32 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = (long) s.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (first + i * stride) * 4);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = (long) s.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, (first + i * stride) * 8);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = (long) Float
                            .float16ToFloat(s.get(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = (long) Half
                            .fromBfloat16(s.get(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2));
                }
            }
            case INT64 -> {
                if (stride == 1) {
                    MemorySegment.copy(s, ValueLayout.JAVA_LONG_UNALIGNED, first * 8, to, at, n);
                    return;
                }
                for (int i = 0; i < n; i++) {
                    to[at + i] = s.get(ValueLayout.JAVA_LONG_UNALIGNED, (first + i * stride) * 8);
                }
            }
            case INT32 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = s.get(ValueLayout.JAVA_INT_UNALIGNED, (first + i * stride) * 4);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = s.get(ValueLayout.JAVA_BYTE, first + i * stride) & 0xff;
                }
            }
            case BOOL -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = s.get(ValueLayout.JAVA_BYTE, first + i * stride) == 0 ? 0 : 1;
                }
            }
        }
    }

    /** Stores {@code n} elements, {@code stride} apart, from element {@code first} of the segment on. */
    static void write(MemorySegment s, DType dtype, long first, long stride, long[] from, int at, int n) {
        switch (dtype) {
            case FLOAT32 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_FLOAT_UNALIGNED, (first + i * stride) * 4, from[at + i]);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, (first + i * stride) * 8, from[at + i]);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2,
                            Float.floatToFloat16(from[at + i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2, Half.toBfloat16(from[at + i]));
                }
            }
            case INT64 -> {
                if (stride == 1) {
                    MemorySegment.copy(from, at, s, ValueLayout.JAVA_LONG_UNALIGNED, first * 8, n);
                    return;
                }
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_LONG_UNALIGNED, (first + i * stride) * 8, from[at + i]);
                }
            }
            case INT32 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_INT_UNALIGNED, (first + i * stride) * 4, (int) from[at + i]);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_BYTE, first + i * stride, (byte) from[at + i]);
                }
            }
            case BOOL -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_BYTE, first + i * stride, from[at + i] == 0 ? (byte) 0 : (byte) 1);
                }
            }
        }
    }
}
