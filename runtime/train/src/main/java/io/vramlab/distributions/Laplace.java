package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** Two exponentials back to back: {@code torch.distributions.Laplace}. */
public class Laplace extends Distribution {

    private final Tensor loc;
    private final Tensor scale;

    /**
     * Checked.
     *
     * @param loc
     *            where they meet
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Laplace(Tensor loc, Tensor scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked.
     *
     * @param loc
     *            where they meet
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Laplace(Tensor loc, double scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked.
     *
     * @param loc
     *            where they meet
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Laplace(double loc, Tensor scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked.
     *
     * @param loc
     *            where they meet
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public Laplace(double loc, double scale) {
        this((Object) loc, scale, null);
    }

    /**
     * Checked or not.
     *
     * @param loc
     *            where they meet
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and a parameter has a value that it must not have
     */
    public Laplace(Tensor loc, Tensor scale, Boolean validateArgs) {
        this((Object) loc, scale, validateArgs);
    }

    private Laplace(Object loc, Object scale, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(loc, scale);
        this.loc = keep(all[0], loc);
        this.scale = keep(all[1], scale);
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
    public Tensor variance() {
        return scaleTerm().pow(2).mul(2).give();
    }

    @Override
    public Tensor stddev() {
        return scaleTerm().mul(Math.sqrt(2)).give();
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term u = Term.made(loc.newEmpty(extended(sampleShape)))
                .map(t -> t.uniform_(loc.dtype().eps() - 1, 1)).named()) {
            return locTerm().sub(scaleTerm().mul(u.sign()).mul(u.abs().neg().log1p())).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        return scaleTerm().mul(2).log().neg().sub(Term.made(value.sub(loc)).abs().div(scaleTerm())).give();
    }

    @Override
    public Tensor cdf(Tensor value) {
        checkValue(value);
        return Term.made(value.sub(loc)).sign().mul(.5)
                .mul(Term.made(value.sub(loc)).abs().neg().div(scaleTerm()).map(Tensor::expm1)).from(.5).give();
    }

    @Override
    public Tensor icdf(Tensor value) {
        try (Term term = Term.made(value.sub(.5)).named()) {
            return locTerm().sub(scaleTerm().mul(term.sign()).mul(term.abs().mul(-2).log1p())).give();
        }
    }

    @Override
    public Tensor entropy() {
        return scaleTerm().mul(2).log().add(1).give();
    }
}
