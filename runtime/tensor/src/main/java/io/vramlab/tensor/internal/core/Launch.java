package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Allocates results of element-by-element operations and starts their kernels. Knows nothing of gradients. */
public final class Launch {

    public static final double[] NONE = {};

    private Launch() {
    }

    public static TensorImpl unary(ElementOp op, TensorImpl a, DType out, double... scalars) {
        TensorImpl result = TensorImpl.emptyStrided(a.device(), out, a.shape(), Strides.preserving(a));
        return run(op, scalars, result, a);
    }

    public static TensorImpl binary(ElementOp op, TensorImpl a, TensorImpl b, DType out, double... scalars) {
        return nary(op, out, scalars, a, b);
    }

    public static TensorImpl nary(ElementOp op, DType out, double[] scalars, TensorImpl... inputs) {
        Device device = device(op.name(), inputs);
        long[] shape = broadcast(op, inputs);
        TensorImpl result = TensorImpl.emptyStrided(device, out, shape, Strides.of(shape, inputs));
        return run(op, scalars, result, inputs);
    }

    /** As {@link #binary}, into a result that lies as if {@code b} had been named first, which PyTorch does in a few kernels. */
    public static TensorImpl binaryAs(ElementOp op, TensorImpl a, TensorImpl b, DType out, double... scalars) {
        long[] shape = broadcast(op, a, b);
        TensorImpl result = TensorImpl.emptyStrided(device(op.name(), a, b), out, shape, Strides.of(shape, b, a));
        return run(op, scalars, result, a, b);
    }

    /** As {@link #nary}, into a contiguous result, however the inputs lie: so PyTorch makes filled copies and the gradients of a few losses. */
    public static TensorImpl contiguous(ElementOp op, DType out, double[] scalars, TensorImpl... inputs) {
        return run(op, scalars, TensorImpl.empty(device(op.name(), inputs), out, broadcast(op, inputs)), inputs);
    }

    private static long[] broadcast(ElementOp op, TensorImpl... inputs) {
        long[] shape = inputs[0].shape();
        for (int i = 1; i < inputs.length; i++) {
            shape = Shape.broadcast(shape, inputs[i].shape(), name(op));
        }
        return shape;
    }

    /** Fills {@code out}, which the caller holds; lets it go if the kernel cannot be started. */
    public static TensorImpl run(ElementOp op, double[] scalars, TensorImpl out, TensorImpl... inputs) {
        try {
            into(op, scalars, out, inputs);
            return out;
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    /** Writes into an existing tensor; inputs are broadcast to it. */
    public static void into(ElementOp op, double[] scalars, TensorImpl out, TensorImpl... inputs) {
        Operand[] operands = new Operand[inputs.length];
        Operand target = out.operand();
        for (int i = 0; i < inputs.length; i++) {
            operands[i] = inputs[i] == out ? target : inputs[i].operand(out.shape());
        }
        out.driver().kernels().elementwise(op, scalars, target, operands, out.stream());
    }

    /** The one device of all inputs. */
    public static Device device(String what, TensorImpl... inputs) {
        Device device = inputs[0].device();
        for (TensorImpl t : inputs) {
            if (t.device() != device) {
                throw new TensorException("Expected all tensors to be on the same device, but found at least two "
                        + "devices, " + device.name() + " and " + t.device().name() + ", in " + what.toLowerCase()
                        + " of shapes " + Shape.text(inputs[0].shape()) + " and " + Shape.text(t.shape())
                        + ". Move one with to(device).");
            }
        }
        return device;
    }

    static String name(ElementOp op) {
        return op.name().toLowerCase().replace("_scalar", "");
    }

    /** {@code a += alpha * b}, outside the graph. */
    public static void accumulate(TensorImpl a, TensorImpl b, double alpha) {
        into(ElementOp.ADD, new double[]{alpha}, a, a, b);
        a.bumpVersion();
    }
}
