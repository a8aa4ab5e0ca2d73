package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.DoubleTiles;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.util.Arrays;

/** Layer norm over the last dimension and its gradients. Computed in double for every dtype, rounded once at the end. */
public final class LayerNorm {

    /** Rows per partial sum of the weight's gradient; fixes the order of additions. */
    private static final int CHUNK = 128;

    private final HostAccess host;

    public LayerNorm(HostAccess host) {
        this.host = host;
    }

    public void forward(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps) {
        OperandRows to = OperandRows.last(host, out);
        OperandRows from = OperandRows.last(host, in);
        View means = mean == null ? null : View.of(host, mean);
        View rstds = View.of(host, rstd);
        int n = to.length();
        double[] w = whole(weight, n, 1);
        double[] shift = whole(bias, n, 0);
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            double[] x = new double[n];
            for (long r = a; r < b; r++) {
                from.read(r, x);
                double centre = means == null ? 0 : DoubleTiles.sum(x, n) / n;
                double scale = 1 / Math.sqrt(DoubleTiles.squares(x, n, centre) / n + eps);
                for (int j = 0; j < n; j++) {
                    x[j] = (x[j] - centre) * scale * w[j] + shift[j];
                }
                to.write(r, x);
                if (means != null) {
                    means.set(r, centre);
                }
                rstds.set(r, scale);
            }
        });
    }

    public void backward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean,
            Operand rstd, Operand weight) {
        OperandRows grads = OperandRows.last(host, gradOut);
        OperandRows from = OperandRows.last(host, in);
        OperandRows to = gradIn == null ? null : OperandRows.last(host, gradIn);
        View means = mean == null ? null : View.of(host, mean);
        View rstds = View.of(host, rstd);
        int n = from.length();
        double[] w = whole(weight, n, 1);
        int chunks = Math.toIntExact((from.rows() + CHUNK - 1) / CHUNK);
        double[][] weights = new double[chunks][gradWeight == null ? 0 : n];
        double[][] biases = new double[chunks][gradBias == null ? 0 : n];
        Parallel.range(chunks, Math.max(1, grads.grain() / CHUNK), (a, b) -> {
            double[] g = new double[n];
            double[] x = new double[n];
            for (int c = (int) a; c < b; c++) {
                for (long r = (long) c * CHUNK; r < Math.min(from.rows(), (c + 1L) * CHUNK); r++) {
                    grads.read(r, g);
                    from.read(r, x);
                    normalise(x, means == null ? 0 : means.getDouble(r), rstds.getDouble(r));
                    accumulate(weights[c], biases[c], g, x);
                    if (to != null) {
                        input(g, x, w, rstds.getDouble(r), means != null);
                        to.write(r, g);
                    }
                }
            }
        });
        store(gradWeight, weights, n);
        store(gradBias, biases, n);
    }

    private static void normalise(double[] x, double mean, double rstd) {
        for (int j = 0; j < x.length; j++) {
            x[j] = (x[j] - mean) * rstd;
        }
    }

    private static void accumulate(double[] weights, double[] biases, double[] g, double[] normal) {
        for (int j = 0; j < weights.length; j++) {
            weights[j] += g[j] * normal[j];
        }
        for (int j = 0; j < biases.length; j++) {
            biases[j] += g[j];
        }
    }

    /** Replaces g by the input's gradient: what is left of g * w after its mean and its share along x are taken out. */
    private static void input(double[] g, double[] normal, double[] w, double rstd, boolean centred) {
        double sum = 0;
        double along = 0;
        for (int j = 0; j < g.length; j++) {
            double v = g[j] * w[j];
            sum += v;
            along += v * normal[j];
        }
        sum = centred ? sum / g.length : 0;
        along /= g.length;
        for (int j = 0; j < g.length; j++) {
            g[j] = rstd * (g[j] * w[j] - sum - normal[j] * along);
        }
    }

    private void store(Operand to, double[][] parts, int n) {
        if (to == null) {
            return;
        }
        View view = View.of(host, to);
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (double[] part : parts) {
                sum += part[j];
            }
            view.set(j, sum);
        }
    }

    private double[] whole(Operand operand, int n, double absent) {
        double[] values = new double[n];
        if (operand == null) {
            Arrays.fill(values, absent);
        } else {
            View.of(host, operand).read(0, n, values);
        }
        return values;
    }
}
