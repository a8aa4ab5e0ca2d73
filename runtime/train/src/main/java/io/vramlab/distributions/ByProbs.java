package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** What is given by probabilities or by logits, and computes the other when it is asked for it. */
abstract class ByProbs extends Distribution {

    private Tensor probs;
    private Tensor logits;

    ByProbs(Boolean validateArgs) {
        super(validateArgs);
    }

    static void oneOf(Object probs, Object logits) {
        if ((probs == null) == (logits == null)) {
            throw new IllegalArgumentException("Either `probs` or `logits` must be specified, but not both.");
        }
    }

    /** Takes over one of the two; the other is null. */
    final void given(Tensor probs, Tensor logits) {
        this.probs = probs == null ? null : own(probs);
        this.logits = logits == null ? null : own(logits);
    }

    /** Takes what {@link Parameters#broadcast} made of one of the two. */
    final void given(Tensor probs, Tensor logits, Tensor seen) {
        this.probs = probs == null ? null : keep(seen, probs);
        this.logits = logits == null ? null : keep(seen, logits);
    }

    abstract Term probsOf(Term logits);

    abstract Term logitsOf(Term probs);

    final Term probsTerm() {
        if (probs == null) {
            probs = lazily(() -> probsOf(Term.of(logits)));
        }
        return Term.of(probs);
    }

    final Term logitsTerm() {
        if (logits == null) {
            logits = lazily(() -> logitsOf(Term.of(probs)));
        }
        return Term.of(logits);
    }

    final Tensor probsTensor() {
        return probsTerm().tensor();
    }

    final Tensor logitsTensor() {
        return logitsTerm().tensor();
    }

    /** {@return the probabilities, normalized; computed at the first time if logits were given} */
    public final Tensor probs() {
        return probsTerm().give();
    }

    /** {@return the logarithms of the probabilities, or log-odds; computed at the first time if probabilities were given} */
    public final Tensor logits() {
        return logitsTerm().give();
    }
}
