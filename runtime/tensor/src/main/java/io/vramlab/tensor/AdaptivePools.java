package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.device.ReduceOp;

/**
 * Pooling into a result of given size: cell i covers the inputs from floor(i size / cells) to ceil((i + 1) size / cells).
 * Each cell is reduced by itself, so that windows may overlap and differ in size.
 */
final class AdaptivePools {

    private AdaptivePools() {
    }

    /** Mean over the last two dimensions; 0 keeps a dimension as it is. */
    static TensorImpl average(TensorImpl a, long height, long width) {
        int rank = requirePlanes("adaptiveAvgPool2d", a);
        long h = height == 0 ? a.shape()[rank - 2] : height;
        long w = width == 0 ? a.shape()[rank - 1] : width;
        if (h == 1 && w == 1) {
            // PyTorch takes the mean, a reduction with its scratch
            return Reductions.mean(a, new int[]{-1, -2}, true);
        }
        long[] shape = a.shape().clone();
        shape[rank - 2] = h;
        shape[rank - 1] = w;
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            cells(x, out, (in, cell) -> x.driver().kernels().reduce(ReduceOp.MEAN, cell.operand(), in.operand(),
                    x.stream()));
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Node node = Graph.recordUnary("AdaptiveAvgPool2DBackward0", out, a, (n, g) -> averageBackward(g, was));
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

    private static TensorImpl averageBackward(TensorImpl g, long[] was) {
        try (Temps t = new Temps()) {
            TensorImpl dense = t.own(Copies.contiguous(g));
            TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
            cells(grad, dense, (in, cell) -> {
                int rank = in.rank();
                double share = 1.0 / (in.shape()[rank - 2] * in.shape()[rank - 1]);
                Launch.into(ElementOp.ADD, new double[]{share}, in, in, cell);
            });
            return t.give(grad);
        }
    }
}
