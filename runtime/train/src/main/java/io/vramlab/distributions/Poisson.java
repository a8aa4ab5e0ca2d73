package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;

/** How often something happens that happens at a rate: {@code torch.distributions.Poisson}. */
public class Poisson extends Distribution {

    private final Tensor rate;

    /**
     * Checked.
     *
     * @param rate
     *            how often it happens on average, 0 or more
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Poisson(Tensor rate) {
        this((Object) rate, null);
    }

    /**
     * Checked.
     *
     * @param rate
     *            how often it happens on average, 0 or more
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Poisson(double rate) {
        this((Object) rate, null);
    }

    /**
     * Checked or not.
     *
     * @param rate
     *            how often it happens on average, 0 or more
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and a parameter has a value that it must not have
     */
    public Poisson(Tensor rate, Boolean validateArgs) {
        this((Object) rate, validateArgs);
    }

    private Poisson(Object rate, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(rate);
        this.rate = keep(all[0], rate);
        shapes(this.rate.shape(), new long[0]);
        checkParameters("rate", this.rate, Constraint.NONNEGATIVE);
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
        return Constraint.NONNEGATIVE_INTEGER;
    }

    @Override
    public Tensor mean() {
        return rateTerm().give();
    }

    @Override
    public Tensor mode() {
        return rateTerm().map(Tensor::floor).give();
    }

    @Override
    public Tensor variance() {
        return rateTerm().give();
    }

    @Override
    public boolean hasRsample() {
        return false;
    }

    @Override
    public Tensor sample(long... sampleShape) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Term.made(rate.expand(extended(sampleShape))).map(Tensor::poisson).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        Tensor[] both = Parameters.broadcast(rate, value);
        try (Term rates = Parameters.named(both[0], rate); Term values = Parameters.named(both[1], value)) {
            return values.xlogy(rates).sub(rates).sub(values.add(1).lgamma()).give();
        }
    }
}
