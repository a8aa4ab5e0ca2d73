package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Creation;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Where each pixel of a picture lies after an affine map, for grid_sample; the pixels' own places are made again for backward. */
public final class AffineGrids {

    private AffineGrids() {
    }

    /**
     * [n, h, w, 2] of (x, y) between -1 and 1 from theta [n, 2, 3].
     *
     * @param size
     *            [n, c, h, w] of the picture that will be made
     */
    public static TensorImpl of(TensorImpl theta, long[] size, boolean alignCorners) {
        if (theta.rank() != 3 || size.length != 4 || theta.shape()[0] != size[0] || theta.shape()[1] != 2
                || theta.shape()[2] != 3) {
            throw new TensorException("affine_grid was asked of theta of shape " + Shape.text(theta.shape())
                    + " and size " + Shape.text(size) + ": Expected a batch of 2D affine matrices of shape Nx2x3 for a "
                    + "size of [n, c, h, w].");
        }
        long n = size[0];
        long h = size[2];
        long w = size[3];
        try (Temps t = new Temps()) {
            TensorImpl grid;
            try (GradMode.State off = GradMode.enter(false)) {
                TensorImpl places = t.own(places(theta, n, h, w, alignCorners));
                TensorImpl rows = t.own(Views.view(places, n, h * w, 3));
                TensorImpl product = t.own(MatrixOps.bmm(rows, t.own(Views.transpose(theta, 1, 2))));
                grid = t.own(Views.view(product, n, h, w, 2));
            }
            if (Graph.wanted(theta)) {
                Graph.recordUnary("AffineGridGeneratorBackward0", grid, theta, (node, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl places = u.own(places(g, n, h, w, alignCorners));
                        TensorImpl rows = u.own(Views.view(places, n, h * w, 3));
                        TensorImpl flat = u.own(Views.reshape(g, n, h * w, 2));
                        TensorImpl slope = u.own(MatrixOps.bmm(u.own(Views.transpose(rows, 1, 2)), flat));
                        return Views.transpose(slope, 1, 2);
                    }
                });
            }
            return t.give(grid);
        }
    }

    /** [n, h, w, 3]: x, y and 1 of each pixel. */
    private static TensorImpl places(TensorImpl like, long n, long h, long w, boolean alignCorners) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(like.device(), like.dtype(), n, h, w, 3));
            coordinate(out, 0, line(like, w, alignCorners), false);
            coordinate(out, 1, line(like, h, alignCorners), true);
            TensorImpl one = t.own(Views.select(out, -1, 2));
            Launch.into(ElementOp.FILL, new double[]{1}, one);
            return t.give(out);
        }
    }

    private static void coordinate(TensorImpl out, int which, TensorImpl[] line, boolean down) {
        try (Temps t = new Temps()) {
            for (TensorImpl each : line) {
                t.own(each);
            }
            TensorImpl last = line[line.length - 1];
            TensorImpl wide = down ? t.own(Views.unsqueeze(last, -1)) : last;
            Launch.into(ElementOp.COPY, Launch.NONE, t.own(Views.select(out, -1, which)), wide);
        }
    }

    /** The middles of pixels between -1 and 1, with what was made on the way. */
    private static TensorImpl[] line(TensorImpl like, long steps, boolean alignCorners) {
        TensorImpl ends = steps <= 1
                ? Creation.linspace(like.device(), like.dtype(), 0, 0, steps)
                : Creation.linspace(like.device(), like.dtype(), -1, 1, steps);
        if (alignCorners) {
            return new TensorImpl[]{ends};
        }
        TensorImpl times = Elementwise.mul(ends, steps - 1, true);
        return new TensorImpl[]{ends, times, Elementwise.div(times, steps)};
    }
}
