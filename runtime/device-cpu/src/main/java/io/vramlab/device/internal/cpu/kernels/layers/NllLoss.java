package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/** Negative log likelihood and its gradient. The mean is over the targets that count. */
public final class NllLoss {

    private static final int NONE = 0;
    private static final int MEAN = 1;

    private final HostAccess host;

    public NllLoss(HostAccess host) {
        this.host = host;
    }

    public void forward(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction, long ignoreIndex) {
        View to = View.of(host, out);
        View targets = View.of(host, target);
        View from = View.of(host, logProbabilities);
        View weights = weight == null ? null : View.of(host, weight);
        long classes = classes(logProbabilities);
        double counted = 0;
        double sum = 0;
        for (long i = 0; i < targets.count; i++) {
            Interruptible.check(i);
            long t = targets.getLong(i);
            boolean counts = t != ignoreIndex;
            if (counts && outside(t, classes)) {
                return;
            }
            double share = !counts ? 0 : weights == null ? 1 : weights.getDouble(t);
            double loss = counts ? -from.getDouble(i * classes + t) * share : 0;
            sum += loss;
            counted += share;
            if (reduction == NONE) {
                to.set(i, loss);
            }
        }
        View.of(host, totalWeight).set(0, counted);
        if (reduction != NONE) {
            to.set(0, reduction == MEAN ? sum / counted : sum);
        }
    }

    public void backward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction, long ignoreIndex) {
        View to = View.of(host, gradIn);
        View targets = View.of(host, target);
        View grads = View.of(host, gradOut);
        View weights = weight == null ? null : View.of(host, weight);
        long classes = classes(gradIn);
        double total = reduction == MEAN ? View.of(host, totalWeight).getDouble(0) : 1;
        for (long i = 0; i < targets.count; i++) {
            Interruptible.check(i);
            long t = targets.getLong(i);
            if (t == ignoreIndex) {
                continue;
            }
            if (outside(t, classes)) {
                return;
            }
            double g = grads.getDouble(reduction == NONE ? i : 0);
            to.set(i * classes + t, -g * (weights == null ? 1 : weights.getDouble(t)) / total);
        }
    }

    private static long classes(Operand rows) {
        return rows.shape()[rows.shape().length - 1];
    }

    private boolean outside(long target, long classes) {
        if (target < 0 || target >= classes) {
            host.fault(DeviceFault.DEVICE_SIDE_ASSERT,
                    "nll_loss: target " + target + " is out of bounds for " + classes + " classes");
            return true;
        }
        return false;
    }
}
