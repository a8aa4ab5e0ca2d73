package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/**
 * Convolution along the times of [times, batch, channels]: one product into the result for each position of the kernel
 * (PyTorch's conv_tbc, ConvolutionTBC.cpp).
 */
public final class TimeConvolution {

    private final TensorImpl x;
    private final TensorImpl weight;
    private final long pad;
    private final long times;

    private TimeConvolution(TensorImpl x, TensorImpl weight, long pad) {
        this.x = x;
        this.weight = weight;
        this.pad = pad;
        this.times = x.shape()[0] - weight.shape()[0] + 1 + 2 * pad;
    }

    /** Of x [times, batch, in], weight [kernel, in, out], bias [out]; {@code pad} times of zeros on either side. */
    public static TensorImpl of(TensorImpl x, TensorImpl weight, TensorImpl bias, long pad) {
        boolean fits = x.rank() == 3 && weight.rank() == 3 && bias.rank() == 1
                && x.shape()[2] == weight.shape()[1] && weight.shape()[2] == bias.shape()[0];
        if (!fits || pad < 0 || x.shape()[0] + 2 * pad < weight.shape()[0]) {
            throw new TensorException("convTbc of " + Shape.text(x.shape()) + " with a weight of "
                    + Shape.text(weight.shape()) + ", a bias of " + Shape.text(bias.shape()) + " and pad " + pad
                    + " was asked for: it takes [times, batch, in], [kernel, in, out] and [out], and a kernel that fits "
                    + "into the padded times. Transpose the input, or pad more.");
        }
        MatrixOps.requireAlike(x, weight, "convTbc");
        try (Temps t = new Temps()) {
            TimeConvolution c = new TimeConvolution(x, weight, pad);
            TensorImpl out = t.own(TensorImpl.empty(x.device(), x.dtype(), c.times, x.shape()[1], bias.shape()[0]));
            try (GradMode.State off = GradMode.enter(false)) {
                Copies.fill(out, bias);
                c.each((in, position, made) -> MatrixOps.multiply(made.temps, made.of(out), in, position, 1, false), x);
            }
            if (Graph.wanted(x, weight, bias)) {
                Node node = Graph.record("ConvTbcBackward0", out, (n, g) -> backward(n, g, pad), x, weight, bias);
                node.save(Graph.input(node, bias), Graph.input(node, x), Graph.input(node, weight));
            }
            return t.give(out);
        }
    }

    /** The times of the result that a position of the kernel gives something to. */
    private record Times(Temps temps, long first, long count) {

        /** Their rows, as a matrix. */
        TensorImpl of(TensorImpl all) {
            return temps.own(rows(all, first, count));
        }
    }

    private static TensorImpl rows(TensorImpl all, long first, long count) {
        long width = all.shape()[2];
        long step = all.shape()[1] * width;
        return all.alias(new long[]{count * all.shape()[1], width}, new long[]{width, 1}, all.offset() + first * step);
    }

    private interface Step {

        void run(TensorImpl in, TensorImpl position, Times times);
    }

    private void each(Step step, TensorImpl input) {
        try (Temps whole = new Temps()) {
            TensorImpl laid = whole.own(Copies.contiguous(input));
            TensorImpl kernel = whole.own(Copies.contiguous(weight));
            for (long k = 0; k < weight.shape()[0]; k++) {
                long from = Math.max(0, k - pad);
                long to = Math.max(0, pad - k);
                long count = Math.min(x.shape()[0] + pad - k, times) - to;
                if (count > 0) {
                    try (Temps t = new Temps()) {
                        step.run(t.own(rows(laid, from, count)), t.own(position(kernel, k)), new Times(t, to, count));
                    }
                }
            }
        }
    }

    private static TensorImpl position(TensorImpl kernel, long k) {
        long width = kernel.shape()[2];
        long size = kernel.shape()[1] * width;
        return kernel.alias(new long[]{kernel.shape()[1], width}, new long[]{width, 1}, kernel.offset() + k * size);
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, long pad) {
        TensorImpl x = n.saved(1);
        TensorImpl weight = n.saved(2);
        try (Temps t = new Temps()) {
            TimeConvolution c = new TimeConvolution(x, weight, pad);
            TensorImpl grad = t.own(Copies.contiguous(g));
            TensorImpl gradX = t.own(Factories.full(x.device(), x.dtype(), 0, x.shape()));
            c.each((in, position, times) -> MatrixOps.multiply(times.temps, in, times.of(grad),
                    times.temps.own(Views.t(position)), 1, false), gradX);
            TensorImpl gradWeight = t.own(Factories.full(x.device(), x.dtype(), 0, weight.shape()));
            TimeConvolution into = new TimeConvolution(x, gradWeight, pad);
            into.each((in, position, times) -> MatrixOps.multiply(times.temps, position,
                    times.temps.own(Views.t(in)), times.of(grad), 1, false), x);
            TensorImpl gradBias = t.own(Factories.zerosLike(n.saved(0)));
            try (Temps u = new Temps()) {
                boolean[] times = {true, false, false};
                boolean[] batch = {true, false};
                TensorImpl each = u.own(Reductions.reduce(ReduceOp.SUM, grad, times, false, grad.dtype()));
                Copies.fill(gradBias, u.own(Reductions.reduce(ReduceOp.SUM, each, batch, false, grad.dtype())));
            }
            return t.give(gradX, gradWeight, gradBias);
        }
    }
}
