package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.Pads;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.ops.window.AveragePools;
import io.vramlab.tensor.internal.ops.window.PoolShape;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Each element divided by a power of the mean square of its neighbours among the channels; composed as torch.nn.functional's. */
public final class LocalResponseNorm {

    private LocalResponseNorm() {
    }

    /**
     * a / (k + alpha mean(a^2 of size neighbours))^beta.
     *
     * @param a
     *            [n, channels, …] with at least one dimension more
     */
    public static TensorImpl of(TensorImpl a, long size, double alpha, double beta, double k) {
        if (a.rank() < 3) {
            throw new TensorException("local_response_norm was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": Expected 3D or higher dimensionality input (got " + a.rank() + " dimensions).");
        }
        try (Temps t = new Temps()) {
            TensorImpl squares = t.own(Elementwise.mul(a, a));
            boolean flat = a.rank() == 3;
            TensorImpl planes = t.own(flat
                    ? Views.unsqueeze(squares, 1)
                    : Views.view(squares, a.shape()[0], 1, a.shape()[1], a.shape()[2], -1));
            TensorImpl padded = t.own(Pads.pad(planes,
                    flat
                            ? new long[]{0, 0, size / 2, (size - 1) / 2}
                            : new long[]{0, 0, 0, 0, size / 2, (size - 1) / 2},
                    Pads.Mode.CONSTANT, 0));
            t.free(planes);
            t.free(squares);
            TensorImpl means = t.own(flat ? pool(padded, size, 1) : pool(padded, size, 1, 1));
            t.free(padded);
            TensorImpl like = t.own(Views.squeeze(means, 1));
            TensorImpl shaped = t.own(flat ? Views.view(like, like.shape()) : Views.view(like, a.shape()));
            t.free(like);
            TensorImpl scaled = t.own(Elementwise.mul(shaped, alpha, false));
            TensorImpl moved = t.own(Elementwise.add(scaled, k, false));
            t.free(scaled);
            TensorImpl divisor = t.own(Pointwise.pow(moved, beta));
            t.free(moved);
            t.free(shaped);
            t.free(means);
            return Elementwise.div(a, divisor);
        }
    }

    private static TensorImpl pool(TensorImpl a, long... kernel) {
        long[] one = {1};
        return AveragePools.of(a, PoolShape.of(kernel.length, kernel, one, new long[]{0}, one, false), true, 0);
    }
}
