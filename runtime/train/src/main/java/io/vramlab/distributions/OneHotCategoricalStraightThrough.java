package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** {@link OneHotCategorical} whose draws pass gradients on as if they were the probabilities. */
public class OneHotCategoricalStraightThrough extends OneHotCategorical {

    /**
     * Checked.
     *
     * @param probs
     *            weights of the classes in the last dimension, or null
     * @param logits
     *            their logarithms, up to a constant, or null
     * @throws IllegalArgumentException
     *             if both are given or none, a weight is negative, or there is no dimension
     */
    public OneHotCategoricalStraightThrough(Tensor probs, Tensor logits) {
        super(probs, logits);
    }

    @Override
    public boolean hasRsample() {
        return true;
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term samples = Term.made(sample(sampleShape)).named()) {
            return samples.add(probsTerm().sub(probsTerm().map(Tensor::detach))).give();
        }
    }
}
