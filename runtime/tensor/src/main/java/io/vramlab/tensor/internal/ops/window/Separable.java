package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.Interruptible;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostLoops;
import java.util.Arrays;

/**
 * Linear operations whose weights are products of one weight per dimension: means over windows, and interpolation. Each
 * output cell along a dimension is a weighted sum of some inputs along it.
 */
public final class Separable {

    /** What the cells along one dimension take: for each, the inputs and their weights. */
    record Axis(int inputs, int[][] from, double[][] weights) {

        int cells() {
            return from.length;
        }
    }

    private final Axis[] axes;

    /** Over the last dimensions, as many as given. */
    Separable(Axis... axes) {
        this.axes = axes;
    }

    /** out = the weighted sums of in. */
    void forward(TensorImpl out, TensorImpl in) {
        HostLoops.fill(out, () -> {
            double[] values = HostLoops.read(in);
            long lead = in.count() / inner(axes.length, true);
            for (int d = axes.length - 1; d >= 0; d--) {
                values = along(values, lead * outer(d), axes[d], after(d));
            }
            return values;
        });
    }

    /** gradIn = what each input's weights carry back. */
    void backward(TensorImpl gradIn, TensorImpl gradOut) {
        HostLoops.fill(gradIn, () -> {
            double[] values = HostLoops.read(gradOut);
            long lead = gradIn.count() / inner(axes.length, true);
            for (int d = 0; d < axes.length; d++) {
                values = back(values, lead * outer(d), axes[d], after(d));
            }
            return values;
        });
    }

    private long inner(int end, boolean inputs) {
        return Arrays.stream(axes, 0, end).mapToLong(a -> inputs ? a.inputs() : a.cells()).reduce(1, (a, b) -> a * b);
    }

    /** Input elements before a dimension: it is not reduced yet. */
    private long outer(int d) {
        return inner(d, true);
    }

    /** Cells behind a dimension: they are reduced already. */
    private int after(int d) {
        long all = 1;
        for (int i = d + 1; i < axes.length; i++) {
            all *= axes[i].cells();
        }
        return Math.toIntExact(all);
    }

    private static double[] along(double[] in, long lead, Axis axis, int behind) {
        double[] out = new double[Math.toIntExact(lead * axis.cells() * behind)];
        for (int l = 0; l < lead; l++) {
            Interruptible.check(l);
            for (int c = 0; c < axis.cells(); c++) {
                int to = (l * axis.cells() + c) * behind;
                for (int k = 0; k < axis.from[c].length; k++) {
                    int from = (l * axis.inputs + axis.from[c][k]) * behind;
                    double w = axis.weights[c][k];
                    for (int i = 0; i < behind; i++) {
                        out[to + i] += w == 1 ? in[from + i] : w * in[from + i];
                    }
                }
            }
        }
        return out;
    }

    private static double[] back(double[] g, long lead, Axis axis, int behind) {
        double[] out = new double[Math.toIntExact(lead * axis.inputs * behind)];
        for (int l = 0; l < lead; l++) {
            Interruptible.check(l);
            for (int c = 0; c < axis.cells(); c++) {
                int from = (l * axis.cells() + c) * behind;
                for (int k = 0; k < axis.from[c].length; k++) {
                    int to = (l * axis.inputs + axis.from[c][k]) * behind;
                    double w = axis.weights[c][k];
                    for (int i = 0; i < behind; i++) {
                        out[to + i] += w * g[from + i];
                    }
                }
            }
        }
        return out;
    }
}
