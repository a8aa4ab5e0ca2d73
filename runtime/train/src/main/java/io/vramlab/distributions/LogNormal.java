package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** What has a normal logarithm: {@code torch.distributions.LogNormal}. */
public class LogNormal extends TransformedDistribution {

    private final Normal normal;

    /**
     * Checked.
     *
     * @param loc
     *            the logarithm's mean
     * @param scale
     *            the logarithm's standard deviation
     * @throws IllegalArgumentException
     *             if a deviation is not positive, or a mean not a number
     */
    public LogNormal(Tensor loc, Tensor scale) {
        this(new Normal(loc, scale));
    }

    private LogNormal(Normal normal) {
        super(normal, new ExpTransform());
        this.normal = normal;
        // its own parameters are the base's, which PyTorch checks once more
        checkParameters("loc", normal.locTerm().tensor(), Constraint.REAL, "scale", normal.scaleTerm().tensor(),
                Constraint.POSITIVE);
    }

    @Override
    public Tensor mean() {
        return normal.locTerm().add(normal.scaleTerm().pow(2).div(2)).exp().give();
    }

    @Override
    public Tensor mode() {
        return normal.locTerm().sub(normal.scaleTerm().map(Tensor::square)).exp().give();
    }

    @Override
    public Tensor variance() {
        try (Term squared = normal.scaleTerm().pow(2).named()) {
            return squared.map(Tensor::expm1).mul(normal.locTerm().mul(2).add(squared).exp()).give();
        }
    }

    @Override
    public Tensor entropy() {
        return Term.made(normal.entropy()).add(normal.locTerm()).give();
    }

    @Override
    public void close() {
        normal.close();
        super.close();
    }
}
