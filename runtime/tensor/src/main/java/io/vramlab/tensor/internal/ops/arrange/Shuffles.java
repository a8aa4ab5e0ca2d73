package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Rearrangements of channels and pixels: a view, a permutation and one copy. */
public final class Shuffles {

    private Shuffles() {
    }

    private static void requirePlanes(String what, TensorImpl a) {
        if (a.rank() != 4) {
            throw new TensorException(what + " was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it takes [n, channels, height, width].");
        }
    }

    public static TensorImpl pixel(TensorImpl a, long r) {
        requirePlanes("pixelShuffle", a);
        long[] s = a.shape();
        if (r <= 0 || s[1] % (r * r) != 0) {
            throw new TensorException(
                    "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square"
                            + " of upscale_factor, but got " + Shape.text(s) + " and upscale_factor=" + r + ".");
        }
        long c = s[1] / (r * r);
        return rearranged(a, new long[]{s[0], c, r, r, s[2], s[3]}, new int[]{0, 1, 4, 2, 5, 3},
                new long[]{s[0], c, s[2] * r, s[3] * r});
    }

    public static TensorImpl unpixel(TensorImpl a, long r) {
        requirePlanes("pixelUnshuffle", a);
        long[] s = a.shape();
        if (r <= 0 || s[2] % r != 0 || s[3] % r != 0) {
            throw new TensorException(
                    "pixel_unshuffle expects height and width to be divisible by downscale_factor, but "
                            + "got " + Shape.text(s) + " and downscale_factor=" + r + ".");
        }
        return rearranged(a, new long[]{s[0], s[1], s[2] / r, r, s[3] / r, r}, new int[]{0, 1, 3, 5, 2, 4},
                new long[]{s[0], s[1] * r * r, s[2] / r, s[3] / r});
    }

    public static TensorImpl channels(TensorImpl a, long groups) {
        if (a.rank() < 3 || groups <= 0 || a.shape()[1] % groups != 0) {
            throw new TensorException("channelShuffle of " + Shape.text(a.shape()) + " into " + groups
                    + " groups was asked for: Number of channels must be divisible by groups.");
        }
        long n = a.shape()[0];
        long c = a.shape()[1];
        long rest = n * c == 0 ? 0 : a.count() / (n * c);
        return rearranged(a, new long[]{n, groups, c / groups, rest}, new int[]{0, 2, 1, 3}, a.shape());
    }

    private static TensorImpl rearranged(TensorImpl a, long[] split, int[] order, long[] shape) {
        try (Temps t = new Temps()) {
            TensorImpl parts = t.own(Views.reshape(a, split));
            return Views.reshape(t.own(Views.permute(parts, order)), shape);
        }
    }
}
