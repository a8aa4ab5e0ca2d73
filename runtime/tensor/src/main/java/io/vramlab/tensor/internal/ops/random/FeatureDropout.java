package io.vramlab.tensor.internal.ops.random;

import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Dropout of whole channels: a factor for each [n, c], 0 or 1 / (1 - p). */
public final class FeatureDropout {

    private FeatureDropout() {
    }

    public static TensorImpl of(TensorImpl a, double p, boolean training) {
        if (!(p >= 0 && p <= 1)) {
            throw new TensorException("dropout probability has to be between 0 and 1, but got " + p + ".");
        }
        if (!training || p == 0 || a.count() == 0) {
            return a.retain();
        }
        if (p == 1) {
            try (Temps t = new Temps()) {
                return Elementwise.mul(a, t.own(Factories.full(a.device(), a.dtype(), 0)));
            }
        }
        if (a.rank() < 2) {
            throw new TensorException("Feature dropout requires at least 2 dimensions in the input, but got "
                    + Shape.text(a.shape()) + ".");
        }
        long[] shape = new long[a.rank()];
        Arrays.fill(shape, 1);
        shape[0] = a.shape()[0];
        shape[1] = a.shape()[1];
        try (Temps t = new Temps()) {
            TensorImpl noise = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            Factories.fillRandom(RandomOp.BERNOULLI, noise, 1 - p, 0);
            InPlace.div(noise, 1 - p);
            return Elementwise.mul(a, noise);
        }
    }
}
