package io.vramlab.tensor.internal.values;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads values back to the host. */
public final class Values {

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private Values() {
    }

    /** All elements in row-major order. */
    public static double[] read(TensorImpl a) {
        return fetch(a, (host, n) -> {
            double[] out = new double[n];
            for (int i = 0; i < n; i++) {
                out[i] = at(host, a.dtype(), i);
            }
            return out;
        });
    }

    public static float[] floats(TensorImpl a) {
        return fetch(a, (host, n) -> {
            float[] out = new float[n];
            if (a.dtype() == DType.FLOAT32) {
                MemorySegment.copy(host, FLOAT, 0, out, 0, n);
                return out;
            }
            for (int i = 0; i < n; i++) {
                out[i] = (float) at(host, a.dtype(), i);
            }
            return out;
        });
    }

    public static long[] longs(TensorImpl a) {
        return fetch(a, (host, n) -> {
            long[] out = new long[n];
            for (int i = 0; i < n; i++) {
                out[i] = a.dtype().isFloatingPoint() ? whole(at(host, a.dtype(), i)) : wholeAt(host, a.dtype(), i);
            }
            return out;
        });
    }

    static long whole(double v) {
        if (Double.isNaN(v) || Double.isInfinite(v)) {
            throw new TensorException("The value " + v + " was asked for as a whole number: cannot convert float "
                    + (Double.isNaN(v) ? "NaN" : "infinity")
                    + " to integer. Read it as a double: item(), get(...) or toDoubleArray().");
        }
        return (long) v;
    }

    private interface Reader<T> {
        T read(MemorySegment host, int count);
    }

    private static <T> T fetch(TensorImpl a, Reader<T> reader) {
        long count = a.count();
        if (count > Integer.MAX_VALUE - 8) {
            throw new TensorException("All " + count + " values of a tensor of shape " + Shape.text(a.shape())
                    + " were asked for: a Java array holds fewer than 2^31. Take a slice.");
        }
        TensorImpl source = Copies.contiguous(a);
        try (Arena arena = Arena.ofConfined()) {
            return reader.read(Copies.read(source, count, arena), (int) count);
        } finally {
            source.release();
        }
    }

    /** An element; of int64 what a double holds of it. */
    static double at(MemorySegment host, DType dtype, long i) {
        return switch (dtype) {
            case FLOAT32 -> host.getAtIndex(FLOAT, i);
            case FLOAT64 -> host.getAtIndex(DOUBLE, i);
            case FLOAT16 -> Float.float16ToFloat(host.getAtIndex(SHORT, i));
            case BFLOAT16 -> Float.intBitsToFloat(host.getAtIndex(SHORT, i) << 16);
            case INT64 -> host.getAtIndex(LONG, i);
            case INT32 -> host.getAtIndex(INT, i);
            case UINT8 -> Byte.toUnsignedInt(host.get(ValueLayout.JAVA_BYTE, i));
            case BOOL -> host.get(ValueLayout.JAVA_BYTE, i);
        };
    }

    /** An element of a tensor that is not of a floating type. */
    static long wholeAt(MemorySegment host, DType dtype, long i) {
        return dtype == DType.INT64 ? host.getAtIndex(LONG, i) : (long) at(host, dtype, i);
    }

    /** A new tensor from host values of dtype {@code given}, converted on the host side of the copy's device. */
    public static TensorImpl of(Device device, DType dtype, DType given, MemorySegment heap, int count, long... shape) {
        if (given == dtype) {
            return Factories.ofHeap(device, given, heap, count, shape);
        }
        // converted on the CPU, so that the device sees one allocation
        TensorImpl raw = Factories.ofHeap(Device.cpu(), given, heap, count, shape);
        try (Temps t = new Temps()) {
            t.own(raw);
            TensorImpl converted = t.own(Copies.to(raw, Device.cpu(), dtype));
            return Copies.to(converted, device, dtype);
        }
    }
}
