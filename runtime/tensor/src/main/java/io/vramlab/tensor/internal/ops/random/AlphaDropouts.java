package io.vramlab.tensor.internal.ops.random;

import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.ThreadState;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.index.Scatters;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Noise that keeps mean and variance, and Gumbel's. */
public final class AlphaDropouts {

    /** SELU's lower limit with the sign turned: its alpha times its scale. */
    private static final double LIMIT = 1.7580993408473766;

    private AlphaDropouts() {
    }

    public static TensorImpl of(TensorImpl a, double p, boolean training, boolean channels) {
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
        try (Temps t = new Temps()) {
            long[] shape = a.shape().clone();
            if (channels) {
                Arrays.fill(shape, Math.min(2, shape.length), shape.length, 1);
            }
            TensorImpl noise = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            Factories.fillRandom(RandomOp.BERNOULLI, noise, 1 - p, 0);
            double scale = 1 / Math.sqrt((LIMIT * LIMIT * p + 1) * (1 - p));
            TensorImpl shift = t.own(Launch.unary(ElementOp.ADD_SCALAR, noise, noise.dtype(), -1));
            Launch.into(ElementOp.MUL_SCALAR, new double[]{LIMIT * scale}, shift, shift);
            Launch.into(ElementOp.ADD_SCALAR, new double[]{LIMIT * scale * p}, shift, shift);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{scale}, noise, noise);
            TensorImpl out = t.own(Elementwise.mul(a, noise));
            InPlace.add(out, shift, 1);
            return t.give(out);
        }
    }

    public static TensorImpl gumbel(TensorImpl logits, double temperature, boolean hard, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl noisy;
            try (Temps u = new Temps(); GradMode.State same = GradMode.enter(ThreadState.current().gradEnabled)) {
                TensorImpl draw = u.own(Draws.like(logits, x -> Draws.exponential_(x, 1)));
                TensorImpl log = u.own(Launch.unary(ElementOp.LOG, draw, draw.dtype()));
                u.free(draw);
                TensorImpl gumbel = u.own(Launch.unary(ElementOp.NEG, log, log.dtype()));
                u.free(log);
                TensorImpl sum = u.own(Elementwise.add(logits, gumbel, 1));
                noisy = t.own(Elementwise.div(sum, temperature));
                u.free(sum);
            }
            TensorImpl soft = t.own(Softmax.of(noisy, dim, false));
            if (!hard) {
                return t.give(soft);
            }
            TensorImpl place;
            try (GradMode.State off = GradMode.enter(false)) {
                TensorImpl[] most = Lookup.extreme(soft, true, dim, true);
                place = t.own(most[1]);
                most[0].release();
            }
            TensorImpl ones = t.own(Factories.zerosLike(logits));
            Scatters.scatter_(ones, dim, place, 1);
            TensorImpl rest = t.own(withoutGraph(ones, soft));
            TensorImpl out = t.own(Elementwise.add(rest, soft, 1));
            t.free(rest);
            t.free(noisy);
            t.free(soft);
            t.free(place);
            t.free(ones);
            return t.give(out);
        }
    }

    private static TensorImpl withoutGraph(TensorImpl ones, TensorImpl soft) {
        try (Temps t = new Temps()) {
            return Elementwise.sub(ones, t.own(soft.alias()), 1);
        }
    }
}
