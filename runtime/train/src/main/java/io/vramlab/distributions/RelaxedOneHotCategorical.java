package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/**
 * Nearly one of several classes, with gradients, the nearer the lower the temperature (Gumbel-softmax):
 * {@code torch.distributions.RelaxedOneHotCategorical}.
 */
public class RelaxedOneHotCategorical extends TransformedDistribution {

    private final ExpRelaxedCategorical relaxed;

    /**
     * Checked.
     *
     * @param temperature
     *            above 0; held
     * @param probs
     *            weights of the classes in the last dimension, or null
     * @param logits
     *            their logarithms, up to a constant, or null
     * @throws IllegalArgumentException
     *             if both are given or none, a weight is negative, or there is no dimension
     */
    public RelaxedOneHotCategorical(Tensor temperature, Tensor probs, Tensor logits) {
        this(new ExpRelaxedCategorical(temperature, probs, logits));
    }

    private RelaxedOneHotCategorical(ExpRelaxedCategorical relaxed) {
        super(relaxed, new ExpTransform());
        this.relaxed = relaxed;
        Categorical classes = relaxed.categorical();
        checkParameters("probs", classes::probsTensor, Constraint.SIMPLEX, "logits", classes::logitsTensor,
                Constraint.REAL_VECTOR);
    }

    @Override
    Constraint support() {
        return Constraint.SIMPLEX;
    }

    @Override
    public void close() {
        relaxed.close();
        super.close();
    }
}
