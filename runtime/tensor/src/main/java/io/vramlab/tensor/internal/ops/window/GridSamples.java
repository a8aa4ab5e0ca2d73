package io.vramlab.tensor.internal.ops.window;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.List;

/**
 * Pictures read at places that a grid names, between -1 and 1, with gradients for both; takes what PyTorch's kernel takes,
 * values come from the host.
 */
public final class GridSamples {

    private static final List<String> MODES = List.of("bilinear", "nearest", "bicubic");
    private static final List<String> PADS = List.of("zeros", "border", "reflection");

    private GridSamples() {
    }

    /**
     * [n, c, h', w'] from x [n, c, h, w] and grid [n, h', w', 2] of (x, y).
     *
     * @param mode
     *            bilinear, nearest or bicubic
     * @param padding
     *            what lies outside: zeros, border or reflection
     * @param alignCorners
     *            whether -1 and 1 are the middles of the corners' pixels, or their outer edges
     */
    public static TensorImpl of(TensorImpl x, TensorImpl grid, String mode, String padding, boolean alignCorners) {
        long[] s = x.shape();
        long[] g = grid.shape();
        if (x.rank() != 4 || grid.rank() != 4 || g[3] != 2 || s[0] != g[0]) {
            throw new TensorException("grid_sample was asked of an input of shape " + Shape.text(s)
                    + " and a grid of shape " + Shape.text(g)
                    + ": they are [n, c, h, w] and [n, rows, columns, 2].");
        }
        if (!MODES.contains(mode) || !PADS.contains(padding)) {
            throw new TensorException("grid_sample was asked for mode \"" + mode + "\" and padding_mode \"" + padding
                    + "\": they are one of " + MODES + " and one of " + PADS + ".");
        }
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(x.device(), x.dtype(), s[0], s[1], g[1], g[2]));
            GridTaps taps = new GridTaps((int) s[2], (int) s[3], mode, padding, alignCorners);
            HostLoops.fill(out, () -> read(taps, s, g, HostLoops.read(x), HostLoops.read(grid)));
            if (Graph.wanted(x, grid)) {
                Node node = Graph.record("GridSampler2DBackward0", out, (n, d) -> backward(taps, n, d), x, grid);
                node.save(Graph.input(node, x), Graph.input(node, grid));
            }
            return t.give(out);
        }
    }

    private static double[] read(GridTaps taps, long[] s, long[] g, double[] x, double[] grid) {
        int channels = (int) s[1];
        int plane = (int) (s[2] * s[3]);
        int cells = (int) (g[1] * g[2]);
        double[] out = new double[(int) s[0] * channels * cells];
        for (int n = 0; n < s[0]; n++) {
            for (int p = 0; p < cells; p++) {
                int at = 2 * (n * cells + p);
                List<GridTaps.Tap> all = taps.at(grid[at], grid[at + 1]);
                for (int c = 0; c < channels; c++) {
                    double sum = 0;
                    for (GridTaps.Tap tap : all) {
                        sum += tap.weight() * x[(n * channels + c) * plane + tap.cell()];
                    }
                    out[(n * channels + c) * cells + p] = sum;
                }
            }
        }
        return out;
    }

    private static TensorImpl[] backward(GridTaps taps, Node node, TensorImpl d) {
        TensorImpl x = node.saved(0);
        TensorImpl grid = node.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl gx = node.wants(0) ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            // made whether it is wanted or not
            TensorImpl gg = t.own(TensorImpl.empty(grid.device(), grid.dtype(), grid.shape()));
            if (gg.driver().kernels().computes()) {
                double[] toX = new double[(int) x.count()];
                double[] toGrid = new double[(int) grid.count()];
                spread(taps, x.shape(), grid.shape(),
                        new double[][]{HostLoops.read(x), HostLoops.read(grid), HostLoops.read(d)}, toX, toGrid);
                if (gx != null) {
                    HostLoops.fill(gx, () -> toX);
                }
                HostLoops.fill(gg, () -> toGrid);
            }
            return new TensorImpl[]{gx == null ? null : t.give(gx), node.wants(1) ? t.give(gg) : null};
        }
    }

    private static void spread(GridTaps taps, long[] s, long[] g, double[][] given, double[] toX, double[] toGrid) {
        int channels = (int) s[1];
        int plane = (int) (s[2] * s[3]);
        int cells = (int) (g[1] * g[2]);
        double[] x = given[0];
        double[] grid = given[1];
        for (int n = 0; n < s[0]; n++) {
            for (int p = 0; p < cells; p++) {
                int at = 2 * (n * cells + p);
                for (GridTaps.Tap tap : taps.at(grid[at], grid[at + 1])) {
                    for (int c = 0; c < channels; c++) {
                        double d = given[2][(n * channels + c) * cells + p];
                        int cell = (n * channels + c) * plane + tap.cell();
                        toX[cell] += tap.weight() * d;
                        toGrid[at] += tap.slopeX() * x[cell] * d;
                        toGrid[at + 1] += tap.slopeY() * x[cell] * d;
                    }
                }
            }
        }
    }
}
