package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.FloatTiles;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import io.vramlab.device.internal.cpu.kernels.math.FloatFunctions;

/** Softmax, its logarithm and their gradients, row by row; the largest is subtracted first, so nothing overflows. */
public final class Softmax {

    private final HostAccess host;

    public Softmax(HostAccess host) {
        this.host = host;
    }

    public void forward(Operand out, Operand in, int dim, boolean log) {
        OperandRows to = OperandRows.along(host, out, dim);
        OperandRows from = OperandRows.along(host, in, dim);
        boolean exact = out.dtype() == DType.FLOAT64;
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            double[] wide = exact ? new double[to.length()] : null;
            float[] row = exact ? null : new float[to.length()];
            float[] powers = exact ? null : new float[to.length()];
            for (long r = a; r < b; r++) {
                if (exact) {
                    from.read(r, wide);
                    row(wide, log);
                    to.write(r, wide);
                } else {
                    from.read(r, row);
                    row(row, powers, log);
                    to.write(r, row);
                }
            }
        });
    }

    /** Between the passes over a long row. */
    private static void look(int length) {
        if (length >= Elementwise.GRAIN) {
            Interruptible.check();
        }
    }

    private static void row(float[] row, float[] powers, boolean log) {
        float largest = Float.NEGATIVE_INFINITY;
        for (float x : row) {
            largest = Math.max(largest, x);
        }
        look(row.length);
        for (int i = 0; i < row.length; i++) {
            row[i] -= largest;
        }
        look(row.length);
        FloatFunctions.BEST.exp(powers, row, row.length);
        look(row.length);
        double sum = FloatTiles.sum(powers, row.length);
        if (log) {
            float shift = (float) Math.log(sum);
            for (int i = 0; i < row.length; i++) {
                row[i] -= shift;
            }
        } else {
            float scale = (float) (1 / sum);
            for (int i = 0; i < row.length; i++) {
                row[i] = powers[i] * scale;
            }
        }
    }

    private static void row(double[] row, boolean log) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double x : row) {
            largest = Math.max(largest, x);
        }
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            Interruptible.check(i);
            sum += Math.exp(row[i] - largest);
        }
        double shift = Math.log(sum);
        for (int i = 0; i < row.length; i++) {
            Interruptible.check(i);
            row[i] = log ? row[i] - largest - shift : Math.exp(row[i] - largest) / sum;
        }
    }

    public void backward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log) {
        OperandRows to = OperandRows.along(host, gradIn, dim);
        OperandRows grads = OperandRows.along(host, gradOut, dim);
        OperandRows results = OperandRows.along(host, result, dim);
        boolean exact = gradIn.dtype() == DType.FLOAT64;
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            if (exact) {
                doubles(to, grads, results, log, a, b);
            } else {
                floats(to, grads, results, log, a, b);
            }
        });
    }

    private static void floats(OperandRows to, OperandRows grads, OperandRows results, boolean log, long a, long b) {
        int n = to.length();
        float[] g = new float[n];
        float[] y = new float[n];
        float[] product = new float[n];
        for (long r = a; r < b; r++) {
            grads.read(r, g);
            results.read(r, y);
            if (log) {
                FloatFunctions.BEST.exp(product, y, n);
                look(n);
                float sum = (float) FloatTiles.sum(g, n);
                for (int i = 0; i < n; i++) {
                    g[i] -= product[i] * sum;
                }
            } else {
                for (int i = 0; i < n; i++) {
                    product[i] = g[i] * y[i];
                }
                float sum = (float) FloatTiles.sum(product, n);
                for (int i = 0; i < n; i++) {
                    g[i] = (g[i] - sum) * y[i];
                }
            }
            to.write(r, g);
        }
    }

    private static void doubles(OperandRows to, OperandRows grads, OperandRows results, boolean log, long a, long b) {
        int n = to.length();
        double[] g = new double[n];
        double[] y = new double[n];
        for (long r = a; r < b; r++) {
            grads.read(r, g);
            results.read(r, y);
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += log ? g[i] : g[i] * y[i];
            }
            for (int i = 0; i < n; i++) {
                Interruptible.check(i);
                g[i] = log ? g[i] - Math.exp(y[i]) * sum : (g[i] - sum) * y[i];
            }
            to.write(r, g);
        }
    }
}
