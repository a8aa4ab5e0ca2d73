package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import java.util.Arrays;

/**
 * The largest of each window of [n, c, …] or [c, …]. The positions, int64, count within a plane; they are made whether
 * someone asks for them or not, as in PyTorch.
 */
public final class MaxPools {

    /** Given to {@link #of}: takes the positions, held once by who asked. */
    public static final class Positions {
        public TensorImpl held;
    }

    private MaxPools() {
    }

    public static TensorImpl of(TensorImpl a, PoolShape p, Positions wanted) {
        if (p.dims() == 1) {
            p.output(a.shape(), "maxPool1d");
            return lifted(a, p, wanted);
        }
        String what = "maxPool" + p.dims() + "d";
        long[] shape = p.output(a.shape(), what);
        try (Temps t = new Temps()) {
            boolean last = MemoryOrder.suggestsChannelsLast(a) && a.rank() == 4;
            TensorImpl x = t.own(MemoryOrder.laid(a, last));
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, last));
            TensorImpl indices = t.own(last
                    ? TensorImpl.emptyStrided(a.device(), DType.INT64, shape, MemoryOrder.channelsLast(shape))
                    : TensorImpl.empty(a.device(), DType.INT64, shape));
            if (p.dims() == 2) {
                a.driver().kernels().maxPool2d(planes(out), planes(indices), planes(x), p.window(), a.stream());
            } else {
                volume(x, out, indices, p);
            }
            if (Graph.wanted(a)) {
                tie(a, out, x, indices, p);
            }
            if (wanted != null) {
                wanted.held = indices.retain();
            }
            return t.give(out);
        }
    }

    /** Of one dimension, as of planes of one line. */
    private static TensorImpl lifted(TensorImpl a, PoolShape p, Positions wanted) {
        try (Temps t = new Temps()) {
            TensorImpl plane = t.own(Views.unsqueeze(a, -2));
            TensorImpl out = Views.squeeze(t.own(of(plane, p.lifted(), wanted)), -2);
            if (wanted != null) {
                TensorImpl lines = t.own(wanted.held);
                wanted.held = Views.squeeze(lines, -2);
            }
            return out;
        }
    }

    /** [c, h, w] as [1, c, h, w]. */
    static Operand planes(TensorImpl a) {
        Operand o = a.operand();
        return a.rank() != 3
                ? o
                : new Operand(o.address(), o.dtype(), Views.insert(o.shape(), 0, 1),
                        Views.insert(o.strides(), 0, a.count()));
    }

    private static void tie(TensorImpl a, TensorImpl out, TensorImpl x, TensorImpl indices, PoolShape p) {
        String name = p.dims() == 2 ? "MaxPool2DWithIndicesBackward0" : "MaxPool3DWithIndicesBackward0";
        Node node = Graph.recordUnary(name, out, a, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl was = n.saved(0);
                TensorImpl at = n.saved(1);
                boolean last = MemoryOrder.suggestsChannelsLast(was) && was.rank() == 4;
                if (p.dims() == 2) {
                    TensorImpl grad = t.own(MemoryOrder.empty(was, was.shape(), last));
                    TensorImpl dense = t.own(MemoryOrder.laid(g, last));
                    Launch.into(ElementOp.FILL, new double[]{0}, grad);
                    g.driver().kernels().maxPool2dBackward(planes(grad), planes(dense), planes(at), p.window(),
                            g.stream());
                    return t.give(tied(grad, g, was, at, p.dims()));
                }
                TensorImpl grad = t.own(TensorImpl.empty(was.device(), was.dtype(), was.shape()));
                TensorImpl dense = t.own(Copies.contiguous(g));
                scatter(grad, dense, at, p.dims());
                return t.give(tied(grad, g, was, at, p.dims()));
            }
        });
        node.save(Graph.input(node, x), Graph.input(node, indices));
    }

    /** The gradient's own: what lies where the largest lay, PyTorch's max_pool_double_backward. */
    private static TensorImpl tied(TensorImpl grad, TensorImpl g, TensorImpl was, TensorImpl at, int dims) {
        if (Graph.wanted(g, was)) {
            String name = "MaxPool" + dims + "DWithIndicesBackwardBackward0";
            Node node = Graph.record(name, grad, (n, second) -> {
                try (Temps t = new Temps()) {
                    TensorImpl incoming = n.wants(0) ? t.own(found(second, n.saved(0), dims)) : null;
                    TensorImpl input = n.wants(1) ? t.own(Factories.zerosLike(second)) : null;
                    return t.give(incoming, input);
                }
            }, g, was).differentiable();
            node.save(Graph.input(node, at));
        }
        return grad;
    }

    private static TensorImpl found(TensorImpl second, TensorImpl at, int dims) {
        try (Temps t = new Temps()) {
            long[] flat = Arrays.copyOf(at.shape(), at.rank() - dims + 1);
            flat[flat.length - 1] = -1;
            TensorImpl index = t.own(Views.reshape(at, flat));
            TensorImpl from = t.own(Views.reshape(second, flat));
            return Views.view(t.own(Lookup.gather(from, -1, index)), at.shape());
        }
    }

    /** Adds each element where its position says; the last {@code dims} dimensions are a plane. */
    static void scatter(TensorImpl out, TensorImpl values, TensorImpl indices, int dims) {
        HostLoops.fill(out, () -> {
            double[] v = HostLoops.read(values);
            double[] at = HostLoops.read(indices);
            double[] y = new double[Math.toIntExact(out.count())];
            int from = plane(values, dims);
            int to = plane(out, dims);
            for (int i = 0; i < v.length; i++) {
                y[i / from * to + (int) at[i]] += v[i];
            }
            return y;
        });
    }

    static int plane(TensorImpl a, int dims) {
        return Math.toIntExact(Arrays.stream(a.shape()).skip(a.rank() - dims).reduce(1, (x, y) -> x * y));
    }

    private static void volume(TensorImpl x, TensorImpl out, TensorImpl indices, PoolShape p) {
        if (out.count() == 0 || !out.driver().kernels().computes()) {
            return;
        }
        double[] in = HostLoops.read(x);
        double[] y = new double[Math.toIntExact(out.count())];
        double[] at = new double[y.length];
        long[] from = Arrays.copyOfRange(x.shape(), x.rank() - 3, x.rank());
        long[] to = Arrays.copyOfRange(out.shape(), out.rank() - 3, out.rank());
        int plane = plane(x, 3);
        for (int i = 0; i < y.length; i++) {
            Interruptible.check(i);
            int base = (int) (i / (to[0] * to[1] * to[2])) * plane;
            long best = largest(in, base, from, new long[]{i / to[2] / to[1] % to[0], i / to[2] % to[1], i % to[2]}, p);
            at[i] = best;
            y[i] = in[base + (int) best];
        }
        HostLoops.fill(out, () -> y);
        HostLoops.fill(indices, () -> at);
    }

    private static long largest(double[] in, int base, long[] from, long[] cell, PoolShape p) {
        long[] first = new long[3];
        long[] end = new long[3];
        for (int d = 0; d < 3; d++) {
            long start = cell[d] * p.stride()[d] - p.padding()[d];
            end[d] = Math.min(start + (p.kernel()[d] - 1) * p.dilation()[d] + 1, from[d]);
            first[d] = start < 0 ? start + Math.ceilDiv(-start, p.dilation()[d]) * p.dilation()[d] : start;
        }
        long best = (first[0] * from[1] + first[1]) * from[2] + first[2];
        for (long z = first[0]; z < end[0]; z += p.dilation()[0]) {
            for (long r = first[1]; r < end[1]; r += p.dilation()[1]) {
                for (long c = first[2]; c < end[2]; c += p.dilation()[2]) {
                    long at = (z * from[1] + r) * from[2] + c;
                    double v = in[base + (int) at];
                    if (v > in[base + (int) best] || v != v) {
                        best = at;
                    }
                }
            }
        }
        return best;
    }
}
