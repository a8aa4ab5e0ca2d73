package io.vramlab.distributions;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** One of several classes, as a vector with a one in its place: {@code torch.distributions.OneHotCategorical}. */
public class OneHotCategorical extends Distribution {

    private final Categorical categorical;

    /**
     * Checked.
     *
     * @param probs
     *            weights of the classes in the last dimension; need not add up to 1
     * @throws IllegalArgumentException
     *             if a weight is negative, or there is no dimension
     */
    public OneHotCategorical(Tensor probs) {
        this(probs, null, null);
    }

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
    public OneHotCategorical(Tensor probs, Tensor logits) {
        this(probs, logits, null);
    }

    /**
     * Checked or not.
     *
     * @param probs
     *            weights of the classes in the last dimension, or null
     * @param logits
     *            their logarithms, up to a constant, or null
     * @param validateArgs
     *            whether values are checked; null for the default
     * @throws IllegalArgumentException
     *             if both are given or none, a weight is negative, or there is no dimension
     */
    public OneHotCategorical(Tensor probs, Tensor logits, Boolean validateArgs) {
        super(validateArgs);
        categorical = new Categorical(probs, logits);
        shapes(categorical.batchShape(), new long[]{categorical.classes()});
        // both are asked for here, also the one that is computed
        checkParameters("probs", categorical::probsTensor, Constraint.SIMPLEX, "logits", categorical::logitsTensor,
                Constraint.REAL_VECTOR);
    }

    final Categorical categorical() {
        return categorical;
    }

    final Term probsTerm() {
        return categorical.probsTerm();
    }

    @Override
    Constraint support() {
        return Constraint.ONE_HOT;
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
        try (Term most = probsTerm().map(t -> t.argmax(-1)).named()) {
            return most.map(this::oneHot).with(probsTerm(), Tensor::typeAs).give();
        }
    }

    @Override
    public Tensor variance() {
        return probsTerm().mul(probsTerm().from(1)).give();
    }

    private Tensor oneHot(Tensor index) {
        return Functional.oneHot(index, categorical.classes());
    }

    @Override
    public Tensor sample(long... sampleShape) {
        Term probs = probsTerm();
        try (Term indices = Term.made(categorical.sample(sampleShape)).named()) {
            return indices.map(this::oneHot).with(probs, Tensor::typeAs).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        Tensor[] most = value.max(-1);
        most[0].close();
        try (Tensor indices = most[1]) {
            return categorical.logProb(indices);
        }
    }

    @Override
    public Tensor entropy() {
        return categorical.entropy();
    }

    @Override
    public void close() {
        categorical.close();
        super.close();
    }
}
