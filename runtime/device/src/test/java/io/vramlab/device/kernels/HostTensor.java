package io.vramlab.device.kernels;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.Operand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** A small tensor of a test: its values in row-major order, as its dtype holds them, and its operand on a device. */
record HostTensor(DeviceDriver driver, Operand operand, double[] values) {

    /** How a tensor lies in memory. */
    enum Layout {
        /** One element after another. */
        CONTIGUOUS,
        /** Dimensions in reverse order. */
        TRANSPOSED,
        /** Every second element of a larger one. */
        SPREAD
    }

    static HostTensor of(DeviceDriver driver, DType dtype, Layout layout, long[] shape, double... values) {
        int rank = shape.length;
        long[] strides = new long[rank];
        long step = layout == Layout.SPREAD ? 2 : 1;
        for (int i = 0; i < rank; i++) {
            int d = layout == Layout.TRANSPOSED ? i : rank - 1 - i;
            strides[d] = step;
            step *= Math.max(1, shape[d]);
        }
        long bytes = Math.max(1, step) * dtype.bytes();
        long address = driver.allocate((bytes + 511) / 512 * 512);
        Operand operand = new Operand(address, dtype, shape.clone(), strides);
        double[] held = Arrays.stream(values).map(rounding(dtype)).toArray();
        HostTensor tensor = new HostTensor(driver, operand, held);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(bytes);
            for (int i = 0; i < held.length; i++) {
                put(host, dtype, tensor.offset(i), held[i]);
            }
            driver.copyToDevice(address, host, 0);
            driver.synchronize();
        }
        return tensor;
    }

    static HostTensor random(DeviceDriver driver, DType dtype, Layout layout, long seed, long... shape) {
        Random random = new Random(seed);
        double[] values = new double[count(shape)];
        for (int i = 0; i < values.length; i++) {
            values[i] = dtype.isFloatingPoint()
                    ? random.nextGaussian()
                    : dtype == DType.BOOL
                            ? random.nextInt(2)
                            : dtype == DType.UINT8 ? random.nextInt(256) : random.nextInt(2001) - 1000;
        }
        return of(driver, dtype, layout, shape, values);
    }

    static HostTensor empty(DeviceDriver driver, DType dtype, Layout layout, long... shape) {
        // not zero, so that what a kernel leaves out shows
        double[] values = new double[count(shape)];
        Arrays.fill(values, dtype == DType.BOOL ? 1 : 77);
        return of(driver, dtype, layout, shape, values);
    }

    static int count(long... shape) {
        return (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** The values on the device now. */
    double[] read() {
        driver.synchronize();
        double[] read = new double[count(operand.shape())];
        long last = 0;
        for (int i = 0; i < read.length; i++) {
            last = Math.max(last, offset(i));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate((last + 1) * operand.dtype().bytes());
            driver.copyToHost(host, operand.address(), 0);
            driver.synchronize();
            for (int i = 0; i < read.length; i++) {
                read[i] = get(host, operand.dtype(), offset(i));
            }
        }
        return read;
    }

    /** The same memory, as if of this shape by stride 0 in the first dimension. */
    Operand repeated(long times) {
        long[] shape = new long[operand.shape().length + 1];
        long[] strides = new long[shape.length];
        shape[0] = times;
        System.arraycopy(operand.shape(), 0, shape, 1, shape.length - 1);
        System.arraycopy(operand.strides(), 0, strides, 1, shape.length - 1);
        return new Operand(operand.address(), operand.dtype(), shape, strides);
    }

    private long offset(int index) {
        long rest = index;
        long at = 0;
        for (int d = operand.shape().length - 1; d >= 0; d--) {
            at += rest % operand.shape()[d] * operand.strides()[d];
            rest /= operand.shape()[d];
        }
        return at;
    }

    /** What storing a double as a dtype makes of it. */
    static DoubleUnaryOperator rounding(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> v -> (float) v;
            case FLOAT64 -> v -> v;
            case FLOAT16 -> v -> Float.float16ToFloat(Float.floatToFloat16((float) v));
            case BFLOAT16 -> v -> bfloat16((float) v);
            case BOOL -> v -> v != 0 ? 1 : 0;
            case UINT8 -> v -> (long) v & 0xff;
            case INT32 -> v -> (int) (long) v;
            case INT64 -> v -> (long) v;
        };
    }

    /** Half the distance between neighbours near 1, the largest relative error of one rounding. */
    static double epsilon(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 0x1p-24;
            case FLOAT64 -> 0x1p-53;
            case FLOAT16 -> 0x1p-11;
            case BFLOAT16 -> 0x1p-8;
            default -> 0;
        };
    }

    /** Rounds by looking at both neighbours, unlike the code under test, which adds and shifts. */
    private static double bfloat16(float v) {
        if (Float.isNaN(v) || Float.isInfinite(v)) {
            return v;
        }
        int bits = Float.floatToIntBits(v);
        float down = Float.intBitsToFloat(bits & 0xffff0000);
        float up = Float.intBitsToFloat((bits & 0xffff0000) + 0x10000);
        double below = Math.abs((double) v - down);
        double above = Math.abs((double) v - (Float.isInfinite(up) ? Math.copySign(0x1p128, up) : up));
        boolean even = (bits & 0x10000) == 0;
        return below < above || below == above && even ? down : up;
    }

    private static void put(MemorySegment s, DType dtype, long at, double v) {
        switch (dtype) {
            case FLOAT32 -> s.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) v);
            case FLOAT64 -> s.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, v);
            case FLOAT16 -> s.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16((float) v));
            case BFLOAT16 ->
                s.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) (Float.floatToIntBits((float) v) >>> 16));
            case INT64 -> s.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, at, (long) v);
            case INT32 -> s.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at, (int) v);
            case UINT8, BOOL -> s.set(ValueLayout.JAVA_BYTE, at, (byte) v);
        }
    }

    private static double get(MemorySegment s, DType dtype, long at) {
        return switch (dtype) {
            case FLOAT32 -> s.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
            case FLOAT64 -> s.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
            case FLOAT16 -> Float.float16ToFloat(s.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Float.intBitsToFloat(s.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16);
            case INT64 -> s.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, at);
            case INT32 -> s.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at);
            case UINT8 -> s.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            case BOOL -> s.get(ValueLayout.JAVA_BYTE, at);
        };
    }
}
