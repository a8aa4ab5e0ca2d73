package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** Waiting until something has happened several times: {@code torch.distributions.Gamma}. */
public class Gamma extends Distribution {

    private final Tensor concentration;
    private final Tensor rate;

    /**
     * Checked.
     *
     * @param concentration
     *            the shape, above 0
     * @param rate
     *            how often it happens, above 0; broadcasts with the shape
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Gamma(Tensor concentration, Tensor rate) {
        this((Object) concentration, rate, null);
    }

    /**
     * Checked.
     *
     * @param concentration
     *            the shape, above 0
     * @param rate
     *            how often it happens, above 0; broadcasts with the shape
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Gamma(Tensor concentration, double rate) {
        this((Object) concentration, rate, null);
    }

    /**
     * Checked.
     *
     * @param concentration
     *            the shape, above 0
     * @param rate
     *            how often it happens, above 0; broadcasts with the shape
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Gamma(double concentration, Tensor rate) {
        this((Object) concentration, rate, null);
    }

    /**
     * Checked.
     *
     * @param concentration
     *            the shape, above 0
     * @param rate
     *            how often it happens, above 0; broadcasts with the shape
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Gamma(double concentration, double rate) {
        this((Object) concentration, rate, null);
    }

    /**
     * Checked or not.
     *
     * @param concentration
     *            the shape, above 0
     * @param rate
     *            how often it happens, above 0; broadcasts with the shape
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and a parameter has a value that it must not have
     */
    public Gamma(Tensor concentration, Tensor rate, Boolean validateArgs) {
        this((Object) concentration, rate, validateArgs);
    }

    /** Of a concentration that was made for this; not checked. */
    Gamma(Term concentration, double rate, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(concentration.tensor(), rate);
        this.concentration = own(concentration.give());
        this.rate = own(all[1]);
        shapes(this.concentration.shape(), new long[0]);
    }

    private Gamma(Object concentration, Object rate, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(concentration, rate);
        this.concentration = keep(all[0], concentration);
        this.rate = keep(all[1], rate);
        shapes(this.concentration.shape(), new long[0]);
        checkParameters("concentration", this.concentration, Constraint.POSITIVE, "rate", this.rate,
                Constraint.POSITIVE);
    }

    final Term concentrationTerm() {
        return Term.of(concentration);
    }

    /** {@return the concentration of each, in the batch's shape} */
    public final Tensor concentration() {
        return concentrationTerm().give();
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
        return concentrationTerm().div(rateTerm()).give();
    }

    @Override
    public Tensor mode() {
        return concentrationTerm().sub(1).div(rateTerm()).map(t -> t.clampMin(0)).give();
    }

    @Override
    public Tensor variance() {
        return concentrationTerm().div(rateTerm().pow(2)).give();
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        long[] shape = extended(sampleShape);
        Term value = Term.made(concentration.expand(shape)).map(Tensor::standardGamma)
                .div(Term.made(rate.expand(shape)));
        try (Tensor detached = value.tensor().detach()) {
            detached.clampMin_(detached.dtype().tiny());
        }
        return value.give();
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        return concentrationTerm().xlogy(rateTerm()).add(concentrationTerm().sub(1).xlogy(Term.of(value)))
                .sub(rateTerm().mul(Term.of(value))).sub(concentrationTerm().lgamma()).give();
    }

    @Override
    public Tensor entropy() {
        return concentrationTerm().sub(rateTerm().log()).add(concentrationTerm().lgamma())
                .add(concentrationTerm().from(1).mul(concentrationTerm().digamma())).give();
    }
}
