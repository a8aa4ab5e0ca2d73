package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** Waiting for what happens at a rate: {@code torch.distributions.Exponential}. */
public class Exponential extends Distribution {

    private final Tensor rate;

    /**
     * Checked.
     *
     * @param rate
     *            how often it happens, above 0
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Exponential(Tensor rate) {
        this((Object) rate, null);
    }

    /**
     * Checked.
     *
     * @param rate
     *            how often it happens, above 0
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Exponential(double rate) {
        this((Object) rate, null);
    }

    /**
     * Checked or not.
     *
     * @param rate
     *            how often it happens, above 0
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and a parameter has a value that it must not have
     */
    public Exponential(Tensor rate, Boolean validateArgs) {
        this((Object) rate, validateArgs);
    }

    private Exponential(Object rate, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(rate);
        this.rate = keep(all[0], rate);
        shapes(this.rate.shape(), new long[0]);
        checkParameters("rate", this.rate, Constraint.POSITIVE);
    }

    final Term rateTerm() {
        return Term.of(rate);
    }

    /** {@return the rate of each, in the batch's shape} */
    public final Tensor rate() {
        return rateTerm().give();
    }

    @Override
    Constraint support() {
        return Constraint.NONNEGATIVE;
    }

    @Override
    public Tensor mean() {
        return rateTerm().reciprocal().give();
    }

    @Override
    public Tensor mode() {
        return rateTerm().map(t -> t.zerosLike()).give();
    }

    @Override
    public Tensor stddev() {
        return rateTerm().reciprocal().give();
    }

    @Override
    public Tensor variance() {
        return rateTerm().pow(-2).give();
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        return Term.made(rate.newEmpty(extended(sampleShape))).map(Tensor::exponential_).div(rateTerm()).give();
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        return rateTerm().log().sub(rateTerm().mul(Term.of(value))).give();
    }

    @Override
    public Tensor cdf(Tensor value) {
        checkValue(value);
        return rateTerm().neg().mul(Term.of(value)).exp().from(1).give();
    }

    @Override
    public Tensor icdf(Tensor value) {
        return Term.made(value.neg()).log1p().neg().div(rateTerm()).give();
    }

    @Override
    public Tensor entropy() {
        return rateTerm().log().from(1).give();
    }
}
