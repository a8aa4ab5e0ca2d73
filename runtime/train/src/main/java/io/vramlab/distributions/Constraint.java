package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import java.util.function.UnaryOperator;

/**
 * What values a parameter or a draw may have, as torch.distributions.constraints say it: a mask of where it is so, made by the same
 * operations.
 *
 * @param name
 *            as PyTorch's error says it
 * @param eventDim
 *            how many of the last dimensions one answer is for
 * @param of
 *            the mask
 */
record Constraint(String name, int eventDim, UnaryOperator<Term> of) {

    private static final double SUM_MAY_BE_OFF_BY = 1e-6;

    static final Constraint REAL = new Constraint("Real()", 0, v -> v.map(t -> t.eq(t)));
    static final Constraint POSITIVE = greaterThan(0);
    static final Constraint NONNEGATIVE = new Constraint("GreaterThanEq(lower_bound=0.0)", 0, v -> v.map(t -> t.ge(0)));
    static final Constraint UNIT_INTERVAL = interval(0, 1);
    static final Constraint BOOLEAN = new Constraint("Boolean()", 0,
            v -> anyOf(Term.made(v.tensor().eq(0)), Term.made(v.tensor().eq(1))));
    static final Constraint NONNEGATIVE_INTEGER = new Constraint("IntegerGreaterThan(lower_bound=0)", 0,
            v -> whole(v).and(Term.made(v.tensor().ge(0))));
    static final Constraint REAL_VECTOR = independent(REAL, 1);
    static final Constraint SIMPLEX = new Constraint("Simplex()", 1, v -> Term.made(v.tensor().ge(0))
            .map(t -> t.all(-1))
            .and(Term.made(v.tensor().sum(-1)).sub(1).abs().map(t -> t.lt(SUM_MAY_BE_OFF_BY))));
    static final Constraint ONE_HOT = new Constraint("OneHot()", 1, Constraint::isOneHot);

    /** The mask; what is given is borrowed. */
    Tensor check(Tensor value) {
        return of.apply(Term.of(value)).give();
    }

    static Constraint greaterThan(double bound) {
        return new Constraint("GreaterThan(lower_bound=" + bound + ")", 0, v -> v.map(t -> t.gt(bound)));
    }

    static Constraint greaterThan(Tensor bound) {
        return new Constraint("GreaterThan(lower_bound=a tensor)", 0, v -> v.map(bound::lt));
    }

    static Constraint lessThan(Tensor bound) {
        return new Constraint("LessThan(upper_bound=a tensor)", 0, v -> v.map(t -> t.lt(bound)));
    }

    static Constraint interval(double low, double high) {
        return new Constraint("Interval(lower_bound=" + low + ", upper_bound=" + high + ")", 0,
                v -> Term.made(v.tensor().ge(low)).and(Term.made(v.tensor().le(high))));
    }

    static Constraint halfOpenInterval(double low, double high) {
        return new Constraint("HalfOpenInterval(lower_bound=" + low + ", upper_bound=" + high + ")", 0,
                v -> Term.made(v.tensor().ge(low)).and(Term.made(v.tensor().lt(high))));
    }

    static Constraint interval(Tensor low, Tensor high) {
        return new Constraint("Interval(lower_bound=a tensor, upper_bound=a tensor)", 0,
                v -> Term.made(low.le(v.tensor())).and(Term.made(v.tensor().le(high))));
    }

    static Constraint integerInterval(long low, long high) {
        return new Constraint("IntegerInterval(lower_bound=" + low + ", upper_bound=" + high + ")", 0,
                v -> whole(v).and(Term.made(v.tensor().ge(low))).and(Term.made(v.tensor().le(high))));
    }

    static Constraint independent(Constraint base, int dims) {
        return dims == 0
                ? base
                : new Constraint("IndependentConstraint(" + base.name + ", " + dims + ")", base.eventDim + dims,
                        v -> base.of.apply(v).map(t -> Shapes.joinLast(t, dims)).map(t -> t.all(-1)));
    }

    private static Term whole(Term v) {
        return Term.made(v.tensor().dtype().isFloatingPoint() ? v.tensor().remainder(1.) : v.tensor().remainder(1L))
                .map(t -> t.eq(0));
    }

    private static Term anyOf(Term a, Term b) {
        return a.with(b, Tensor::bitwiseOr);
    }

    private static Term isOneHot(Term v) {
        Term isBoolean = BOOLEAN.of.apply(v).named();
        Term isNormalized = Term.made(v.tensor().sum(-1)).map(t -> t.eq(1)).named();
        Term both = isBoolean.map(t -> t.all(-1)).and(isNormalized);
        isBoolean.close();
        isNormalized.close();
        return both;
    }
}
