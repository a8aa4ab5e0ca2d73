package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.DoubleTiles;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.reduce.Gathering;
import io.vramlab.device.internal.cpu.kernels.reduce.LaneFold;

/** Batch norm of [n, channels, …] and its gradients, channel by channel, computed in double and rounded at the end. */
public final class BatchNorm {

    private final HostAccess host;

    public BatchNorm(HostAccess host) {
        this.host = host;
    }

    /** The operand with its channels first: channel c is the elements from c * n / channels on. */
    private View channels(Operand operand) {
        int rank = operand.shape().length;
        int[] order = new int[rank];
        for (int d = 0; d < rank; d++) {
            order[d] = d == 0 ? 1 : d == 1 ? 0 : d;
        }
        return View.permuted(host, operand, order);
    }

    private View orNull(Operand operand) {
        return operand == null ? null : View.of(host, operand);
    }

    private static long grain(long each) {
        return Math.max(1, Elementwise.GRAIN / 2 / Math.max(1, each));
    }

    public void forward(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps) {
        View to = channels(out);
        View from = channels(in);
        View w = orNull(weight);
        View shift = orNull(bias);
        View running = orNull(runningMean);
        View runningSquare = orNull(runningVar);
        View means = orNull(saveMean);
        View scales = orNull(saveInvStd);
        long count = in.shape()[1];
        if (from.count == 0) {
            return;
        }
        long each = from.count / count;
        Parallel.range(count, grain(each), (a, b) -> {
            for (long c = a; c < b; c++) {
                double mean = training ? fold(from, c * each, each, new LaneFold.Sum()) / each : running.getDouble(c);
                double variance = training
                        ? fold(from, c * each, each, new LaneFold.SquaredDistance(mean)) / each
                        : runningSquare.getDouble(c);
                double scale = 1 / Math.sqrt(variance + eps);
                if (training) {
                    means.set(c, mean);
                    scales.set(c, scale);
                    move(running, c, mean, momentum);
                    // the running variance is the unbiased one
                    move(runningSquare, c, variance * each / Math.max(1, each - 1), momentum);
                }
                double factor = scale * (w == null ? 1 : w.getDouble(c));
                apply(to, from, c * each, each, mean, factor, shift == null ? 0 : shift.getDouble(c));
            }
        });
    }

    private static void move(View running, long c, double value, double momentum) {
        if (running != null) {
            running.set(c, (1 - momentum) * running.getDouble(c) + momentum * value);
        }
    }

    private static double fold(View from, long start, long n, LaneFold fold) {
        return new Gathering(from).run(fold, start, n);
    }

    private static void apply(View to, View from, long start, long n, double mean, double factor, double shift) {
        double[] tile = Tiles.mine().doubles()[0];
        for (long at = 0; at < n; at += Tiles.TILE) {
            int now = (int) Math.min(Tiles.TILE, n - at);
            from.read(start + at, now, tile);
            for (int i = 0; i < now; i++) {
                tile[i] = (tile[i] - mean) * factor + shift;
            }
            to.write(start + at, now, tile);
        }
    }

    public void backward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight,
            Operand mean, Operand invStd, boolean training) {
        View to = gradIn == null ? null : channels(gradIn);
        View grads = channels(gradOut);
        View from = channels(in);
        View w = orNull(weight);
        View means = View.of(host, mean);
        View scales = View.of(host, invStd);
        View weights = orNull(gradWeight);
        View biases = orNull(gradBias);
        long count = in.shape()[1];
        if (from.count == 0) {
            return;
        }
        long each = from.count / count;
        Parallel.range(count, grain(each), (a, b) -> {
            for (long c = a; c < b; c++) {
                double centre = means.getDouble(c);
                double scale = scales.getDouble(c);
                double sum = fold(grads, c * each, each, new LaneFold.Sum());
                double along = dot(grads, from, c * each, each, centre) * scale;
                if (weights != null) {
                    weights.set(c, along);
                }
                if (biases != null) {
                    biases.set(c, sum);
                }
                if (to != null) {
                    double factor = scale * (w == null ? 1 : w.getDouble(c));
                    input(to, grads, from, c * each, each,
                            new Terms(centre, factor, training ? sum / each : 0, training ? along / each * scale : 0));
                }
            }
        });
    }

    private record Terms(double mean, double factor, double gradMean, double slope) {
    }

    private static double dot(View grads, View from, long start, long n, double mean) {
        double[] g = Tiles.mine().doubles()[0];
        double[] x = Tiles.mine().doubles()[1];
        double all = 0;
        for (long at = 0; at < n; at += Tiles.TILE) {
            int now = (int) Math.min(Tiles.TILE, n - at);
            grads.read(start + at, now, g);
            from.read(start + at, now, x);
            for (int i = 0; i < now; i++) {
                g[i] *= x[i] - mean;
            }
            all += DoubleTiles.sum(g, now);
        }
        return all;
    }

    private static void input(View to, View grads, View from, long start, long n, Terms terms) {
        double[] g = Tiles.mine().doubles()[0];
        double[] x = Tiles.mine().doubles()[1];
        for (long at = 0; at < n; at += Tiles.TILE) {
            int now = (int) Math.min(Tiles.TILE, n - at);
            grads.read(start + at, now, g);
            from.read(start + at, now, x);
            for (int i = 0; i < now; i++) {
                g[i] = (g[i] - terms.gradMean - (x[i] - terms.mean) * terms.slope) * terms.factor;
            }
            to.write(start + at, now, g);
        }
    }
}
