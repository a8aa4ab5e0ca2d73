package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/** Every value between two equally often: {@code torch.distributions.Uniform}. */
public class Uniform extends Distribution {

    private final Tensor low;
    private final Tensor high;

    /**
     * Checked.
     *
     * @param low
     *            the least value
     * @param high
     *            above the least; broadcasts with it
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Uniform(Tensor low, Tensor high) {
        this((Object) low, high, null);
    }

    /**
     * Checked.
     *
     * @param low
     *            the least value
     * @param high
     *            above the least; broadcasts with it
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Uniform(Tensor low, double high) {
        this((Object) low, high, null);
    }

    /**
     * Checked.
     *
     * @param low
     *            the least value
     * @param high
     *            above the least; broadcasts with it
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Uniform(double low, Tensor high) {
        this((Object) low, high, null);
    }

    /**
     * Checked.
     *
     * @param low
     *            the least value
     * @param high
     *            above the least; broadcasts with it
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Uniform(double low, double high) {
        this((Object) low, high, null);
    }

    /**
     * Checked or not.
     *
     * @param low
     *            the least value
     * @param high
     *            above the least; broadcasts with it
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and a parameter has a value that it must not have
     */
    public Uniform(Tensor low, Tensor high, Boolean validateArgs) {
        this((Object) low, high, validateArgs);
    }

    private Uniform(Object low, Object high, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(low, high);
        this.low = keep(all[0], low);
        this.high = keep(all[1], high);
        shapes(this.low.shape(), new long[0]);
        checkParameters("low", this.low, Constraint.lessThan(this.high), "high", this.high,
                Constraint.greaterThan(this.low));
    }

    final Term lowTerm() {
        return Term.of(low);
    }

    /** {@return the least value of each, in the batch's shape} */
    public final Tensor low() {
        return lowTerm().give();
    }

    final Term highTerm() {
        return Term.of(high);
    }

    /** {@return the bound above of each, in the batch's shape} */
    public final Tensor high() {
        return highTerm().give();
    }

    @Override
    Constraint support() {
        return Constraint.interval(low, high);
    }

    @Override
    public Tensor mean() {
        return highTerm().add(lowTerm()).div(2).give();
    }

    @Override
    public Tensor mode() {
        return highTerm().mul(Double.NaN).give();
    }

    @Override
    public Tensor stddev() {
        return highTerm().sub(lowTerm()).div(Math.sqrt(12)).give();
    }

    @Override
    public Tensor variance() {
        return highTerm().sub(lowTerm()).pow(2).div(12).give();
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term rand = Term
                .made(Tensor.rand(new TensorOptions(low.dtype(), low.device(), false), extended(sampleShape)))
                .named()) {
            return lowTerm().add(rand.mul(highTerm().sub(lowTerm()))).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term lb = Term.made(low.le(value)).map(t -> t.typeAs(low)).named();
                Term ub = Term.made(high.gt(value)).map(t -> t.typeAs(low)).named()) {
            return lb.mul(ub).log().sub(highTerm().sub(lowTerm()).log()).give();
        }
    }

    @Override
    public Tensor cdf(Tensor value) {
        checkValue(value);
        try (Term result = Term.made(value.sub(low)).div(highTerm().sub(lowTerm())).named()) {
            return result.map(t -> t.clamp(0, 1)).give();
        }
    }

    @Override
    public Tensor icdf(Tensor value) {
        return Term.of(value).mul(highTerm().sub(lowTerm())).add(lowTerm()).give();
    }

    @Override
    public Tensor entropy() {
        return highTerm().sub(lowTerm()).log().give();
    }
}
