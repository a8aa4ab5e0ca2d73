package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Interruptible;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Pooling into a result of given size: cell i covers the inputs from floor(i size / cells) to ceil((i + 1) size / cells).
 * Each cell is reduced by itself, so that windows may overlap and differ in size.
 */
public final class AdaptivePools {

    private AdaptivePools() {
    }

    /** PyTorch has the mean of channels side by side seen so once more, which a single place does not show. */
    private static TensorImpl inOrder(TensorImpl mean, TensorImpl a) {
        if (!MemoryOrder.suggestsChannelsLast(a)) {
            return mean;
        }
        try (Temps t = new Temps()) {
            t.own(mean);
            long c = a.shape()[1];
            return MoreViews.asStrided(mean, mean.shape(), new long[]{c, 1, c, c}, mean.offset());
        }
    }

    /** Mean over the last two dimensions; 0 keeps a dimension as it is. */
    public static TensorImpl average(TensorImpl a, long height, long width) {
        int rank = requirePlanes("adaptiveAvgPool2d", a);
        long h = height == 0 ? a.shape()[rank - 2] : height;
        long w = width == 0 ? a.shape()[rank - 1] : width;
        if (h == 1 && w == 1) {
            // PyTorch takes the mean, a reduction with its scratch
            return inOrder(Sums.mean(a, new int[]{-1, -2}, true), a);
        }
        long[] shape = a.shape().clone();
        shape[rank - 2] = h;
        shape[rank - 1] = w;
        try (Temps t = new Temps()) {
            boolean last = MemoryOrder.suggestsChannelsLast(a);
            TensorImpl x = t.own(MemoryOrder.laid(a, last));
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, last));
            cells(x, out, (in, cell) -> x.driver().kernels().reduce(ReduceOp.MEAN, cell.operand(), in.operand(),
                    x.stream()));
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Node node = Graph.recordUnary("AdaptiveAvgPool2DBackward0", out, a,
                        (n, g) -> averageBackward(g, was, last));
                node.save(Graph.input(node, a));
            }
            return t.give(out);
        }
    }

    private static int requirePlanes(String what, TensorImpl a) {
        if (a.rank() != 3 && a.rank() != 4) {
            throw new TensorException(what + "(): Expected 3D or 4D tensor, but got " + Shape.text(a.shape()) + ".");
        }
        return a.rank();
    }

    private interface Cells {
        void cell(TensorImpl in, TensorImpl out);
    }

    /** Each window of the larger tensor beside its cell of the smaller; the cell has size 1 where the window is reduced. */
    private static void cells(TensorImpl in, TensorImpl out, Cells action) {
        int rank = in.rank();
        long[] from = in.shape();
        long[] to = out.shape();
        for (long i = 0; i < to[rank - 2]; i++) {
            for (long j = 0; j < to[rank - 1]; j++) {
                long top = i * from[rank - 2] / to[rank - 2];
                long bottom = ((i + 1) * from[rank - 2] + to[rank - 2] - 1) / to[rank - 2];
                long left = j * from[rank - 1] / to[rank - 1];
                long right = ((j + 1) * from[rank - 1] + to[rank - 1] - 1) / to[rank - 1];
                try (Temps t = new Temps()) {
                    action.cell(t.own(window(in, top, bottom - top, left, right - left)),
                            t.own(window(out, i, 1, j, 1)));
                }
            }
        }
    }

    private static TensorImpl window(TensorImpl a, long top, long height, long left, long width) {
        int rank = a.rank();
        long[] shape = a.shape().clone();
        shape[rank - 2] = height;
        shape[rank - 1] = width;
        return a.alias(shape, a.strides(),
                a.offset() + top * a.strides()[rank - 2] + left * a.strides()[rank - 1]);
    }

    private static TensorImpl averageBackward(TensorImpl g, long[] was, boolean last) {
        try (Temps t = new Temps()) {
            TensorImpl dense = t.own(last ? g.retain() : Copies.contiguous(g));
            TensorImpl grad = t.own(MemoryOrder.empty(g, was, last));
            Launch.into(ElementOp.FILL, new double[]{0}, grad);
            cells(grad, dense, (in, cell) -> {
                int rank = in.rank();
                double share = 1.0 / (in.shape()[rank - 2] * in.shape()[rank - 1]);
                Launch.into(ElementOp.ADD, new double[]{share}, in, in, cell);
            });
            return t.give(grad);
        }
    }

    /** Mean over the last dimensions, as many as sizes; 0 keeps a dimension as it is. */
    public static TensorImpl averages(TensorImpl a, long[] sizes) {
        if (sizes.length == 2) {
            return average(a, sizes[0], sizes[1]);
        }
        if (sizes.length == 1) {
            try (Temps t = new Temps()) {
                return Views.squeeze(t.own(average(t.own(Views.unsqueeze(a, -2)), 1, sizes[0])), -2);
            }
        }
        long[] shape = sized(a, sizes, "adaptiveAvgPool3d");
        if (Arrays.stream(shape, a.rank() - 3, a.rank()).allMatch(s -> s == 1)) {
            return Sums.mean(a, new int[]{-1, -2, -3}, true);
        }
        Separable.Axis[] axes = new Separable.Axis[3];
        for (int d = 0; d < 3; d++) {
            axes[d] = axis(Math.toIntExact(a.size(d - 3)), Math.toIntExact(shape[a.rank() - 3 + d]));
        }
        Separable cells = new Separable(axes);
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            cells.forward(out, x);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("AdaptiveAvgPool3DBackward0", out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        TensorImpl grad = inner.own(Factories.full(g.device(), g.dtype(), 0, n.saved(0).shape()));
                        TensorImpl dense = inner.own(Copies.contiguous(g));
                        cells.backward(grad, dense);
                        return inner.give(grad);
                    }
                });
                node.save(Graph.input(node, a));
            }
            return t.give(out);
        }
    }

    private static long[] sized(TensorImpl a, long[] sizes, String what) {
        int lead = a.rank() - sizes.length;
        if (lead != 1 && lead != 2) {
            throw new TensorException(what + "(): Expected " + (sizes.length + 1) + "D or " + (sizes.length + 2)
                    + "D tensor, but got " + Shape.text(a.shape()) + ".");
        }
        long[] shape = a.shape().clone();
        for (int d = 0; d < sizes.length; d++) {
            shape[lead + d] = sizes[d] == 0 ? shape[lead + d] : sizes[d];
        }
        return shape;
    }

    private static int start(int cell, int in, int cells) {
        return (int) ((long) cell * in / cells);
    }

    private static int end(int cell, int in, int cells) {
        return (int) Math.ceilDiv((cell + 1L) * in, cells);
    }

    private static Separable.Axis axis(int in, int cells) {
        int[][] from = new int[cells][];
        double[][] weights = new double[cells][];
        for (int c = 0; c < cells; c++) {
            int first = start(c, in, cells);
            int count = end(c, in, cells) - first;
            from[c] = IntStream.range(first, first + count).toArray();
            weights[c] = new double[count];
            Arrays.fill(weights[c], 1.0 / count);
        }
        return new Separable.Axis(in, from, weights);
    }

    /** The largest of each window, with positions in the plane; see {@link #averages}. */
    public static TensorImpl largest(TensorImpl a, long[] sizes, MaxPools.Positions wanted) {
        int dims = sizes.length;
        if (dims == 1) {
            try (Temps t = new Temps()) {
                TensorImpl out = Views.squeeze(
                        t.own(largest(t.own(Views.unsqueeze(a, -2)), new long[]{1, sizes[0]}, wanted)), -2);
                if (wanted != null) {
                    TensorImpl lines = t.own(wanted.held);
                    wanted.held = Views.squeeze(lines, -2);
                }
                return out;
            }
        }
        long[] shape = sized(a, sizes, "adaptiveMaxPool" + dims + "d");
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            TensorImpl x = t.own(Copies.contiguous(a));
            search(x, out, indices, dims);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("AdaptiveMaxPool" + dims + "DBackward0", out, a, (n, g) -> {
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
            if (wanted != null) {
                wanted.held = indices.retain();
            }
            return t.give(out);
        }
    }

    private static void search(TensorImpl x, TensorImpl out, TensorImpl indices, int dims) {
        if (out.count() == 0 || !out.driver().kernels().computes()) {
            return;
        }
        double[] in = HostLoops.read(x);
        double[] y = new double[Math.toIntExact(out.count())];
        double[] at = new double[y.length];
        int[] from = sizes(x, dims);
        int[] to = sizes(out, dims);
        int plane = MaxPools.plane(x, dims);
        int cells = MaxPools.plane(out, dims);
        for (int i = 0; i < y.length; i++) {
            Interruptible.check(i);
            int c = i % cells;
            int best = largest(in, i / cells * plane, from, to,
                    new int[]{c / to[2] / to[1], c / to[2] % to[1], c % to[2]});
            at[i] = best;
            y[i] = in[i / cells * plane + best];
        }
        HostLoops.fill(out, () -> y);
        HostLoops.fill(indices, () -> at);
    }

    /** The last dimensions as three. */
    private static int[] sizes(TensorImpl a, int dims) {
        return new int[]{dims == 3 ? (int) a.size(-3) : 1, (int) a.size(-2), (int) a.size(-1)};
    }

    private static int largest(double[] in, int base, int[] from, int[] to, int[] cell) {
        int best = -1;
        for (int z = start(cell[0], from[0], to[0]); z < end(cell[0], from[0], to[0]); z++) {
            for (int r = start(cell[1], from[1], to[1]); r < end(cell[1], from[1], to[1]); r++) {
                for (int c = start(cell[2], from[2], to[2]); c < end(cell[2], from[2], to[2]); c++) {
                    int now = (z * from[1] + r) * from[2] + c;
                    double v = in[base + now];
                    if (best < 0 || v > in[base + best] || v != v) {
                        best = now;
                    }
                }
            }
        }
        return best;
    }
}
