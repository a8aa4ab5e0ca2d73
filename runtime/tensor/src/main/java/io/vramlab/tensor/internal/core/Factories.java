package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** New tensors. */
public final class Factories {

    private Factories() {
    }

    public static TensorImpl full(Device device, DType dtype, double value, long... shape) {
        return Launch.run(ElementOp.FILL, new double[]{value}, TensorImpl.empty(device, dtype, shape));
    }

    public static TensorImpl zerosLike(TensorImpl like) {
        return fullLike(like, 0);
    }

    public static TensorImpl fullLike(TensorImpl like, double value) {
        return fullLike(like, like.dtype(), value);
    }

    public static TensorImpl fullLike(TensorImpl like, DType dtype, double value) {
        TensorImpl out = TensorImpl.emptyStrided(like.device(), dtype, like.shape(), Strides.like(like));
        return Launch.run(ElementOp.FILL, new double[]{value}, out);
    }

    public static TensorImpl random(RandomOp op, Device device, DType dtype, double a, double b, long... shape) {
        TensorImpl out = TensorImpl.empty(device, dtype, shape);
        try {
            fillRandom(op, out, a, b);
            return out;
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    public static void fillRandom(RandomOp op, TensorImpl out, double a, double b) {
        Generator generator = Generator.of(out.device());
        long count = out.count();
        long offset = generator.take(count);
        out.driver().kernels().random(op, out.operand(), a, b, generator.initialSeed(), offset, out.stream());
    }

    public static TensorImpl arange(Device device, DType dtype, double start, double end, double step) {
        if (step == 0 || (end - start) / step < 0) {
            throw new TensorException("arange from " + start + " to " + end + " by " + step
                    + " was asked for: the step must be nonzero and lead from the start to the end.");
        }
        TensorImpl out = TensorImpl.empty(device, dtype, (long) Math.ceil((end - start) / step));
        try {
            out.driver().kernels().arange(out.operand(), start, step, out.stream());
            return out;
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    /** Elements given as bytes in the native order of {@code dtype}. */
    static TensorImpl of(Device device, DType dtype, MemorySegment values, long... shape) {
        TensorImpl out = TensorImpl.empty(device, dtype, shape);
        try {
            if (values.byteSize() > 0) {
                out.driver().copyToDevice(out.operand().address(), values, out.stream());
            }
            return out;
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    /** As {@link #of}, from a Java array seen as a heap segment. */
    public static TensorImpl ofHeap(Device device, DType dtype, MemorySegment heap, int given, long... shape) {
        if (Shape.count(shape) != given) {
            throw new TensorException("A tensor of shape " + Shape.text(shape) + " was asked for with " + given
                    + " values: it has " + Shape.count(shape) + " elements. Give as many values as elements.");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(Math.max(heap.byteSize(), 1), 8).asSlice(0, heap.byteSize());
            host.copyFrom(heap);
            return of(device, dtype, host, shape);
        }
    }
}
