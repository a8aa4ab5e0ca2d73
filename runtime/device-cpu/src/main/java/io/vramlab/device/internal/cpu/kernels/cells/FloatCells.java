package io.vramlab.device.internal.cpu.kernels.cells;

import io.vramlab.device.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Elements of any dtype to and from {@code float}; a store rounds to nearest, halves to even. */
public final class FloatCells {

    private FloatCells() {
    }

    /** Reads {@code n} elements, {@code stride} apart, from element {@code first} of the segment. */
    public static void read(MemorySegment s, DType dtype, long first, long stride, float[] to, int at, int n) {
        if (stride == 0 && n > 1) {
            read(s, dtype, first, 1, to, at, 1);
            Arrays.fill(to, at + 1, at + n, to[at]);
            return;
        }
        switch (dtype) {
            case FLOAT32 -> {
                if (stride == 1) {
                    MemorySegment.copy(s, ValueLayout.JAVA_FLOAT_UNALIGNED, first * 4, to, at, n);
                    return;
                }
                for (int i = 0; i < n; i++) {
                    to[at + i] = s.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (first + i * stride) * 4);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = (float) s.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, (first + i * stride) * 8);
                }
            }
            case FLOAT16 -> {
                if (stride == 1) {
                    readHalves(s, first, to, at, n);
                    return;
                }
                for (int i = 0; i < n; i++) {
                    to[at + i] = Float
                            .float16ToFloat(s.get(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < n; i++) {
                    to[at + i] = Half.fromBfloat16(s.get(ValueLayout.JAVA_SHORT_UNALIGNED, (first + i * stride) * 2));
                }
            }
            case INT64 -> {
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
    public static void write(MemorySegment s, DType dtype, long first, long stride, float[] from, int at, int n) {
        switch (dtype) {
            case FLOAT32 -> {
                if (stride == 1) {
                    MemorySegment.copy(from, at, s, ValueLayout.JAVA_FLOAT_UNALIGNED, first * 4, n);
                    return;
                }
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
                if (stride == 1) {
                    writeHalves(s, first, from, at, n);
                    return;
                }
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
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_LONG_UNALIGNED, (first + i * stride) * 8, (long) from[at + i]);
                }
            }
            case INT32 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_INT_UNALIGNED, (first + i * stride) * 4, (int) (long) from[at + i]);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_BYTE, first + i * stride, (byte) (long) from[at + i]);
                }
            }
            case BOOL -> {
                for (int i = 0; i < n; i++) {
                    s.set(ValueLayout.JAVA_BYTE, first + i * stride, from[at + i] == 0 ? (byte) 0 : (byte) 1);
                }
            }
        }
    }

    // Copying whole and converting between arrays is several times faster than converting element by element

    private static void readHalves(MemorySegment s, long first, float[] to, int at, int n) {
        short[] line = Tiles.mine().shorts;
        for (int done = 0; done < n; done += Tiles.TILE) {
            int now = Math.min(Tiles.TILE, n - done);
            MemorySegment.copy(s, ValueLayout.JAVA_SHORT_UNALIGNED, (first + done) * 2, line, 0, now);
            int from = at + done;
            for (int i = 0; i < now; i++) {
                to[from + i] = Float.float16ToFloat(line[i]);
            }
        }
    }

    private static void writeHalves(MemorySegment s, long first, float[] from, int at, int n) {
        short[] line = Tiles.mine().shorts;
        for (int done = 0; done < n; done += Tiles.TILE) {
            int now = Math.min(Tiles.TILE, n - done);
            int start = at + done;
            for (int i = 0; i < now; i++) {
                line[i] = Float.floatToFloat16(from[start + i]);
            }
            MemorySegment.copy(line, 0, s, ValueLayout.JAVA_SHORT_UNALIGNED, (first + done) * 2, now);
        }
    }
}
