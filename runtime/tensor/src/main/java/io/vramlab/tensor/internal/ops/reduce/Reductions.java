package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.ReductionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Sums, means, extremes and norms over some or all dimensions. */
public final class Reductions {

    /** Bytes of a partial result that is a value and its position. */

    /** All dimensions. */
    public static final int[] ALL = {};

    private Reductions() {
    }

    public static TensorImpl sum(TensorImpl a, int[] dims, boolean keep) {
        DType out = a.dtype().isFloatingPoint() ? a.dtype() : DType.INT64;
        boolean[] reduced = mask(a, dims);
        TensorImpl result = reduce(ReduceOp.SUM, a, reduced, keep, out);
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Graph.recordUnary(dims.length == 0 ? "SumBackward0" : "SumBackward1", result, a,
                    (n, g) -> spread(g, shape, reduced, keep));
        }
        return result;
    }

    public static TensorImpl mean(TensorImpl a, int[] dims, boolean keep) {
        if (!a.dtype().isFloatingPoint()) {
            throw new TensorException(
                    "mean(): could not infer output dtype. Input dtype must be a floating point type, "
                            + "but it is " + a.dtype() + ": convert with to(FLOAT32).");
        }
        boolean[] reduced = mask(a, dims);
        TensorImpl result = reduce(ReduceOp.MEAN, a, reduced, keep, a.dtype());
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            double count = inputs(shape, reduced);
            Graph.recordUnary(dims.length == 0 ? "MeanBackward0" : "MeanBackward1", result, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    return Elementwise.div(t.own(spread(g, shape, reduced, keep)), count);
                }
            });
        }
        return result;
    }

    /** The gradient of a sum: the incoming one, seen at every summand. A view, no memory. */
    public static TensorImpl spread(TensorImpl g, long[] shape, boolean[] reduced, boolean keep) {
        if (Graph.wanted(g)) {
            try (Temps t = new Temps()) {
                return Views.expand(t.own(unsqueezed(g, reduced, keep)), shape);
            }
        }
        long[] strides = new long[shape.length];
        int from = g.rank();
        // as unsqueeze and expand lay it out: a dimension of one keeps the stride of what lies inside it, but a scalar's is 0
        long inside = 1;
        for (int d = shape.length - 1; d >= 0 && g.rank() > 0; d--) {
            if (!reduced[d] || keep) {
                from--;
                inside = g.shape()[from] * g.strides()[from];
                strides[d] = shape[d] != 1 && reduced[d] ? 0 : g.strides()[from];
            } else {
                strides[d] = shape[d] == 1 ? inside : 0;
            }
        }
        return g.alias(shape, strides, g.offset()).markView(g);
    }

    /** With a dimension of one for each that went, as part of the graph; the one of everything stays a scalar. */
    private static TensorImpl unsqueezed(TensorImpl a, boolean[] reduced, boolean keep) {
        TensorImpl out = a.retain();
        for (int d = 0; d < reduced.length && !keep && a.rank() > 0; d++) {
            if (reduced[d]) {
                TensorImpl before = out;
                out = Views.unsqueeze(before, d);
                before.release();
            }
        }
        return out;
    }

    private static int[] dims(boolean... reduced) {
        return IntStream.range(0, reduced.length).filter(d -> reduced[d]).toArray();
    }

    public static double inputs(long[] shape, boolean[] reduced) {
        double n = 1;
        for (int d = 0; d < shape.length; d++) {
            n *= reduced[d] ? shape[d] : 1;
        }
        return n;
    }

    /** Largest or smallest of all elements, or along dimensions (amax, amin). */
    public static TensorImpl extreme(TensorImpl a, boolean largest, int[] dims, boolean keep) {
        boolean[] reduced = mask(a, dims);
        if (a.count() == 0) {
            throw new TensorException((largest ? "max" : "min") + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": it has no elements, so it has no extreme.");
        }
        ReduceOp op = largest ? ReduceOp.MAX : ReduceOp.MIN;
        TensorImpl result = dims.length == 0
                ? overContiguous(op, a, reduced)
                : reduce(op, a, reduced, keep, a.dtype());
        if (Graph.wanted(a)) {
            String name = (largest ? dims.length == 0 ? "Max" : "Amax" : dims.length == 0 ? "Min" : "Amin")
                    + (dims.length == 0 ? "Backward1" : "Backward0");
            Node node = Graph.recordUnary(name, result, a, dims.length == 0
                    ? Reductions::distribute
                    : (n, g) -> distributeAlong(n, g, reduced, keep));
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** Ties the one extreme or middle of all elements to the graph. */
    public static TensorImpl tieExtreme(String name, TensorImpl a, TensorImpl result) {
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary(name, result, a, Reductions::distribute);
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** Shares the gradient evenly among all elements equal to the extreme: PyTorch's evenly_distribute_backward. */
    private static TensorImpl distribute(Node n, TensorImpl g) {
        TensorImpl x = n.saved(0);
        TensorImpl extreme = n.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl nan = t.own(Launch.binary(ElementOp.NE, x, x, DType.BOOL));
            TensorImpl extremeNan = t.own(Launch.binary(ElementOp.NE, extreme, extreme, DType.BOOL));
            Launch.into(ElementOp.AND, Launch.NONE, nan, nan, extremeNan);
            TensorImpl mask = t.own(Launch.binary(ElementOp.EQ, x, extreme, DType.BOOL));
            Launch.into(ElementOp.OR, Launch.NONE, mask, mask, nan);
            TensorImpl ties = t.own(sum(mask, ALL, false));
            TensorImpl share = t.own(Elementwise.div(g, ties));
            return Elementwise.mul(mask, share);
        }
    }

    /** The same along dimensions: PyTorch's scale_grad_by_count. */
    private static TensorImpl distributeAlong(Node n, TensorImpl g, boolean[] reduced, boolean keep) {
        TensorImpl x = n.saved(0);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(keepDims(g, x.shape(), reduced, keep));
            TensorImpl extreme = t.own(keepDims(n.saved(1), x.shape(), reduced, keep));
            TensorImpl mask = t.own(Launch.binary(ElementOp.EQ, x, extreme, DType.BOOL));
            TensorImpl ties = t.own(reduce(ReduceOp.SUM, mask, reduced, true, DType.INT64));
            TensorImpl share = t.own(Elementwise.div(grad, ties));
            return Elementwise.mul(share, mask);
        }
    }

    public static TensorImpl keepDims(TensorImpl a, long[] shape, boolean[] reduced, boolean keep) {
        if (keep) {
            return a.retain();
        }
        if (Graph.wanted(a)) {
            return unsqueezed(a, reduced, false);
        }
        long[] sizes = shape.clone();
        long[] strides = new long[shape.length];
        int from = 0;
        for (int d = 0; d < shape.length; d++) {
            sizes[d] = reduced[d] ? 1 : shape[d];
            strides[d] = reduced[d] ? 1 : a.strides()[from++];
        }
        return a.alias(sizes, strides, a.offset());
    }

    public static TensorImpl argExtreme(TensorImpl a, boolean largest, int[] dims, boolean keep) {
        return reduce(largest ? ReduceOp.ARGMAX : ReduceOp.ARGMIN, a, mask(a, dims), keep, DType.INT64);
    }

    public static TensorImpl truth(TensorImpl a, boolean all, int[] dims, boolean keep) {
        return reduce(all ? ReduceOp.ALL : ReduceOp.ANY, a, mask(a, dims), keep, DType.BOOL);
    }

    public static TensorImpl norm(TensorImpl a, int[] dims, boolean keep) {
        return norm(a, dims, keep, Promotion.floating(a.dtype()));
    }

    static TensorImpl norm(TensorImpl a, int[] dims, boolean keep, DType dtype) {
        boolean[] reduced = mask(a, dims);
        TensorImpl result = reduce(ReduceOp.NORM2, a, reduced, keep, dtype);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LinalgVectorNormBackward0", result, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl norm = t.own(keepDims(n.saved(1), n.saved(0).shape(), reduced, keep));
                    TensorImpl grad = t.own(keepDims(g, n.saved(0).shape(), reduced, keep));
                    return as(n.saved(0), normBackward(grad, n.saved(0), norm));
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** A gradient in the input's dtype; lets the one that is given go. */
    static TensorImpl as(TensorImpl input, TensorImpl gradient) {
        try (Temps t = new Temps()) {
            return Copies.to(t.own(gradient), input.device(), input.dtype());
        }
    }

    static TensorImpl normBackward(TensorImpl grad, TensorImpl x, TensorImpl norm) {
        try (Temps t = new Temps()) {
            TensorImpl direction = t.own(Elementwise.div(x, norm));
            TensorImpl zeros = t.own(Launch.unary(ElementOp.EQ_SCALAR, norm, DType.BOOL, 0));
            InPlace.maskedFill(direction, zeros, 0);
            return Elementwise.mul(grad, direction);
        }
    }

    public static TensorImpl var(TensorImpl a, int[] dims, boolean keep, double correction) {
        boolean[] reduced = mask(a, dims);
        TensorImpl result = variance(a, reduced, keep, Promotion.floating(a.dtype()), correction);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("VarBackward0", result, a,
                    (n, g) -> varBackward(g, n.saved(0), reduced, keep, correction));
            node.save(Graph.input(node, a));
        }
        return result;
    }

    /** Largest along dimensions, kept, outside the graph. */
    public static TensorImpl extremeAlong(TensorImpl a, boolean... reduced) {
        return reduce(ReduceOp.MAX, a, reduced, true, a.dtype());
    }

    public static long[] resultShape(TensorImpl a, boolean[] reduced, boolean keep) {
        return shape(a.shape(), reduced, keep);
    }

    /** Variance into an existing tensor. */
    public static void varianceInto(TensorImpl out, TensorImpl a, boolean[] reduced, double correction) {
        long[] kept = shape(a.shape(), reduced, true);
        run(ReduceOp.VAR, new Operand(out.operand().address(), out.dtype(), kept, Shape.contiguous(kept)), a, reduced);
        correct(out, a, reduced, correction);
    }

    /** Mean into an existing tensor, in the pass that made the variance: no memory of its own. */
    public static void meanInto(TensorImpl out, TensorImpl a, boolean... reduced) {
        long[] kept = shape(a.shape(), reduced, true);
        a.driver().kernels().reduce(ReduceOp.MEAN,
                new Operand(out.operand().address(), out.dtype(), kept, Shape.contiguous(kept)), a.operand(),
                a.stream());
    }

    private static void correct(TensorImpl result, TensorImpl a, boolean[] reduced, double correction) {
        if (correction != 1) {
            double n = inputs(a.shape(), reduced);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{(n - 1) / (n - correction)}, result, result);
        }
    }

    /** The kernel divides by n - 1; another correction is a factor on its result. */
    static TensorImpl variance(TensorImpl a, boolean[] reduced, boolean keep, DType dtype, double correction) {
        TensorImpl result = reduce(ReduceOp.VAR, a, reduced, keep, dtype);
        correct(result, a, reduced, correction);
        return result;
    }

    public static TensorImpl varBackward(TensorImpl g, TensorImpl x, boolean[] reduced, boolean keep,
            double correction) {
        double scale = 2 / (inputs(x.shape(), reduced) - correction);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(keepDims(g, x.shape(), reduced, keep));
            TensorImpl mean = t.own(Graph.wanted(x)
                    ? mean(x, dims(reduced), true)
                    : reduce(ReduceOp.MEAN, x, reduced, true, x.dtype()));
            TensorImpl centred = t.own(Elementwise.sub(x, mean, 1));
            TensorImpl scaled = t.own(Elementwise.mul(grad, scale, false));
            return Elementwise.mul(scaled, centred);
        }
    }

    /** Sums a gradient down to the shape that was broadcast to its own; takes over the hold on {@code g}. */
    public static TensorImpl sumTo(TensorImpl g, long[] shape) {
        try {
            int lead = g.rank() - shape.length;
            boolean[] reduced = new boolean[g.rank()];
            boolean any = false;
            for (int d = 0; d < g.rank(); d++) {
                reduced[d] = d < lead || shape[d - lead] == 1 && g.shape()[d] != 1;
                any |= reduced[d];
            }
            if (!any) {
                return g.retain();
            }
            if (shape.length == 0) {
                Arrays.fill(reduced, true);
            }
            if (Graph.wanted(g)) {
                return shape.length == 0 ? sum(g, ALL, false) : recordedSumTo(g, shape, reduced);
            }
            if (shape.length == 0) {
                // at::sum_to: a plain sum, of which no view is made, so that another gradient can be added to it in place
                return reduce(ReduceOp.SUM, g, reduced, false, g.dtype());
            }
            TensorImpl kept = reduce(ReduceOp.SUM, g, reduced, true, g.dtype());
            if (lead == 0) {
                return kept;
            }
            TensorImpl out = kept.alias(shape, Shape.contiguous(shape), 0).markView(kept);
            kept.release();
            return out;
        } finally {
            g.release();
        }
    }

    private static TensorImpl recordedSumTo(TensorImpl g, long[] shape, boolean... reduced) {
        try (Temps t = new Temps()) {
            TensorImpl kept = t.own(sum(g, dims(reduced), true));
            return g.rank() == shape.length ? t.give(kept) : Views.view(kept, shape);
        }
    }

    /** All dimensions by name where none is named: amax shares gradients in another way than max. */
    public static int[] named(TensorImpl a, int... dims) {
        return dims.length > 0 ? dims : IntStream.range(0, a.rank()).toArray();
    }

    /** Which dimensions go; none named means all. */
    public static boolean[] mask(TensorImpl a, int[] dims) {
        boolean[] reduced = new boolean[a.rank()];
        if (dims.length == 0) {
            Arrays.fill(reduced, true);
            return reduced;
        }
        for (int dim : dims) {
            int d = Shape.dim(dim, a.rank());
            if (a.rank() > 0) {
                if (reduced[d]) {
                    throw new TensorException("dim " + d + " appears multiple times in the list of dims "
                            + Arrays.toString(dims) + ": name each once.");
                }
                reduced[d] = true;
            }
        }
        return reduced;
    }

    private static long[] shape(long[] in, boolean[] reduced, boolean keep) {
        long[] out = new long[in.length];
        int n = 0;
        for (int d = 0; d < in.length; d++) {
            if (!reduced[d] || keep) {
                out[n++] = reduced[d] ? 1 : in[d];
            }
        }
        return Arrays.copyOf(out, n);
    }

    /** The result first, then a conversion if integers need one, then the scratch, as PyTorch. */
    public static TensorImpl reduce(ReduceOp op, TensorImpl in, boolean[] reduced, boolean keep, DType out) {
        long[] kept = shape(in.shape(), reduced, true);
        try (Temps t = new Temps()) {
            TensorImpl result = t.own(TensorImpl.empty(in.device(), out, shape(in.shape(), reduced, keep)));
            TensorImpl source = in;
            if (op == ReduceOp.SUM && in.dtype() != out && !in.dtype().isFloatingPoint()) {
                source = t.own(Launch.unary(ElementOp.COPY, in, out));
            }
            Operand target = new Operand(result.operand().address(), out, kept, Shape.contiguous(kept));
            run(op, target, source, reduced);
            return t.give(result);
        }
    }

    /** Of everything; as PyTorch's max and min, over a contiguous copy if the memory is not. */
    private static TensorImpl overContiguous(ReduceOp op, TensorImpl a, boolean[] all) {
        try (Temps t = new Temps()) {
            TensorImpl result = t.own(TensorImpl.empty(a.device(), a.dtype()));
            TensorImpl dense = t.own(Copies.contiguous(a));
            long[] ones = shape(a.shape(), all, true);
            run(op, new Operand(result.operand().address(), a.dtype(), ones, Shape.contiguous(ones)), dense, all);
            return t.give(result);
        }
    }

    /** A sum in another dtype: of another size than its inputs', they are converted first. */
    public static TensorImpl reduceAs(TensorImpl in, boolean[] reduced, DType out) {
        try (Temps t = new Temps()) {
            TensorImpl result = t.own(TensorImpl.empty(in.device(), out, shape(in.shape(), reduced, false)));
            long[] kept = shape(in.shape(), reduced, true);
            TensorImpl source = t.own(Launch.unary(ElementOp.COPY, in, out));
            run(ReduceOp.SUM, new Operand(result.operand().address(), out, kept, Shape.contiguous(kept)), source,
                    reduced);
            return t.give(result);
        }
    }

    /** Both extremes of all in one pass: one accumulator holds both. */
    public static void bothExtremes(TensorImpl least, TensorImpl most, TensorImpl in) {
        boolean[] all = mask(in, ALL);
        long[] ones = shape(in.shape(), all, true);
        withScratch(in, all, 2 * in.dtype().bytes(), () -> {
            in.driver().kernels().reduce(ReduceOp.MIN,
                    new Operand(least.operand().address(), in.dtype(), ones, Shape.contiguous(ones)), in.operand(),
                    in.stream());
            in.driver().kernels().reduce(ReduceOp.MAX,
                    new Operand(most.operand().address(), in.dtype(), ones, Shape.contiguous(ones)), in.operand(),
                    in.stream());
        });
    }

    /** Mean or sum of everything into an existing scalar. */
    public static void reduceInto(boolean mean, TensorImpl out, TensorImpl in) {
        boolean[] all = mask(in, ALL);
        long[] ones = shape(in.shape(), all, true);
        run(mean ? ReduceOp.MEAN : ReduceOp.SUM,
                new Operand(out.operand().address(), out.dtype(), ones, Shape.contiguous(ones)), in, all);
    }

    /** The Euclidean norm of everything into an existing scalar, without scratch. */
    public static void normInto(TensorImpl out, TensorImpl in) {
        boolean[] all = mask(in, ALL);
        long[] ones = shape(in.shape(), all, true);
        Operand target = new Operand(out.operand().address(), out.dtype(), ones, Shape.contiguous(ones));
        in.driver().kernels().reduce(ReduceOp.NORM2, target, in.operand(), in.stream());
    }

    private static void run(ReduceOp op, Operand target, TensorImpl in, boolean[] reduced) {
        withScratch(in, reduced, Accumulator.bytes(op, in.dtype()),
                () -> in.driver().kernels().reduce(op, target, in.operand(), in.stream()));
    }

    /** Runs a kernel while what PyTorch's reduction of that tensor takes besides its result is taken. */
    public static void withScratch(TensorImpl in, boolean[] reduced, int accumulator, Runnable kernel) {
        Scratch.during(in, device -> ReductionScratch.of(in.operand(), reduced, accumulator, device).footprint(),
                kernel);
    }
}
