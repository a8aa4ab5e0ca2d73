package io.vramlab.device.internal.cpu.kernels.elementwise;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/**
 * Optimizer steps over many tensors in one call, with PyTorch's fused arithmetic: a found infinity skips the step, a
 * gradient scale is divided out and the gradient stored back. Step counts were incremented by the caller.
 */
public final class FusedSteps {

    private final HostAccess host;

    public FusedSteps(HostAccess host) {
        this.host = host;
    }

    /** Adam's constants. */
    public record Adam(double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize) {
    }

    /** SGD's constants. */
    public record Sgd(double lr, double momentum, double dampening, double weightDecay, boolean nesterov,
            boolean maximize,
            boolean firstStep) {
    }

    /** Changes tiles that were read; they are then all written back. */
    private interface Step {
        void floats(float[][] tiles, int n);

        void doubles(double[][] tiles, int n);
    }

    private boolean skipped(Operand foundInf) {
        return foundInf != null && View.of(host, foundInf).getDouble(0) != 0;
    }

    private double scale(Operand gradScale) {
        return gradScale == null ? 1 : View.of(host, gradScale).getDouble(0);
    }

    /** Runs a step over all elements of some tensors of one shape; the gradient is the second of them. */
    private void each(Operand[] operands, boolean storeGradient, Step step) {
        View[] views = new View[operands.length];
        for (int v = 0; v < views.length; v++) {
            views[v] = View.of(host, operands[v]);
        }
        boolean exact = operands[0].dtype() == DType.FLOAT64;
        Parallel.range(views[0].count, Elementwise.GRAIN / 2, (a, b) -> {
            float[][] floats = exact ? null : new float[views.length][Tiles.TILE];
            double[][] doubles = exact ? new double[views.length][Tiles.TILE] : null;
            for (long at = a; at < b; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, b - at);
                for (int v = 0; v < views.length; v++) {
                    if (exact) {
                        views[v].read(at, n, doubles[v]);
                    } else {
                        views[v].read(at, n, floats[v]);
                    }
                }
                if (exact) {
                    step.doubles(doubles, n);
                } else {
                    step.floats(floats, n);
                }
                for (int v = 0; v < views.length; v++) {
                    if (v == 1 && !storeGradient) {
                        continue;
                    }
                    if (exact) {
                        views[v].write(at, n, doubles[v]);
                    } else {
                        views[v].write(at, n, floats[v]);
                    }
                }
            }
        });
    }

    public void adam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq, Operand[] maxExpAvgSq,
            Operand[] steps, Adam k, Operand gradScale, Operand foundInf) {
        if (skipped(foundInf)) {
            return;
        }
        double scale = scale(gradScale);
        for (int t = 0; t < params.length; t++) {
            double count = View.of(host, steps[t]).getDouble(0);
            double stepSize = k.lr / (1 - Math.pow(k.beta1, count));
            double root = Math.sqrt(1 - Math.pow(k.beta2, count));
            Operand[] all = maxExpAvgSq == null
                    ? new Operand[]{params[t], grads[t], expAvg[t], expAvgSq[t]}
                    : new Operand[]{params[t], grads[t], expAvg[t], expAvgSq[t], maxExpAvgSq[t]};
            each(all, gradScale != null, new AdamStep(k, scale, stepSize, root));
        }
    }

    public void sgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, Sgd k, Operand gradScale,
            Operand foundInf) {
        if (skipped(foundInf)) {
            return;
        }
        double scale = scale(gradScale);
        for (int t = 0; t < params.length; t++) {
            Operand[] all = momentumBuffers == null
                    ? new Operand[]{params[t], grads[t]}
                    : new Operand[]{params[t], grads[t], momentumBuffers[t]};
            each(all, gradScale != null, new SgdStep(k, scale));
        }
    }

    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale) {
        double inverse = View.of(host, inverseScale).getDouble(0);
        for (Operand grad : grads) {
            View view = View.of(host, grad);
            double[] tile = Tiles.mine().doubles()[0];
            boolean finite = true;
            for (long at = 0; at < view.count; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, view.count - at);
                view.read(at, n, tile);
                for (int i = 0; i < n; i++) {
                    finite &= Math.abs(tile[i]) <= Double.MAX_VALUE;
                    tile[i] *= inverse;
                }
                view.write(at, n, tile);
            }
            if (!finite) {
                View.of(host, foundInf).set(0, 1.0);
            }
        }
    }

    private record AdamStep(Adam k, double scale, double stepSize, double root) implements Step {

        @Override
        public void floats(float[][] tiles, int n) {
            float[] p = tiles[0];
            float[] g = tiles[1];
            float[] m = tiles[2];
            float[] v = tiles[3];
            float divisor = (float) scale;
            float sign = k.maximize ? -1 : 1;
            float decay = k.decoupled ? 0 : (float) k.weightDecay;
            float shrink = k.decoupled ? (float) (k.lr * k.weightDecay) : 0;
            float first = (float) (1 - k.beta1);
            float second = (float) (1 - k.beta2);
            float beta2 = (float) k.beta2;
            for (int i = 0; i < n; i++) {
                g[i] = g[i] / divisor;
                float grad = sign * g[i] + decay * p[i];
                p[i] = p[i] - shrink * p[i];
                m[i] = m[i] + first * (grad - m[i]);
                v[i] = beta2 * v[i] + second * grad * grad;
            }
            float[] square = v;
            if (tiles.length > 4) {
                square = tiles[4];
                for (int i = 0; i < n; i++) {
                    square[i] = Math.max(square[i], v[i]);
                }
            }
            float size = (float) stepSize;
            float correction = (float) root;
            float eps = (float) k.eps;
            for (int i = 0; i < n; i++) {
                p[i] = p[i] - size * m[i] / ((float) Math.sqrt(square[i]) / correction + eps);
            }
        }

        @Override
        public void doubles(double[][] tiles, int n) {
            double[] p = tiles[0];
            double[] g = tiles[1];
            double[] m = tiles[2];
            double[] v = tiles[3];
            double[] square = tiles.length > 4 ? tiles[4] : v;
            for (int i = 0; i < n; i++) {
                g[i] /= scale;
                double grad = (k.maximize ? -g[i] : g[i]) + (k.decoupled ? 0 : k.weightDecay * p[i]);
                p[i] *= k.decoupled ? 1 - k.lr * k.weightDecay : 1;
                m[i] += (1 - k.beta1) * (grad - m[i]);
                v[i] = k.beta2 * v[i] + (1 - k.beta2) * grad * grad;
                square[i] = Math.max(square[i], v[i]);
                p[i] -= stepSize * m[i] / (Math.sqrt(square[i]) / root + k.eps);
            }
        }
    }

    private record SgdStep(Sgd k, double scale) implements Step {

        @Override
        public void floats(float[][] tiles, int n) {
            float[] p = tiles[0];
            float[] g = tiles[1];
            float divisor = (float) scale;
            float sign = k.maximize ? -1 : 1;
            float decay = (float) k.weightDecay;
            float lr = (float) k.lr;
            if (tiles.length == 2) {
                for (int i = 0; i < n; i++) {
                    g[i] = g[i] / divisor;
                    p[i] = p[i] - lr * (sign * g[i] + decay * p[i]);
                }
                return;
            }
            float[] buffer = tiles[2];
            float momentum = (float) k.momentum;
            float fresh = (float) (1 - k.dampening);
            boolean first = k.firstStep;
            boolean nesterov = k.nesterov;
            for (int i = 0; i < n; i++) {
                g[i] = g[i] / divisor;
                float grad = sign * g[i] + decay * p[i];
                buffer[i] = first ? grad : momentum * buffer[i] + fresh * grad;
                p[i] = p[i] - lr * (nesterov ? grad + momentum * buffer[i] : buffer[i]);
            }
        }

        @Override
        public void doubles(double[][] tiles, int n) {
            double[] p = tiles[0];
            double[] g = tiles[1];
            double[] buffer = tiles.length > 2 ? tiles[2] : null;
            for (int i = 0; i < n; i++) {
                g[i] /= scale;
                double grad = (k.maximize ? -g[i] : g[i]) + k.weightDecay * p[i];
                if (buffer != null) {
                    buffer[i] = k.firstStep ? grad : k.momentum * buffer[i] + (1 - k.dampening) * grad;
                    grad = k.nesterov ? grad + k.momentum * buffer[i] : buffer[i];
                }
                p[i] -= k.lr * grad;
            }
        }
    }
}
