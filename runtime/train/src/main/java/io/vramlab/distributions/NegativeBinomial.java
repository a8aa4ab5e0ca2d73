package io.vramlab.distributions;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;

/** How many successes come before so many failures: {@code torch.distributions.NegativeBinomial}. */
public class NegativeBinomial extends ByProbs {

    private final Tensor totalCount;
    private Gamma gamma;

    /**
     * Checked.
     *
     * @param totalCount
     *            failures that end it, 0 or more; need not be whole
     * @param probs
     *            of a success, from 0 to less than 1; broadcasts with the failures
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public NegativeBinomial(Tensor totalCount, Tensor probs) {
        this(totalCount, probs, null, null);
    }

    /**
     * Checked.
     *
     * @param totalCount
     *            failures that end it, 0 or more; need not be whole
     * @param probs
     *            of a success, from 0 to less than 1
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public NegativeBinomial(double totalCount, Tensor probs) {
        this(totalCount, probs, null, null);
    }

    /**
     * Checked.
     *
     * @param totalCount
     *            failures that end it, 0 or more; need not be whole
     * @param probs
     *            of a success, from 0 to less than 1, or null; broadcasts with the failures
     * @param logits
     *            the log-odds of a success, or null
     * @throws IllegalArgumentException
     *             if both are given or none, or a parameter has a value that it must not have
     */
    public NegativeBinomial(Tensor totalCount, Tensor probs, Tensor logits) {
        this(totalCount, probs, logits, null);
    }

    private NegativeBinomial(Object totalCount, Tensor probs, Tensor logits, Boolean validateArgs) {
        super(validateArgs);
        oneOf(probs, logits);
        Tensor given = probs != null ? probs : logits;
        Tensor[] both = Parameters.broadcast(totalCount, given);
        this.totalCount = keep(both[0], totalCount);
        given(probs, logits, both[1]);
        shapes(both[1].shape(), new long[0]);
        checkParameters("total_count", this.totalCount, Constraint.NONNEGATIVE, probs != null ? "probs" : "logits",
                both[1], probs != null ? Constraint.halfOpenInterval(0, 1) : Constraint.REAL);
    }

    private Term totalCountTerm() {
        return Term.of(totalCount);
    }

    /** {@return the failures that end it, in the batch's shape} */
    public final Tensor totalCount() {
        return totalCountTerm().give();
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
        return Constraint.NONNEGATIVE_INTEGER;
    }

    @Override
    public boolean hasRsample() {
        return false;
    }

    @Override
    public Tensor mean() {
        return totalCountTerm().mul(logitsTerm().exp()).give();
    }

    @Override
    public Tensor mode() {
        return totalCountTerm().sub(1).mul(logitsTerm().exp()).map(Tensor::floor).map(t -> t.clampMin(0)).give();
    }

    @Override
    public Tensor variance() {
        return Term.made(mean()).div(logitsTerm().neg().map(Tensor::sigmoid)).give();
    }

    /** The rate of a Poisson draw is one of this, which is made at the first draw. */
    private Gamma gamma() {
        if (gamma == null) {
            gamma = new Gamma(totalCount, lazily(() -> logitsTerm().neg().exp()), false);
            Lifetimes.takes(this, gamma);
        }
        return gamma;
    }

    @Override
    public Tensor sample(long... sampleShape) {
        try (GradMode.State off = GradMode.enter(false);
                Term rate = Term.made(gamma().sample(sampleShape)).named()) {
            return rate.map(Tensor::poisson).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term unnormalized = totalCountTerm().mul(logitsTerm().neg().map(Functional::logsigmoid))
                .add(Term.of(value).mul(logitsTerm().map(Functional::logsigmoid))).named()) {
            // nothing is certain where no failure is waited for
            Term all = totalCountTerm().add(Term.of(value)).lgamma().neg().add(Term.of(value).add(1).lgamma())
                    .add(totalCountTerm().lgamma()).named();
            try (Term normalization = totalCountTerm().add(Term.of(value)).map(t -> t.eq(0))
                    .map(t -> all.tensor().maskedFill(t, 0)).named()) {
                all.close();
                return unnormalized.sub(normalization).give();
            }
        }
    }

    @Override
    public void close() {
        if (gamma != null) {
            gamma.close();
        }
        super.close();
    }
}
