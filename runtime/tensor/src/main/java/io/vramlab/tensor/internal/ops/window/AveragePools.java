package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.Views;

/** Means of windows of [n, c, …] or [c, …]. */
public final class AveragePools {

    private AveragePools() {
    }

    /**
     * The means.
     *
     * @param padding
     *            whether what was padded counts
     * @param divisor
     *            what the sums are divided by; 0 for the size of the window
     */
    public static TensorImpl of(TensorImpl a, PoolShape p, boolean padding, long divisor) {
        long[] shape = p.output(a.shape(), "avgPool" + p.dims() + "d");
        if (p.dims() == 1) {
            try (Temps t = new Temps()) {
                return Views.squeeze(t.own(of(t.own(Views.unsqueeze(a, -2)), p.lifted(), padding, divisor)), -2);
            }
        }
        try (Temps t = new Temps()) {
            boolean last = MemoryOrder.suggestsChannelsLast(a) && a.rank() == 4;
            TensorImpl x = t.own(MemoryOrder.laid(a, last));
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, last));
            boolean kernel = p.dims() == 2 && padding && divisor == 0;
            if (kernel) {
                a.driver().kernels().avgPool2d(MaxPools.planes(out), MaxPools.planes(x), p.window(), a.stream());
            } else {
                windows(p, a.shape(), shape, padding, divisor).forward(out, x);
            }
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("AvgPool" + p.dims() + "DBackward0", out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        TensorImpl was = n.saved(0);
                        TensorImpl grad = inner.own(MemoryOrder.empty(was, was.shape(), last));
                        TensorImpl dense = inner.own(MemoryOrder.laid(g, last));
                        if (kernel) {
                            Launch.into(ElementOp.FILL, new double[]{0}, grad);
                            g.driver().kernels().avgPool2dBackward(MaxPools.planes(grad), MaxPools.planes(dense),
                                    p.window(), g.stream());
                        } else {
                            windows(p, was.shape(), g.shape(), padding, divisor).backward(grad, dense);
                        }
                        if (Graph.wanted(g)) {
                            // linear: the gradient's gradient is averaged as the input was
                            Graph.recordUnary("AvgPool" + p.dims() + "DBackwardBackward0", grad, g,
                                    (m, second) -> of(second, p, padding, divisor)).differentiable();
                        }
                        return inner.give(grad);
                    }
                });
                node.save(Graph.input(node, a));
            }
            return t.give(out);
        }
    }

    private static Separable windows(PoolShape p, long[] in, long[] out, boolean padding, long divisor) {
        Separable.Axis[] axes = new Separable.Axis[p.dims()];
        int lead = in.length - p.dims();
        for (int d = 0; d < axes.length; d++) {
            // the divisor of all dimensions stands in the first
            double all = divisor == 0 ? 0 : d == 0 ? divisor : 1;
            axes[d] = axis(p, d, Math.toIntExact(in[lead + d]), Math.toIntExact(out[lead + d]), padding, all);
        }
        return new Separable(axes);
    }

    private static Separable.Axis axis(PoolShape p, int d, int in, int cells, boolean padding, double divisor) {
        int[][] from = new int[cells][];
        double[][] weights = new double[cells][];
        for (int c = 0; c < cells; c++) {
            long start = c * p.stride()[d] - p.padding()[d];
            long end = Math.min(start + p.kernel()[d], in + p.padding()[d]);
            int first = (int) Math.max(0, start);
            int count = (int) Math.max(0, Math.min(end, in) - first);
            double by = divisor != 0 ? divisor : padding ? end - start : count;
            from[c] = new int[count];
            weights[c] = new double[count];
            for (int i = 0; i < count; i++) {
                from[c][i] = first + i;
                weights[c][i] = 1 / by;
            }
        }
        return new Separable.Axis(in, from, weights);
    }
}
