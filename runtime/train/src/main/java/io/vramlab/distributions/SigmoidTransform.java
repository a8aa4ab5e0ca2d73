package io.vramlab.distributions;

import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;

/** The logistic function, kept away from 0 and 1: {@code torch.distributions.SigmoidTransform}. */
public final class SigmoidTransform extends Transform {

    /** Without a cache. */
    public SigmoidTransform() {
        this(0);
    }

    /**
     * With a cache or without.
     *
     * @param cacheSize
     *            1 to remember the last pair
     */
    public SigmoidTransform(int cacheSize) {
        super(cacheSize);
    }

    @Override
    Term of(Term x) {
        DType dtype = x.tensor().dtype();
        return x.map(Tensor::sigmoid).map(t -> t.clamp(dtype.tiny(), 1 - dtype.eps()));
    }

    @Override
    Term inverse(Term y) {
        DType dtype = y.tensor().dtype();
        try (Term clamped = y.map(t -> t.clamp(dtype.tiny(), 1 - dtype.eps())).named()) {
            return clamped.log().sub(clamped.neg().log1p());
        }
    }

    @Override
    Term logAbsDetJacobian(Term x, Term y) {
        return x.neg().softplus().neg().sub(x.softplus());
    }

    @Override
    Constraint codomain() {
        return Constraint.UNIT_INTERVAL;
    }
}
