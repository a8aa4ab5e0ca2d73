package io.vramlab.distributions;

/** The exponential: {@code torch.distributions.ExpTransform}. */
public final class ExpTransform extends Transform {

    /** Without a cache. */
    public ExpTransform() {
        this(0);
    }

    /**
     * With a cache or without.
     *
     * @param cacheSize
     *            1 to remember the last pair
     */
    public ExpTransform(int cacheSize) {
        super(cacheSize);
    }

    @Override
    Term of(Term x) {
        return x.exp();
    }

    @Override
    Term inverse(Term y) {
        return y.log();
    }

    @Override
    Term logAbsDetJacobian(Term x, Term y) {
        return x;
    }

    @Override
    Constraint codomain() {
        return Constraint.POSITIVE;
    }
}
