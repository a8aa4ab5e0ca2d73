package io.vramlab.device.cpu.kernels;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;

/**
 * Optimizer steps over many tensors in one call, with PyTorch's fused arithmetic: a found infinity skips the step, a
 * gradient scale is divided out and the gradient stored back. Step counts were incremented by the caller.
 */
final class FusedSteps {

    private final HostAccess host;

    FusedSteps(HostAccess host) {
        this.host = host;
    }

    /** Adam's constants. */
    record Adam(double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize) {
    }

    /** SGD's constants. */
    record Sgd(double lr, double momentum, double dampening, double weightDecay, boolean nesterov, boolean maximize,
            boolean firstStep) {
    }

    /** Changes tiles that were read; they are then all written back. */
    private interface Step {
        void apply(double[][] tiles, int n);
    }

    private boolean skipped(Operand foundInf) {
        return foundInf != null && View.of(host, foundInf).getDouble(0) != 0;
    }

    private double scale(Operand gradScale) {
        return gradScale == null ? 1 : View.of(host, gradScale).getDouble(0);
    }

    private void each(Operand[] operands, boolean storeGradient, Step step) {
        View[] views = new View[operands.length];
        for (int v = 0; v < views.length; v++) {
            views[v] = View.of(host, operands[v]);
        }
        Parallel.range(views[0].count, Elementwise.GRAIN, (a, b) -> {
            double[][] tiles = new double[views.length][Tiles.TILE];
            for (long at = a; at < b; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, b - at);
                for (int v = 0; v < views.length; v++) {
                    views[v].read(at, n, tiles[v]);
                }
                step.apply(tiles, n);
                for (int v = 0; v < views.length; v++) {
                    if (v != 1 || storeGradient) {
                        views[v].write(at, n, tiles[v]);
                    }
                }
            }
        });
    }

    void adam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq, Operand[] maxExpAvgSq,
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
            each(all, gradScale != null, (tiles, n) -> adam(tiles, n, k, scale, stepSize, root));
        }
    }

    private static void adam(double[][] tiles, int n, Adam k, double scale, double stepSize, double root) {
        double[] p = tiles[0];
        double[] g = tiles[1];
        double[] m = tiles[2];
        double[] v = tiles[3];
        double[] most = tiles.length > 4 ? tiles[4] : null;
        for (int i = 0; i < n; i++) {
            g[i] /= scale;
            double grad = k.maximize ? -g[i] : g[i];
            if (k.decoupled) {
                p[i] -= k.lr * k.weightDecay * p[i];
            } else {
                grad += k.weightDecay * p[i];
            }
            m[i] += (1 - k.beta1) * (grad - m[i]);
            v[i] = k.beta2 * v[i] + (1 - k.beta2) * grad * grad;
            double square = v[i];
            if (most != null) {
                most[i] = Math.max(most[i], v[i]);
                square = most[i];
            }
            p[i] -= stepSize * m[i] / (Math.sqrt(square) / root + k.eps);
        }
    }

    void sgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, Sgd k, Operand gradScale,
            Operand foundInf) {
        if (skipped(foundInf)) {
            return;
        }
        double scale = scale(gradScale);
        for (int t = 0; t < params.length; t++) {
            Operand[] all = momentumBuffers == null
                    ? new Operand[]{params[t], grads[t]}
                    : new Operand[]{params[t], grads[t], momentumBuffers[t]};
            each(all, gradScale != null, (tiles, n) -> sgd(tiles, n, k, scale));
        }
    }

    private static void sgd(double[][] tiles, int n, Sgd k, double scale) {
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

    void unscale(Operand[] grads, Operand foundInf, Operand inverseScale) {
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
}
