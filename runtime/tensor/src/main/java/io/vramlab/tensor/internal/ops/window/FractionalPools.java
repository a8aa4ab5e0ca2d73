package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.DType;
import io.vramlab.device.Interruptible;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * The largest of windows whose places are drawn: Graham, "Fractional Max-Pooling", 2014. Each plane has a random number for
 * each dimension, from which its windows begin at floor((i + u) alpha) - floor(u alpha).
 */
public final class FractionalPools {

    private FractionalPools() {
    }

    /** Values and positions, [n, c, …]. */
    public static TensorImpl[] of(TensorImpl a, long[] kernel, long[] cells) {
        int dims = cells.length;
        int lead = a.rank() - dims;
        if (lead != 1 && lead != 2) {
            throw new TensorException("fractionalMaxPool" + dims + "d was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": it takes [n, channels, …] or [channels, …].");
        }
        long[] shape = a.shape().clone();
        for (int d = 0; d < dims; d++) {
            shape[lead + d] = cells[d];
            if (cells[d] + kernel[d] - 1 > a.shape()[lead + d]) {
                throw new TensorException("fractional_max_pool" + dims + "d(): pool size (" + kernel[d]
                        + ") too large relative to input size (" + a.shape()[lead + d] + ") for " + cells[d]
                        + " cells. Ask for fewer, or for smaller windows.");
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl samples = t.own(Factories.random(RandomOp.UNIFORM, a.device(), a.dtype(), 0, 1,
                    lead == 2 ? shape[0] : 1, shape[lead - 1], dims));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            TensorImpl x = t.own(Copies.contiguous(a));
            search(x, samples, out, indices, kernel, dims);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("FractionalMaxPool" + dims + "DBackward0", out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        TensorImpl was = n.saved(0);
                        TensorImpl grad = inner.own(TensorImpl.empty(was.device(), was.dtype(), was.shape()));
                        TensorImpl dense = inner.own(Copies.contiguous(g));
                        MaxPools.scatter(grad, dense, n.saved(1), dims);
                        return inner.give(grad);
                    }
                });
                node.save(Graph.input(node, a), Graph.input(node, indices));
            }
            return t.give(out, indices);
        }
    }

    private static void search(TensorImpl x, TensorImpl samples, TensorImpl out, TensorImpl indices, long[] kernel,
            int dims) {
        if (out.count() == 0 || !out.driver().kernels().computes()) {
            return;
        }
        double[] in = HostLoops.read(x);
        double[] drawn = HostLoops.read(samples);
        double[] y = new double[Math.toIntExact(out.count())];
        double[] at = new double[y.length];
        int plane = MaxPools.plane(x, dims);
        int cells = MaxPools.plane(out, dims);
        long[] from = Arrays.copyOfRange(x.shape(), x.rank() - dims, x.rank());
        long[] to = Arrays.copyOfRange(out.shape(), out.rank() - dims, out.rank());
        for (int i = 0; i < y.length; i++) {
            Interruptible.check(i);
            int p = i / cells;
            int rest = i % cells;
            int[] start = new int[dims];
            for (int d = dims - 1; d >= 0; d--) {
                // the samples of a plane are of the last dimension first
                start[d] = start(drawn[p * dims + dims - 1 - d], rest % (int) to[d], from[d], to[d], kernel[d]);
                rest /= (int) to[d];
            }
            int best = largest(in, p * plane, from, start, kernel, 0, 0, -1);
            at[i] = best;
            y[i] = in[p * plane + best];
        }
        HostLoops.fill(out, () -> y);
        HostLoops.fill(indices, () -> at);
    }

    private static int start(double sample, int cell, long in, long cells, long kernel) {
        if (cell == cells - 1 || cells == 1) {
            return (int) (in - kernel);
        }
        double alpha = (double) (in - kernel) / (cells - 1);
        return (int) ((long) ((cell + sample) * alpha) - (long) (sample * alpha));
    }

    private static int largest(double[] in, int base, long[] from, int[] start, long[] kernel, int d, int offset,
            int best) {
        int found = best;
        for (int k = 0; k < kernel[d]; k++) {
            int at = offset * (int) from[d] + start[d] + k;
            if (d < start.length - 1) {
                found = largest(in, base, from, start, kernel, d + 1, at, found);
            } else if (found < 0 || in[base + at] > in[base + found] || Double.isNaN(in[base + at])) {
                found = at;
            }
        }
        return found;
    }
}
