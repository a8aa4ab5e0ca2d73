package io.vramlab.distributions;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.type.Reduction;

/** 1 with a probability, else 0: {@code torch.distributions.Bernoulli}. */
public class Bernoulli extends ByProbs {

    /**
     * Checked.
     *
     * @param probs
     *            the probability of 1
     * @throws IllegalArgumentException
     *             if one is not between 0 and 1
     */
    public Bernoulli(Tensor probs) {
        this(probs, null, null);
    }

    /**
     * Checked.
     *
     * @param probs
     *            the probability of 1, or null
     * @param logits
     *            its log-odds, or null
     * @throws IllegalArgumentException
     *             if both are given or none, or a probability is not between 0 and 1
     */
    public Bernoulli(Tensor probs, Tensor logits) {
        this(probs, logits, null);
    }

    /**
     * Checked or not.
     *
     * @param probs
     *            the probability of 1, or null
     * @param logits
     *            its log-odds, or null
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if both are given or none, or a probability is checked and not between 0 and 1
     */
    public Bernoulli(Tensor probs, Tensor logits, Boolean validateArgs) {
        super(validateArgs);
        oneOf(probs, logits);
        Tensor seen = Parameters.broadcast(probs != null ? probs : logits)[0];
        given(probs, probs != null ? null : logits, seen);
        shapes(seen.shape(), new long[0]);
        checkParameters(probs != null ? "probs" : "logits", seen,
                probs != null ? Constraint.UNIT_INTERVAL : Constraint.REAL);
    }

    @Override
    Term probsOf(Term logits) {
        return logits.map(Tensor::sigmoid);
    }

    @Override
    Term logitsOf(Term probs) {
        try (Term clamped = Parameters.clampProbs(probs).named()) {
            return clamped.log().sub(clamped.neg().log1p());
        }
    }

    @Override
    Constraint support() {
        return Constraint.BOOLEAN;
    }

    @Override
    public boolean hasRsample() {
        return false;
    }

    @Override
    public Tensor mean() {
        return probsTerm().give();
    }

    @Override
    public Tensor mode() {
        Term mode = probsTerm().map(t -> t.ge(.5)).with(probsTerm(), Tensor::typeAs).named();
        try (Tensor even = probsTerm().map(t -> t.eq(.5)).give()) {
            mode.tensor().set(Double.NaN, even);
        }
        return mode.give();
    }

    @Override
    public Tensor variance() {
        return probsTerm().mul(probsTerm().from(1)).give();
    }

    @Override
    public Tensor sample(long... sampleShape) {
        long[] shape = extended(sampleShape);
        try (GradMode.State off = GradMode.enter(false)) {
            return probsTerm().map(t -> t.expand(shape)).map(Tensor::bernoulli).give();
        }
    }

    private static Term crossEntropy(Term logits, Term value) {
        return logits.with(value, (a, b) -> Functional.binaryCrossEntropyWithLogits(a, b, Reduction.NONE));
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        Tensor own = logitsTensor();
        Tensor[] both = Parameters.broadcast(own, value);
        try (Term logits = Parameters.named(both[0], own); Term values = Parameters.named(both[1], value)) {
            return crossEntropy(logits, values).neg().give();
        }
    }

    @Override
    public Tensor entropy() {
        return crossEntropy(logitsTerm(), probsTerm()).give();
    }
}
