package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/** The logarithm of a {@link RelaxedOneHotCategorical}. */
final class ExpRelaxedCategorical extends Distribution {

    private final Categorical categorical;
    private final Tensor temperature;

    ExpRelaxedCategorical(Tensor temperature, Tensor probs, Tensor logits) {
        super(null);
        categorical = new Categorical(probs, logits);
        this.temperature = hold(temperature);
        shapes(categorical.batchShape(), new long[]{categorical.classes()});
        // both are asked for here, also the one that is computed
        checkParameters("probs", categorical::probsTensor, Constraint.SIMPLEX, "logits", categorical::logitsTensor,
                Constraint.REAL_VECTOR);
    }

    Categorical categorical() {
        return categorical;
    }

    @Override
    Constraint support() {
        return Constraint.REAL_VECTOR;
    }

    private static Term centred(Term scores) {
        return scores.sub(scores.map(t -> t.logsumexp(new int[]{-1}, true)));
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        Term logits = categorical.logitsTerm();
        TensorOptions options = new TensorOptions(logits.tensor().dtype(), logits.tensor().device(), false);
        try (Term uniforms = Parameters.clampProbs(Term.made(Tensor.rand(options, extended(sampleShape)))).named();
                Term gumbels = uniforms.log().neg().log().neg().named();
                Term scores = logits.add(gumbels).div(Term.of(temperature)).named()) {
            return centred(scores).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        long k = categorical.classes();
        Tensor own = categorical.logitsTensor();
        Tensor[] both = Parameters.broadcast(own, value);
        try (Term logits = Parameters.named(both[0], own);
                Term values = Parameters.named(both[1], value);
                Term logScale = Term.made(temperature.fullLike(k)).lgamma()
                        .sub(Term.of(temperature).log().mul(-(k - 1.))).named();
                Term score = logits.sub(values.mul(Term.of(temperature))).named();
                Term sum = centred(score).sum().named()) {
            return sum.add(logScale).give();
        }
    }

    @Override
    public void close() {
        categorical.close();
        super.close();
    }
}
