package io.vramlab.distributions;

/** The magnitude: {@code torch.distributions.transforms.AbsTransform}. Of two values one comes back, the one that is not negative. */
public final class AbsTransform extends Transform {

    /** Without a cache. */
    public AbsTransform() {
        super(0);
    }

    @Override
    Term of(Term x) {
        return x.abs();
    }

    @Override
    Term inverse(Term y) {
        return y;
    }

    /** There is none: two values have one magnitude. */
    @Override
    Term logAbsDetJacobian(Term x, Term y) {
        throw new UnsupportedOperationException(
                "The density of magnitudes was asked of an AbsTransform, which two values "
                        + "lead to. Write it for the distribution at hand, as HalfNormal does.");
    }

    @Override
    Constraint codomain() {
        return Constraint.POSITIVE;
    }
}
