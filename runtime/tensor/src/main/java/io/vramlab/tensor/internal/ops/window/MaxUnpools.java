package io.vramlab.tensor.internal.ops.window;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Values of a max pool put back where they came from, zeros elsewhere. */
public final class MaxUnpools {

    private MaxUnpools() {
    }

    /** Into the last dimensions, as many as sizes; positions count within a plane. */
    public static TensorImpl of(TensorImpl a, TensorImpl indices, long[] sizes) {
        int dims = sizes.length;
        if (indices.dtype() != io.vramlab.device.DType.INT64 || !Arrays.equals(a.shape(), indices.shape())) {
            throw new TensorException("maxUnpool" + dims + "d was given positions " + indices.describe() + " for "
                    + a.describe() + ": elements in indices should be int64, and of the input's shape.");
        }
        if (dims == 1) {
            try (Temps t = new Temps()) {
                TensorImpl plane = t.own(Views.unsqueeze(a, -1));
                TensorImpl at = t.own(Views.unsqueeze(indices, -1));
                return Views.squeeze(t.own(of(plane, at, new long[]{sizes[0], 1})), -1);
            }
        }
        long[] shape = a.shape().clone();
        System.arraycopy(sizes, 0, shape, a.rank() - dims, dims);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl at = t.own(Copies.contiguous(indices));
            put(out, x, at, dims);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("MaxUnpool" + dims + "DBackward0", out, a, (n, g) -> gather(n, g, dims));
                node.save(Graph.input(node, indices));
            }
            return t.give(out);
        }
    }

    /** The last of those that go to one place stays. */
    private static void put(TensorImpl out, TensorImpl x, TensorImpl indices, int dims) {
        HostLoops.fill(out, () -> {
            double[] v = HostLoops.read(x);
            double[] at = HostLoops.read(indices);
            double[] y = new double[Math.toIntExact(out.count())];
            int from = MaxPools.plane(x, dims);
            int to = MaxPools.plane(out, dims);
            for (int i = 0; i < v.length; i++) {
                if (at[i] < 0 || at[i] >= to) {
                    throw new TensorException("maxUnpool" + dims + "d found an invalid max index: " + (long) at[i]
                            + " is outside of a plane of " + to + " elements.");
                }
                y[i / from * to + (int) at[i]] = v[i];
            }
            return y;
        });
    }

    private static TensorImpl gather(Node n, TensorImpl g, int dims) {
        try (Temps t = new Temps()) {
            TensorImpl indices = n.saved(0);
            TensorImpl grad = t.own(TensorImpl.empty(g.device(), g.dtype(), indices.shape()));
            TensorImpl dense = t.own(Copies.contiguous(g));
            HostLoops.fill(grad, () -> {
                double[] v = HostLoops.read(dense);
                double[] at = HostLoops.read(indices);
                double[] y = new double[at.length];
                int from = MaxPools.plane(dense, dims);
                int to = MaxPools.plane(indices, dims);
                for (int i = 0; i < y.length; i++) {
                    y[i] = v[i / to * from + (int) at[i]];
                }
                return y;
            });
            return t.give(grad);
        }
    }
}
