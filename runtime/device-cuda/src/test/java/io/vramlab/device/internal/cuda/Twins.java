package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.sim.SimulatedDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Function;

/** The same tensors on a real and on a simulated GPU, the same kernel run on both, and the results compared. */
final class Twins implements AutoCloseable {

    /** One tensor on both. */
    record Twin(long real, long simulated, DType dtype, long[] shape, long[] strides, long elements) {

        /** The same memory seen otherwise. */
        Twin view(long[] otherShape, long[] otherStrides) {
            return new Twin(real, simulated, dtype, otherShape, otherStrides, elements);
        }
    }

    /** A kernel call, given the kernels and how to name a tensor to them. */
    interface Call {
        void run(Kernels kernels, Function<Twin, Operand> of);
    }

    private final DeviceDriver real = new CudaDevices().devices("0").getFirst().get();
    private final DeviceDriver simulated = new SimulatedDriver(DeviceProfile.of("8GiB"));
    private final Random random = new Random(11);

    /** The real GPU. */
    DeviceDriver real() {
        return real;
    }

    Twin of(DType dtype, double[] values, long... shape) {
        long n = values.length;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(Math.max(1, n) * 8, 16).asSlice(0, n * dtype.bytes());
            for (int i = 0; i < n; i++) {
                put(host, dtype, i, values[i]);
            }
            long bytes = Math.max(512, host.byteSize());
            Twin t = new Twin(real.allocate(bytes), simulated.allocate(bytes), dtype, shape, contiguous(shape), n);
            real.copyToDevice(t.real, host, 0);
            real.synchronize();
            simulated.copyToDevice(t.simulated, host, 0);
            return t;
        }
    }

    /** Values between -2 and 2; integers between 0 and {@code limit} - 1. */
    Twin limited(DType dtype, int limit, long... shape) {
        double[] values = new double[(int) count(shape)];
        for (int i = 0; i < values.length; i++) {
            values[i] = dtype.isFloatingPoint() ? random.nextDouble() * 4 - 2 : random.nextInt(limit);
        }
        return of(dtype, values, shape);
    }

    Twin random(DType dtype, long... shape) {
        return limited(dtype, dtype == DType.BOOL ? 2 : 100, shape);
    }

    Twin zeros(DType dtype, long... shape) {
        return of(dtype, new double[(int) count(shape)], shape);
    }

    void run(Call call) {
        call.run(real.kernels(), t -> new Operand(t.real, t.dtype, t.shape, t.strides));
        call.run(simulated.kernels(), t -> new Operand(t.simulated, t.dtype, t.shape, t.strides));
        real.synchronize();
        simulated.synchronize();
    }

    /** Compares all of a tensor's memory; differences up to {@code relative} of the larger magnitude, or of 1, pass. */
    void same(String what, double relative, Twin... tensors) {
        for (Twin t : tensors) {
            double[] a = read(real, t.real, t);
            double[] b = read(simulated, t.simulated, t);
            for (int i = 0; i < a.length; i++) {
                if (Double.isNaN(a[i]) && Double.isNaN(b[i])) {
                    continue;
                }
                double allowed = relative * Math.max(1, Math.min(Math.abs(a[i]), Math.abs(b[i])));
                if (a[i] != b[i]) {
                    assertEquals(b[i], a[i], allowed, what + " " + t.dtype + " element " + i);
                }
            }
        }
    }

    private static double[] read(DeviceDriver driver, long address, Twin t) {
        double[] values = new double[(int) t.elements];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(Math.max(1, t.elements) * t.dtype.bytes(), 16);
            driver.copyToHost(host, address, 0);
            for (int i = 0; i < values.length; i++) {
                values[i] = get(host, t.dtype, i);
            }
        }
        return values;
    }

    static long count(long... shape) {
        long n = 1;
        for (long s : shape) {
            n *= s;
        }
        return n;
    }

    static long[] contiguous(long... shape) {
        long[] strides = new long[shape.length];
        long step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= shape[d];
        }
        return strides;
    }

    private static void put(MemorySegment host, DType dtype, int i, double v) {
        switch (dtype) {
            case FLOAT32 -> host.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) v);
            case FLOAT64 -> host.setAtIndex(ValueLayout.JAVA_DOUBLE, i, v);
            case FLOAT16 -> host.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) v));
            case BFLOAT16 ->
                host.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits((float) v) >>> 16));
            case INT64 -> host.setAtIndex(ValueLayout.JAVA_LONG, i, (long) v);
            case INT32 -> host.setAtIndex(ValueLayout.JAVA_INT, i, (int) v);
            default -> host.set(ValueLayout.JAVA_BYTE, i, (byte) v);
        }
    }

    private static double get(MemorySegment host, DType dtype, int i) {
        return switch (dtype) {
            case FLOAT32 -> host.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            case FLOAT64 -> host.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            case FLOAT16 -> Float.float16ToFloat(host.getAtIndex(ValueLayout.JAVA_SHORT, i));
            case BFLOAT16 -> Float.intBitsToFloat(host.getAtIndex(ValueLayout.JAVA_SHORT, i) << 16);
            case INT64 -> host.getAtIndex(ValueLayout.JAVA_LONG, i);
            case INT32 -> host.getAtIndex(ValueLayout.JAVA_INT, i);
            default -> host.get(ValueLayout.JAVA_BYTE, i) & 0xff;
        };
    }

    @Override
    public void close() {
        real.close();
        simulated.close();
    }
}
