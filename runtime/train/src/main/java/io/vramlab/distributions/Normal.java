package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.GradMode;

/** The normal distribution: {@code torch.distributions.Normal}. */
public class Normal extends Distribution {

    private static final double HALF_LOG_2_PI = Math.log(Math.sqrt(2 * Math.PI));

    private final Tensor loc;
    private final Tensor scale;

    /**
     * Checked.
     *
     * @param loc
     *            the mean
     * @param scale
     *            the standard deviation; broadcasts with the mean
     * @throws IllegalArgumentException
     *             if a deviation is not positive, or a mean not a number
     */
    public Normal(Tensor loc, Tensor scale) {
        this(loc, scale, null);
    }

    /**
     * Checked.
     *
     * @param loc
     *            the mean
     * @param scale
     *            the standard deviation of all
     */
    public Normal(Tensor loc, double scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked.
     *
     * @param loc
     *            the mean of all
     * @param scale
     *            the standard deviation
     */
    public Normal(double loc, Tensor scale) {
        this((Object) loc, scale, null);
    }

    /**
     * One distribution, on the current device.
     *
     * @param loc
     *            the mean
     * @param scale
     *            the standard deviation
     */
    public Normal(double loc, double scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked or not.
     *
     * @param loc
     *            the mean
     * @param scale
     *            the standard deviation; broadcasts with the mean
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if they are, and a deviation is not positive, or a mean not a number
     */
    public Normal(Tensor loc, Tensor scale, Boolean validateArgs) {
        this((Object) loc, scale, validateArgs);
    }

    Normal(double loc, Tensor scale, Boolean validateArgs) {
        this((Object) loc, scale, validateArgs);
    }

    private Normal(Object loc, Object scale, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] both = Parameters.broadcast(loc, scale);
        this.loc = keep(both[0], loc);
        this.scale = keep(both[1], scale);
        shapes(this.loc.shape(), new long[0]);
        checkParameters("loc", this.loc, Constraint.REAL, "scale", this.scale, Constraint.POSITIVE);
    }

    final Term locTerm() {
        return Term.of(loc);
    }

    /** {@return the place of each, in the batch's shape} */
    public final Tensor loc() {
        return locTerm().give();
    }

    final Term scaleTerm() {
        return Term.of(scale);
    }

    /** {@return the width of each, in the batch's shape} */
    public final Tensor scale() {
        return scaleTerm().give();
    }

    @Override
    Constraint support() {
        return Constraint.REAL;
    }

    @Override
    public Tensor mean() {
        return locTerm().give();
    }

    @Override
    public Tensor mode() {
        return locTerm().give();
    }

    @Override
    public Tensor stddev() {
        return scaleTerm().give();
    }

    @Override
    public Tensor variance() {
        return scaleTerm().pow(2).give();
    }

    @Override
    public Tensor sample(long... sampleShape) {
        long[] shape = extended(sampleShape);
        try (GradMode.State off = GradMode.enter(false)) {
            return Term.made(loc.expand(shape)).with(Term.made(scale.expand(shape)), Tensor::normal).give();
        }
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term eps = standard(extended(sampleShape), loc).named()) {
            return locTerm().add(Term.of(eps.tensor()).mul(scaleTerm())).give();
        }
    }

    /** Draws of mean 0 and deviation 1, beside a tensor. */
    static Term standard(long[] shape, Tensor beside) {
        return Term.made(Tensor.empty(new TensorOptions(beside.dtype(), beside.device(), false), shape))
                .map(Tensor::normal_);
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term var = scaleTerm().pow(2).named(); Term logScale = scaleTerm().log().named()) {
            return Term.made(value.sub(loc)).pow(2).neg().div(Term.of(var.tensor()).mul(2))
                    .sub(Term.of(logScale.tensor()))
                    .sub(HALF_LOG_2_PI).give();
        }
    }

    @Override
    public Tensor cdf(Tensor value) {
        checkValue(value);
        return Term.made(value.sub(loc)).mul(scaleTerm().reciprocal()).div(Math.sqrt(2)).map(Tensor::erf).add(1).mul(.5)
                .give();
    }

    @Override
    public Tensor icdf(Tensor value) {
        return locTerm().add(scaleTerm().mul(Term.made(value.mul(2.)).sub(1).map(Tensor::erfinv)).mul(Math.sqrt(2)))
                .give();
    }

    @Override
    public Tensor entropy() {
        return scaleTerm().log().add(.5 + .5 * Math.log(2 * Math.PI)).give();
    }
}
