package io.vramlab.device.cpu.kernels.layers;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.cpu.kernels.cells.View;

/** Negative log likelihood and its gradient. The mean is over the targets that count. */
public final class NllLoss {

    private static final int NONE = 0;
    private static final int MEAN = 1;

    private final HostAccess host;

    public NllLoss(HostAccess host) {
        this.host = host;
    }

    public void forward(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, int reduction,
            long ignoreIndex) {
        View to = View.of(host, out);
        View targets = View.of(host, target);
        View from = View.of(host, logProbabilities);
        long classes = logProbabilities.shape()[1];
        long counted = 0;
        double sum = 0;
        for (long i = 0; i < targets.count; i++) {
            Interruptible.check(i);
            long t = targets.getLong(i);
            boolean counts = t != ignoreIndex;
            if (counts && outside(t, classes)) {
                return;
            }
            double loss = counts ? -from.getDouble(i * classes + t) : 0;
            sum += loss;
            counted += counts ? 1 : 0;
            if (reduction == NONE) {
                to.set(i, loss);
            }
        }
        View.of(host, totalWeight).set(0, (double) counted);
        if (reduction != NONE) {
            to.set(0, reduction == MEAN ? sum / counted : sum);
        }
    }

    public void backward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex) {
        View to = View.of(host, gradIn);
        View targets = View.of(host, target);
        View grads = View.of(host, gradOut);
        long classes = gradIn.shape()[1];
        double weight = reduction == MEAN ? View.of(host, totalWeight).getDouble(0) : 1;
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
            to.set(i * classes + t, -g / weight);
        }
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
