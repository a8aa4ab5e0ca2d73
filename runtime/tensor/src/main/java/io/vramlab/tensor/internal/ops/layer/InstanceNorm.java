package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.Repeats;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Batch norm of each sample on its own (Ulyanov et al., 2016): PyTorch sees [n, c, …] as [1, n c, …] and repeats what is per channel. */
public final class InstanceNorm {

    private InstanceNorm() {
    }

    /** Weight, bias and running statistics [c], or null. */
    public static TensorImpl of(TensorImpl a, TensorImpl runningMean, TensorImpl runningVar, TensorImpl weight,
            TensorImpl bias, boolean useInputStatistics, double momentum, double eps) {
        if (a.rank() < 2) {
            throw new TensorException("instanceNorm was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it takes [n, channels, …].");
        }
        long n = a.shape()[0];
        long c = a.shape()[1];
        if (useInputStatistics && n * c > 0 && a.count() / (n * c) == 1) {
            throw new TensorException("Expected more than 1 spatial element when training, got input size "
                    + Shape.text(a.shape()) + ".");
        }
        long[] shape = a.shape().clone();
        shape[0] = 1;
        shape[1] = n * c;
        try (Temps t = new Temps()) {
            TensorImpl w = weight == null ? null : t.own(Repeats.repeat(weight, n));
            TensorImpl b = bias == null ? null : t.own(Repeats.repeat(bias, n));
            TensorImpl mean = runningMean == null ? null : t.own(Repeats.repeat(runningMean, n));
            TensorImpl var = runningVar == null ? null : t.own(Repeats.repeat(runningVar, n));
            TensorImpl x = t.own(Views.view(t.own(Copies.contiguous(a)), shape));
            TensorImpl out = t.own(BatchNorms.of(x, mean, var, w, b, useInputStatistics, momentum, eps));
            if (useInputStatistics) {
                average(runningMean, mean, n, c);
                average(runningVar, var, n, c);
            }
            return Views.view(out, Arrays.copyOf(a.shape(), a.rank()));
        }
    }

    /** The samples' statistics become one. */
    private static void average(TensorImpl running, TensorImpl repeated, long n, long c) {
        if (running != null) {
            try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
                TensorImpl mean = t.own(Sums.mean(t.own(Views.view(repeated, n, c)), new int[]{0}, false));
                InPlace.copy(running, mean, false);
            }
        }
    }
}
