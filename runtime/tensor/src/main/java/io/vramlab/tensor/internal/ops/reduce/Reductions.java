package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.ReductionScratch;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;

/** Sums, means, extremes and norms over some or all dimensions. */
public final class Reductions {

    /** All dimensions. */
    public static final int[] ALL = {};

    private Reductions() {
    }

    public static TensorImpl truth(TensorImpl a, boolean all, int[] dims, boolean keep) {
        return reduce(all ? ReduceOp.ALL : ReduceOp.ANY, a, ReducedDims.mask(a, dims), keep, DType.BOOL);
    }

    /** Mean into an existing tensor, in the pass that made the variance: no memory of its own. */
    public static void meanInto(TensorImpl out, TensorImpl a, boolean... reduced) {
        long[] kept = ReducedDims.shape(a.shape(), reduced, true);
        a.driver().kernels().reduce(ReduceOp.MEAN,
                new Operand(out.operand().address(), out.dtype(), kept, Shape.contiguous(kept)), a.operand(),
                a.stream());
    }

    /** The result first, then a conversion if integers need one, then the scratch, as PyTorch. */
    public static TensorImpl reduce(ReduceOp op, TensorImpl in, boolean[] reduced, boolean keep, DType out) {
        long[] kept = ReducedDims.shape(in.shape(), reduced, true);
        try (Temps t = new Temps()) {
            TensorImpl result = t.own(TensorImpl.empty(in.device(), out, ReducedDims.shape(in.shape(), reduced, keep)));
            TensorImpl source = in;
            if (op == ReduceOp.SUM && in.dtype() != out && !in.dtype().isFloatingPoint()) {
                source = t.own(Launch.unary(ElementOp.COPY, in, out));
            }
            Operand target = new Operand(result.operand().address(), out, kept, Shape.contiguous(kept));
            run(op, target, source, reduced);
            return t.give(result);
        }
    }

    /** A sum in another dtype: of another size than its inputs', they are converted first. */
    public static TensorImpl reduceAs(TensorImpl in, boolean[] reduced, DType out) {
        try (Temps t = new Temps()) {
            TensorImpl result = t
                    .own(TensorImpl.empty(in.device(), out, ReducedDims.shape(in.shape(), reduced, false)));
            long[] kept = ReducedDims.shape(in.shape(), reduced, true);
            TensorImpl source = t.own(Launch.unary(ElementOp.COPY, in, out));
            run(ReduceOp.SUM, new Operand(result.operand().address(), out, kept, Shape.contiguous(kept)), source,
                    reduced);
            return t.give(result);
        }
    }

    /** Mean or sum of everything into an existing scalar. */
    public static void reduceInto(boolean mean, TensorImpl out, TensorImpl in) {
        boolean[] all = ReducedDims.mask(in, ALL);
        long[] ones = ReducedDims.shape(in.shape(), all, true);
        run(mean ? ReduceOp.MEAN : ReduceOp.SUM,
                new Operand(out.operand().address(), out.dtype(), ones, Shape.contiguous(ones)), in, all);
    }

    static void run(ReduceOp op, Operand target, TensorImpl in, boolean[] reduced) {
        withScratch(in, reduced, Accumulator.bytes(op, in.dtype()),
                () -> in.driver().kernels().reduce(op, target, in.operand(), in.stream()));
    }

    /** Runs a kernel while what PyTorch's reduction of that tensor takes besides its result is taken. */
    public static void withScratch(TensorImpl in, boolean[] reduced, int accumulator, Runnable kernel) {
        Scratch.during(in, device -> ReductionScratch.of(in.operand(), reduced, accumulator, device).footprint(),
                kernel);
    }
}
