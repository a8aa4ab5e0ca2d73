package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.function.BiConsumer;

/** Sliding windows of [n, c, h, w] as columns, and back by sums (im2col, col2im). */
public final class Unfolding {

    private Unfolding() {
    }

    /** [n, c, h, w] or [c, h, w] as [n, c kh kw, windows]. */
    public static TensorImpl unfold(TensorImpl a, PoolShape p) {
        if (a.rank() == 3) {
            try (Temps t = new Temps()) {
                return Views.squeeze(t.own(unfold(t.own(Views.unsqueeze(a, 0)), p)), 0);
            }
        }
        long[] in = a.shape();
        long[] windows = windows(in, p);
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(resized(a, in[0], in[1] * p.kernel()[0] * p.kernel()[1], windows[0] * windows[1]));
            toColumns(out, x, in, windows, p);
            if (Graph.wanted(a)) {
                Graph.recordUnary("Im2ColBackward0", out, a,
                        (n, g) -> fold(g, new long[]{in[2], in[3]}, p));
            }
            return t.give(out);
        }
    }

    private static void toColumns(TensorImpl out, TensorImpl x, long[] in, long[] windows, PoolShape p) {
        Launch.into(ElementOp.FILL, new double[]{0}, out);
        pairs(out, x, in, windows, p, (column, part) -> Launch.into(ElementOp.COPY, Launch.NONE, column, part));
    }

    /** [n, c kh kw, windows] or [c kh kw, windows] as [n, c, h, w], overlapping windows summed. */
    public static TensorImpl fold(TensorImpl a, long[] size, PoolShape p) {
        if (a.rank() == 2) {
            try (Temps t = new Temps()) {
                return Views.squeeze(t.own(fold(t.own(Views.unsqueeze(a, 0)), size, p)), 0);
            }
        }
        long taps = p.kernel()[0] * p.kernel()[1];
        if (a.rank() != 3 || a.shape()[1] % taps != 0) {
            throw new TensorException("fold with kernel size [" + p.kernel()[0] + ", " + p.kernel()[1]
                    + "] was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": expected size of input's dimension 1 to be divisible by the product of kernel_size.");
        }
        long[] in = {a.shape()[0], a.shape()[1] / taps, size[0], size[1]};
        long[] windows = windows(in, p);
        if (windows[0] * windows[1] != a.shape()[2]) {
            throw new TensorException("fold into " + Shape.text(size) + " was asked of a tensor of shape "
                    + Shape.text(a.shape())
                    + ": expected size of input's dimension 2 to match the calculated number of "
                    + "sliding blocks " + windows[0] + " * " + windows[1] + ".");
        }
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(resized(a, in));
            Launch.into(ElementOp.FILL, new double[]{0}, out);
            pairs(x, out, in, windows, p,
                    (column, part) -> Launch.into(ElementOp.ADD, new double[]{1}, part, part, column));
            if (Graph.wanted(a)) {
                Graph.recordUnary("Col2ImBackward0", out, a, (n, g) -> unfold(g, p));
            }
            return t.give(out);
        }
    }

    /** PyTorch's result begins with the argument's size, is given its own then, and keeps the memory if that is enough. */
    private static TensorImpl resized(TensorImpl a, long... shape) {
        try (Temps t = new Temps()) {
            TensorImpl first = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            return Shape.count(shape) <= a.count()
                    ? first.alias(shape, Shape.contiguous(shape), 0)
                    : TensorImpl.empty(a.device(), a.dtype(), shape);
        }
    }

    private static long[] windows(long[] in, PoolShape p) {
        long[] out = new long[2];
        for (int d = 0; d < 2; d++) {
            long room = in[d + 2] + 2 * p.padding()[d] - p.dilation()[d] * (p.kernel()[d] - 1) - 1;
            out[d] = Math.floorDiv(room, p.stride()[d]) + 1;
            if (out[d] <= 0) {
                throw new TensorException(
                        "unfold: the calculated shape of the array of sliding blocks is not positive: "
                                + "the kernel is larger than the padded input " + Shape.text(in)
                                + ". Use a smaller kernel.");
            }
        }
        return out;
    }

    /** For each position of the kernel: the columns' elements, [n, c, rows, columns], beside the image's. */
    private static void pairs(TensorImpl columns, TensorImpl image, long[] in, long[] windows, PoolShape p,
            BiConsumer<TensorImpl, TensorImpl> action) {
        long[] cs = columns.strides();
        long[] is = image.strides();
        long taps = p.kernel()[0] * p.kernel()[1];
        for (long r = 0; r < p.kernel()[0]; r++) {
            for (long c = 0; c < p.kernel()[1]; c++) {
                long[] first = new long[2];
                long[] count = new long[2];
                long[] start = new long[2];
                long[] at = {r, c};
                for (int d = 0; d < 2; d++) {
                    long shift = at[d] * p.dilation()[d] - p.padding()[d];
                    first[d] = Math.max(0, Math.ceilDiv(-shift, p.stride()[d]));
                    count[d] = Math.min(windows[d] - 1, Math.floorDiv(in[d + 2] - 1 - shift, p.stride()[d])) - first[d]
                            + 1;
                    start[d] = first[d] * p.stride()[d] + shift;
                }
                if (count[0] <= 0 || count[1] <= 0) {
                    continue;
                }
                long[] shape = {in[0], in[1], count[0], count[1]};
                try (Temps t = new Temps()) {
                    TensorImpl column = t.own(columns.alias(shape,
                            new long[]{cs[0], taps * cs[1], windows[1] * cs[2], cs[2]},
                            columns.offset() + (r * p.kernel()[1] + c) * cs[1]
                                    + (first[0] * windows[1] + first[1]) * cs[2]));
                    TensorImpl part = t.own(image.alias(shape,
                            new long[]{is[0], is[1], p.stride()[0] * is[2], p.stride()[1] * is[3]},
                            image.offset() + start[0] * is[2] + start[1] * is[3]));
                    action.accept(column, part);
                }
            }
        }
    }
}
