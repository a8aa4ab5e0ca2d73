package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** The hyperbolic tangent, as squashed policies use it: {@code torch.distributions.TanhTransform}. */
public final class TanhTransform extends Transform {

    /** Without a cache. */
    public TanhTransform() {
        this(0);
    }

    /**
     * With a cache or without.
     *
     * @param cacheSize
     *            1 to remember the last pair
     */
    public TanhTransform(int cacheSize) {
        super(cacheSize);
    }

    @Override
    Term of(Term x) {
        return x.map(Tensor::tanh);
    }

    @Override
    Term inverse(Term y) {
        return y.map(Tensor::atanh);
    }

    @Override
    Term logAbsDetJacobian(Term x, Term y) {
        return x.from(Math.log(2)).sub(x.mul(-2).softplus()).mul(2);
    }

    @Override
    Constraint codomain() {
        return Constraint.interval(-1, 1);
    }
}
