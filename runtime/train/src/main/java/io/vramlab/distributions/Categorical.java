package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.Arrays;

/** One of several classes: {@code torch.distributions.Categorical}. */
public class Categorical extends ByProbs {

    private final long classes;

    /**
     * Checked.
     *
     * @param probs
     *            weights of the classes in the last dimension; need not add up to 1
     * @throws IllegalArgumentException
     *             if a weight is negative, or there is no dimension
     */
    public Categorical(Tensor probs) {
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
    public Categorical(Tensor probs, Tensor logits) {
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
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if both are given or none, a weight is checked and negative, or there is no dimension
     */
    public Categorical(Tensor probs, Tensor logits, Boolean validateArgs) {
        super(validateArgs);
        oneOf(probs, logits);
        Tensor weights = probs != null ? probs : logits;
        if (weights.dim() < 1) {
            throw new IllegalArgumentException("`" + (probs != null ? "probs" : "logits")
                    + "` parameter must be at least one-dimensional.");
        }
        Tensor normalized = (probs != null
                ? Term.of(probs).div(Term.of(probs).sumKept())
                : Term.of(logits).sub(Term.of(logits).map(t -> t.logsumexp(new int[]{-1}, true)))).give();
        given(probs != null ? normalized : null, probs != null ? null : normalized);
        classes = normalized.size(-1);
        shapes(Shapes.front(normalized.shape(), 1), new long[0]);
        checkParameters(probs != null ? "probs" : "logits", normalized,
                probs != null ? Constraint.SIMPLEX : Constraint.REAL_VECTOR);
    }

    final long classes() {
        return classes;
    }

    @Override
    Term probsOf(Term logits) {
        return logits.map(t -> t.softmax(-1));
    }

    @Override
    Term logitsOf(Term probs) {
        try (Term clamped = Parameters.clampProbs(probs).named()) {
            return clamped.log();
        }
    }

    @Override
    Constraint support() {
        return Constraint.integerInterval(0, classes - 1);
    }

    @Override
    public boolean hasRsample() {
        return false;
    }

    private Tensor nowhere() {
        Tensor like = probsTerm().tensor();
        return Tensor.full(new TensorOptions(like.dtype(), like.device(), false), Double.NaN, extended());
    }

    /** Not a number: classes have no mean. */
    @Override
    public Tensor mean() {
        return nowhere();
    }

    /** Not a number: classes have no variance. */
    @Override
    public Tensor variance() {
        return nowhere();
    }

    @Override
    public Tensor mode() {
        return probsTerm().map(t -> t.argmax(-1)).give();
    }

    @Override
    public Tensor sample(long... sampleShape) {
        long many = Arrays.stream(sampleShape).reduce(1, (a, b) -> a * b);
        try (Term rows = probsTerm().map(t -> t.reshape(-1, classes)).named();
                Term drawn = rows.map(t -> t.multinomial(many, true)).map(Tensor::t).named()) {
            return drawn.map(t -> t.reshape(extended(sampleShape))).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        Tensor own = logitsTensor();
        try (Term index = Term.of(value).map(Tensor::toLong).map(t -> t.unsqueeze(-1)).named()) {
            Tensor[] both = Parameters.broadcast(index.tensor(), own);
            try (Term spread = Parameters.named(both[0], index.tensor());
                    Term logPmf = Parameters.named(both[1], own);
                    Tensor first = spread.tensor().narrow(-1, 0, 1)) {
                return logPmf.map(t -> t.gather(-1, first)).map(t -> t.squeeze(-1)).give();
            }
        }
    }

    @Override
    public Tensor entropy() {
        double least = logitsTerm().tensor().dtype().min();
        try (Term logits = logitsTerm().map(t -> t.clampMin(least)).named();
                Term pLogP = logits.mul(probsTerm()).named()) {
            return pLogP.sum().neg().give();
        }
    }
}
