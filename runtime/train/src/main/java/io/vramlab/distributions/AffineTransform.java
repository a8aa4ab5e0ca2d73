package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;

/** {@code loc + scale * x}: {@code torch.distributions.AffineTransform}. */
public final class AffineTransform extends Transform {

    private final Tensor loc;
    private final Tensor scale;
    private final double locValue;
    private final double scaleValue;

    /**
     * By numbers, without a cache.
     *
     * @param loc
     *            what is added
     * @param scale
     *            what is multiplied, not 0
     */
    public AffineTransform(double loc, double scale) {
        this(loc, scale, 0);
    }

    /**
     * By numbers.
     *
     * @param loc
     *            what is added
     * @param scale
     *            what is multiplied, not 0
     * @param cacheSize
     *            1 to remember the last pair
     */
    public AffineTransform(double loc, double scale, int cacheSize) {
        super(cacheSize);
        this.loc = null;
        this.scale = null;
        locValue = loc;
        scaleValue = scale;
    }

    /**
     * By tensors, without a cache.
     *
     * @param loc
     *            what is added; held
     * @param scale
     *            what is multiplied, not 0; held
     */
    public AffineTransform(Tensor loc, Tensor scale) {
        super(0);
        this.loc = loc;
        this.scale = scale;
        locValue = 0;
        scaleValue = 1;
        for (Tensor t : new Tensor[]{loc, scale}) {
            Lifetimes.hold(t);
            Lifetimes.takes(this, t);
        }
    }

    @Override
    int sign() {
        return scale != null ? 0 : (int) Math.signum(scaleValue);
    }

    @Override
    Term of(Term x) {
        return scale == null
                ? x.mul(scaleValue).add(locValue)
                : Term.of(loc).add(Term.of(scale).mul(x));
    }

    @Override
    Term inverse(Term y) {
        return scale == null ? y.sub(locValue).div(scaleValue) : y.sub(Term.of(loc)).div(Term.of(scale));
    }

    @Override
    Term logAbsDetJacobian(Term x, Term y) {
        long[] shape = x.tensor().shape();
        Term result = scale == null
                ? Term.made(x.tensor().fullLike(Math.log(Math.abs(scaleValue))))
                : Term.of(scale).abs().log();
        return result.map(t -> t.expand(shape));
    }

    @Override
    Constraint codomain() {
        return Constraint.REAL;
    }

    @Override
    protected void letGo() {
        super.letGo();
        Lifetimes.drop(loc);
        Lifetimes.drop(scale);
    }
}
