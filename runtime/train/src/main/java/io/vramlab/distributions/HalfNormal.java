package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** How far normal draws around 0 are from it: {@code torch.distributions.HalfNormal}. */
public class HalfNormal extends TransformedDistribution {

    private final Normal normal;

    /**
     * Checked.
     *
     * @param scale
     *            the normal draws' standard deviation, above 0
     * @throws IllegalArgumentException
     *             if it is not
     */
    public HalfNormal(Tensor scale) {
        this(new Normal(0, scale, false), null);
    }

    /**
     * Checked or not.
     *
     * @param scale
     *            the normal draws' standard deviation, above 0
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and it is not above 0
     */
    public HalfNormal(Tensor scale, Boolean validateArgs) {
        this(new Normal(0, scale, false), validateArgs);
    }

    private HalfNormal(Normal normal, Boolean validateArgs) {
        super(normal, java.util.List.of(new AbsTransform()), validateArgs);
        this.normal = normal;
        checkParameters("scale", normal.scaleTerm().tensor(), Constraint.POSITIVE);
    }

    /** {@return the normal draws' standard deviation, in the batch's shape} */
    public final Tensor scale() {
        return normal.scale();
    }

    @Override
    Constraint support() {
        return Constraint.NONNEGATIVE;
    }

    @Override
    public Tensor mean() {
        return normal.scaleTerm().mul(Math.sqrt(2 / Math.PI)).give();
    }

    @Override
    public Tensor mode() {
        return normal.scaleTerm().map(t -> t.zerosLike()).give();
    }

    @Override
    public Tensor variance() {
        return normal.scaleTerm().pow(2).mul(1 - 2 / Math.PI).give();
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term density = Term.made(normal.logProb(value)).add(Math.log(2)).named()) {
            return Term.made(value.ge(0)).map(t -> Tensor.where(t, density.tensor(), Double.NEGATIVE_INFINITY)).give();
        }
    }

    @Override
    public Tensor cdf(Tensor value) {
        checkValue(value);
        return Term.made(normal.cdf(value)).mul(2).sub(1).give();
    }

    @Override
    public Tensor icdf(Tensor value) {
        try (Term both = Term.of(value).add(1).div(2).named()) {
            return normal.icdf(both.tensor());
        }
    }

    @Override
    public Tensor entropy() {
        return Term.made(normal.entropy()).sub(Math.log(2)).give();
    }

    @Override
    public void close() {
        normal.close();
        super.close();
    }
}
