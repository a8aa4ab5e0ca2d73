package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import java.util.EnumSet;
import java.util.Set;

/** Element-by-element operations: fast ways for contiguous float32, float16 and bfloat16, and one for everything. */
final class ElementKernels {

    private static final int BLOCK = 256;
    private static final int QUAD = 16;
    private static final int TENSORS_PER_LAUNCH = 64;
    private static final int OCTET = 8;
    /** The operations that {@code contiguous.cu} and {@code halves.cu} have a kernel for. */
    private static final Set<ElementOp> CONTIGUOUS = EnumSet.of(ElementOp.FILL, ElementOp.ADD, ElementOp.SUB,
            ElementOp.MUL, ElementOp.DIV, ElementOp.ADD_SCALAR, ElementOp.MUL_SCALAR, ElementOp.DIV_SCALAR,
            ElementOp.NEG, ElementOp.SQRT, ElementOp.EXP, ElementOp.TANH, ElementOp.SIGMOID, ElementOp.RELU,
            ElementOp.GELU, ElementOp.SILU, ElementOp.ADDCMUL, ElementOp.ADDCDIV, ElementOp.LERP,
            ElementOp.RELU_BACKWARD, ElementOp.GELU_BACKWARD, ElementOp.SILU_BACKWARD, ElementOp.TANH_BACKWARD,
            ElementOp.SIGMOID_BACKWARD, ElementOp.SQUARED_ERROR, ElementOp.SQUARED_ERROR_BACKWARD);

    private static final Set<ElementOp> BY_ROW = EnumSet.of(ElementOp.ADD, ElementOp.SUB, ElementOp.MUL,
            ElementOp.DIV);

    private final CudaContext context;
    private final Launcher launcher;
    private final PtxModule general;
    private final PtxModule fast;
    private final PtxModule halves;
    private final VectorKernels vectors;
    private final PtxModule.Function[] contiguous = new PtxModule.Function[ElementOp.values().length];

    ElementKernels(CudaContext context, Launcher launcher) {
        this.context = context;
        this.launcher = launcher;
        this.general = context.module("elementwise");
        this.fast = context.module("contiguous");
        this.halves = context.module("halves");
        this.vectors = new VectorKernels(context, launcher);
    }

    void run(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
        long n = out.count();
        if (n == 0) {
            return;
        }
        if (copies(op, out, inputs)) {
            context.enter();
            context.status().check(context.calls().copyOnDevice(out.address(), inputs[0].address(),
                    n * out.dtype().bytes(), stream), "Copying on the device");
            launcher.settle("copy on device");
        } else if (CONTIGUOUS.contains(op) && arePlain(DType.FLOAT32, out, inputs)) {
            Launcher.Arguments a = launcher.arguments().add(out.address());
            for (int k = 0; k < 3; k++) {
                a.add(k < inputs.length ? inputs[k].address() : 0L);
            }
            a.add(n).add((float) scalar(scalars, 0)).add((float) scalar(scalars, 1));
            launcher.launch(contiguous(op), blocksOfQuads(n), BLOCK, stream, a);
        } else if (CONTIGUOUS.contains(op) && isHalf(out.dtype()) && arePlain(out.dtype(), out, inputs)) {
            halves("halves_" + op.name(), out.dtype(), scalars, out, inputs, stream);
        } else if (op == ElementOp.COPY && isPlain(out) && isHalf(inputs[0].dtype())
                && isPlain(inputs[0].dtype(), inputs[0])) {
            halves("halves_to_float", inputs[0].dtype(), scalars, out, inputs, stream);
        } else if (op == ElementOp.COPY && isHalf(out.dtype()) && isPlain(out.dtype(), out) && isPlain(inputs[0])) {
            halves("halves_of_float", out.dtype(), scalars, out, inputs, stream);
        } else if (op == ElementOp.COPY && VectorKernels.copies(out, inputs[0])) {
            vectors.copy(out, inputs[0], stream);
        } else if (op == ElementOp.ADD && VectorKernels.adds(out, inputs[0], inputs[1])) {
            vectors.add(out, inputs[0], inputs[1], scalar(scalars, 0), stream);
        } else if (BY_ROW.contains(op) && isPlain(out) && isPlain(inputs[0]) && rowWidth(inputs[1]) > 0) {
            Launcher.Arguments a = launcher.arguments().add(out.address()).add(inputs[0].address())
                    .add(inputs[1].address()).add(n).add((int) (rowWidth(inputs[1]) / 4))
                    .add((float) scalar(scalars, 0));
            launcher.launch(fast.function("rows_" + op.name()), blocksOfQuads(n), BLOCK, stream, a);
        } else {
            Launcher.Arguments a = launcher.arguments().add(out);
            for (int k = 0; k < 3; k++) {
                a.addOrNone(k < inputs.length ? inputs[k] : null);
            }
            a.add(scalar(scalars, 0)).add(scalar(scalars, 1)).add(n).add(op.ordinal()).add(inputs.length);
            String name = ComputeType.of(op, scalars, out.dtype(), inputs).of("elements");
            launcher.launch(general.function(name), launcher.blocks(n, BLOCK), BLOCK, stream, a);
        }
    }

    private PtxModule.Function contiguous(ElementOp op) {
        PtxModule.Function f = contiguous[op.ordinal()];
        if (f == null) {
            f = fast.function("contiguous_" + op.name());
            contiguous[op.ordinal()] = f;
        }
        return f;
    }

    private static boolean copies(ElementOp op, Operand out, Operand[] inputs) {
        return op == ElementOp.COPY && inputs[0].dtype() == out.dtype() && out.isContiguous()
                && inputs[0].isContiguous();
    }

    private void halves(String kernel, DType half, double[] scalars, Operand out, Operand[] inputs, long stream) {
        Launcher.Arguments a = launcher.arguments().add(out.address());
        for (int k = 0; k < 3; k++) {
            a.add(k < inputs.length ? inputs[k].address() : 0L);
        }
        long n = out.count();
        a.add(n).add((float) scalar(scalars, 0)).add((float) scalar(scalars, 1)).add(half == DType.BFLOAT16 ? 1 : 0);
        launcher.launch(halves.function(kernel), Math.max(1, (n / OCTET + BLOCK - 1) / BLOCK), BLOCK, stream, a);
    }

    private static boolean isHalf(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    }

    private static boolean arePlain(DType dtype, Operand out, Operand[] inputs) {
        boolean plain = isPlain(dtype, out);
        for (Operand input : inputs) {
            plain &= isPlain(dtype, input);
        }
        return plain;
    }

    private static boolean isPlain(Operand o) {
        return isPlain(DType.FLOAT32, o);
    }

    private static boolean isPlain(DType dtype, Operand o) {
        return o.dtype() == dtype && o.address() % QUAD == 0 && o.isContiguous();
    }

    private static long blocksOfQuads(long n) {
        return Math.max(1, (n / 4 + 2 * BLOCK - 1) / (2 * BLOCK));
    }

    /** The length of the one row that an operand repeats, if it is float32 and whole quads; else 0. */
    private static long rowWidth(Operand o) {
        int rank = o.shape().length;
        if (rank < 2 || o.dtype() != DType.FLOAT32 || o.strides()[rank - 1] != 1 || o.address() % QUAD != 0) {
            return 0;
        }
        for (int d = 0; d < rank - 1; d++) {
            if (o.strides()[d] != 0 && o.shape()[d] != 1) {
                return 0;
            }
        }
        long width = o.shape()[rank - 1];
        return width % 4 == 0 ? width : 0;
    }

    private static double scalar(double[] scalars, int i) {
        return i < scalars.length ? scalars[i] : 0;
    }

    void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        int first = 0;
        while (first < outs.length) {
            if (!isFloats(outs[first], inputs[first])) {
                run(op, scalars.length == 1 ? scalars[0] : scalars[first], outs[first], inputs[first], stream);
                first++;
                continue;
            }
            int end = first;
            long most = 0;
            while (end < outs.length && end - first < TENSORS_PER_LAUNCH && isFloats(outs[end], inputs[end])) {
                most = Math.max(most, outs[end++].count());
            }
            launch(op, scalars, outs, inputs, first, end, most, stream);
            first = end;
        }
    }

    private void launch(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, int first, int end,
            long most, long stream) {
        if (most == 0) {
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(op.ordinal()).add(op.inputs());
        for (int t = first; t < end; t++) {
            double[] s = scalars.length == 1 ? scalars[0] : scalars[t];
            a.add(outs[t].address());
            for (int k = 0; k < 3; k++) {
                a.add(k < inputs[t].length ? inputs[t][k].address() : 0L);
            }
            a.add(outs[t].count()).add((float) scalar(s, 0)).add((float) scalar(s, 1));
        }
        for (int t = end - first; t < TENSORS_PER_LAUNCH; t++) {
            for (int word = 0; word < 6; word++) {
                a.add(0L);
            }
        }
        long blocks = Math.max(1, Math.min((most + 4 * BLOCK - 1) / (4 * BLOCK), 1024));
        launcher.launch(general.function("foreach_f"), blocks, end - first, 1, BLOCK, 0, stream, a);
    }

    private static boolean isFloats(Operand out, Operand[] inputs) {
        boolean floats = out.dtype() == DType.FLOAT32 && out.isContiguous();
        for (Operand input : inputs) {
            floats &= input.dtype() == DType.FLOAT32 && input.isContiguous();
        }
        return floats;
    }
}
