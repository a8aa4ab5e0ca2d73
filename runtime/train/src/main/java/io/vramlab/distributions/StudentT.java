package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;

/** Like a normal one, with outliers: {@code torch.distributions.StudentT}. */
public class StudentT extends Distribution {

    private final Tensor df;
    private final Tensor loc;
    private final Tensor scale;
    private final Chi2 chi2;

    /**
     * Around 0, of width 1; checked.
     *
     * @param df
     *            degrees of freedom, above 0: the fewer, the more outliers
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public StudentT(Tensor df) {
        this(df, 0., 1., null);
    }

    /**
     * Checked.
     *
     * @param df
     *            degrees of freedom, above 0: the fewer, the more outliers
     * @param loc
     *            where most are
     * @param scale
     *            how far they reach, above 0; the three broadcast
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public StudentT(Tensor df, Tensor loc, Tensor scale) {
        this(df, loc, scale, null);
    }

    /**
     * Of one number of degrees of freedom; checked.
     *
     * @param df
     *            degrees of freedom, above 0: the fewer, the more outliers
     * @param loc
     *            where most are
     * @param scale
     *            how far they reach, above 0; broadcasts with the place
     * @throws IllegalArgumentException
     *             if a parameter has a value that it must not have
     */
    public StudentT(double df, Tensor loc, Tensor scale) {
        this(df, loc, scale, null);
    }

    private StudentT(Object df, Object loc, Object scale, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] all = Parameters.broadcast(df, loc, scale);
        this.df = keep(all[0], df);
        this.loc = keep(all[1], loc);
        this.scale = keep(all[2], scale);
        chi2 = new Chi2(this.df);
        Lifetimes.takes(this, chi2);
        shapes(this.df.shape(), new long[0]);
        checkParameters("df", this.df, Constraint.POSITIVE, "loc", this.loc, Constraint.REAL, "scale", this.scale,
                Constraint.POSITIVE);
    }

    private Term dfTerm() {
        return Term.of(df);
    }

    private Term locTerm() {
        return Term.of(loc);
    }

    private Term scaleTerm() {
        return Term.of(scale);
    }

    /** {@return the degrees of freedom of each, in the batch's shape} */
    public final Tensor df() {
        return dfTerm().give();
    }

    /** {@return the place of each, in the batch's shape} */
    public final Tensor loc() {
        return locTerm().give();
    }

    /** {@return the width of each, in the batch's shape} */
    public final Tensor scale() {
        return scaleTerm().give();
    }

    @Override
    Constraint support() {
        return Constraint.REAL;
    }

    /** Not a number where there are no more degrees of freedom than one. */
    @Override
    public Tensor mean() {
        Term m = locTerm().map(t -> t.clone()).named();
        set(m, Double.NaN, dfTerm().map(t -> t.le(1)));
        return m.give();
    }

    private static void set(Term m, double value, Term where) {
        try (Term mask = where.named()) {
            m.tensor().set(value, mask.tensor());
        }
    }

    private Term where(Term t, double above) {
        return t.with(dfTerm().map(d -> d.gt(above)), (a, mask) -> a.index(mask));
    }

    @Override
    public Tensor mode() {
        return locTerm().give();
    }

    /** Infinite up to two degrees of freedom, and not a number up to one. */
    @Override
    public Tensor variance() {
        Term m = dfTerm().map(t -> t.clone()).named();
        Term found = where(scaleTerm(), 2).pow(2).mul(where(dfTerm(), 2)).div(where(dfTerm(), 2).sub(2)).named();
        try (Term many = dfTerm().map(t -> t.gt(2)).named(); Term first = found) {
            m.tensor().set(first.tensor(), many.tensor());
        }
        set(m, Double.POSITIVE_INFINITY, dfTerm().map(t -> t.le(2)).and(dfTerm().map(t -> t.gt(1))));
        set(m, Double.NaN, dfTerm().map(t -> t.le(1)));
        return m.give();
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term x = Normal.standard(extended(sampleShape), df).named();
                Term z = Term.made(chi2.rsample(sampleShape)).named();
                Term y = x.mul(z.div(dfTerm()).map(Tensor::rsqrt)).named()) {
            return locTerm().add(scaleTerm().mul(y)).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term y = Term.made(value.sub(loc)).div(scaleTerm()).named();
                Term z = scaleTerm().log().add(dfTerm().log().mul(.5)).add(.5 * Math.log(Math.PI))
                        .add(dfTerm().mul(.5).lgamma()).sub(dfTerm().add(1).mul(.5).lgamma()).named()) {
            return dfTerm().add(1).mul(-.5).mul(y.pow(2).div(dfTerm()).log1p())
                    .sub(z).give();
        }
    }

    @Override
    public Tensor entropy() {
        try (Term beta = dfTerm().mul(.5).lgamma().add(.5 * Math.log(Math.PI)).sub(dfTerm().add(1).mul(.5).lgamma())
                .named()) {
            return scaleTerm().log()
                    .add(dfTerm().add(1).mul(.5)
                            .mul(dfTerm().add(1).mul(.5).digamma().sub(dfTerm().mul(.5).digamma())))
                    .add(dfTerm().log().mul(.5)).add(beta).give();
        }
    }

    @Override
    public void close() {
        chi2.close();
        super.close();
    }
}
