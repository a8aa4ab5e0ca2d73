package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What can be drawn from: {@code torch.distributions.Distribution}. The batch shape is that of its parameters, the event shape that of
 * one draw.
 */
public abstract class Distribution extends Owner implements AutoCloseable {

    private static volatile boolean validatesByDefault = true;

    private final List<Tensor> held = new ArrayList<>();
    private final List<Tensor> made = new ArrayList<>();
    private long[] batchShape = {};
    private long[] eventShape = {};
    private final boolean validates;

    /**
     * Without shapes yet; {@link #shapes} says them.
     *
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     */
    Distribution(Boolean validateArgs) {
        validates = validateArgs == null ? validatesByDefault : validateArgs;
    }

    /**
     * Whether distributions that are made from now on check their parameters and values, where they are not told: true at first. A check
     * makes a mask and waits for the device.
     *
     * @param value
     *            false to save both
     */
    public static void setDefaultValidateArgs(boolean value) {
        validatesByDefault = value;
    }

    // ---- what makes one ----

    final void shapes(long[] batch, long[] event) {
        batchShape = batch;
        eventShape = event;
    }

    /** Checks parameters, one after the other, as PyTorch's constructor does: a mask goes when the next is there. */
    final void checkParameters(String name, Tensor value, Constraint constraint, Object... more) {
        Object[] all = new Object[more.length + 3];
        all[0] = name;
        all[1] = (Supplier<Tensor>) () -> value;
        all[2] = constraint;
        for (int i = 0; i < more.length; i++) {
            Object each = more[i];
            all[i + 3] = each instanceof Tensor t ? (Supplier<Tensor>) () -> t : each;
        }
        check(all);
    }

    /** The same of what is computed when it is asked for. */
    final void checkParameters(String name, Supplier<Tensor> value, Constraint constraint, String other,
            Supplier<Tensor> otherValue, Constraint otherConstraint) {
        check(name, value, constraint, other, otherValue, otherConstraint);
    }

    @SuppressWarnings("unchecked")
    private void check(Object... namesTensorsConstraints) {
        if (!validates) {
            return;
        }
        Tensor valid = null;
        try {
            for (int i = 0; i < namesTensorsConstraints.length; i += 3) {
                Tensor value = ((Supplier<Tensor>) namesTensorsConstraints[i + 1]).get();
                Constraint constraint = (Constraint) namesTensorsConstraints[i + 2];
                Tensor mask = constraint.check(value);
                close(valid);
                valid = mask;
                require(valid, (String) namesTensorsConstraints[i], value, constraint);
            }
        } finally {
            close(valid);
        }
    }

    /** Checks a parameter that is computed for it, and goes before its mask. */
    final void checkComputed(String name, Supplier<Term> parameter, Constraint constraint) {
        if (validates) {
            Term value = parameter.get().named();
            try (Tensor valid = constraint.check(value.tensor()); Term first = value) {
                require(valid, name, first.tensor(), constraint);
            }
        }
    }

    private void require(Tensor valid, String name, Tensor value, Constraint constraint) {
        if (!isAllTrue(valid)) {
            throw new IllegalArgumentException("Expected parameter " + name + " (Tensor of shape "
                    + Arrays.toString(value.shape()) + ") of distribution " + this + " to satisfy the constraint "
                    + constraint.name() + ", but found invalid values: " + value
                    + ". Give others, or validateArgs false.");
        }
    }

    private static void close(Tensor t) {
        if (t != null) {
            t.close();
        }
    }

    static boolean isAllTrue(Tensor mask) {
        try (Tensor all = mask.all()) {
            return !all.impl().driver().holdsValues() || all.itemBoolean();
        }
    }

    /** Holds what a caller has given, as long as this is held. */
    final Tensor hold(Tensor given) {
        Lifetimes.hold(given);
        Lifetimes.takes(this, given);
        held.add(given);
        return given;
    }

    /** Holds what was made for this. */
    final Tensor own(Tensor tensor) {
        Lifetimes.fresh(tensor);
        made.add(tensor);
        return hold(tensor);
    }

    /** Holds what {@link Parameters#broadcast} made of a value. */
    final Tensor keep(Tensor seen, Object value) {
        return seen == value ? hold(seen) : own(seen);
    }

    /** What is computed at its first use and kept: with gradients, wherever it is asked for. */
    final Tensor lazily(Supplier<Term> value) {
        try (GradMode.State on = GradMode.enter(true)) {
            return own(value.get().give());
        }
    }

    @Override
    protected final void letGo() {
        held.forEach(Lifetimes::drop);
        held.clear();
    }

    /** Lets go of what it has made; what it was given stays its owner's. */
    @Override
    public void close() {
        made.forEach(Tensor::close);
    }

    // ---- what it is asked ----

    /** {@return the shape of its parameters: so many distributions are in it} */
    public final long[] batchShape() {
        return batchShape.clone();
    }

    /** {@return the shape of one draw} */
    public final long[] eventShape() {
        return eventShape.clone();
    }

    final boolean validates() {
        return validates;
    }

    final long[] extended(long... sampleShape) {
        return Shapes.join(sampleShape, batchShape, eventShape);
    }

    /** What a draw may be. */
    abstract Constraint support();

    /** {@return whether {@link #rsample} gives gradients to the parameters} */
    public boolean hasRsample() {
        return true;
    }

    /**
     * Draws without gradients.
     *
     * @param sampleShape
     *            how many draws; none for one
     * @return of the sample's, the batch's and the event's shape, in that order
     */
    public Tensor sample(long... sampleShape) {
        try (GradMode.State off = GradMode.enter(false)) {
            return rsample(sampleShape);
        }
    }

    /**
     * Draws so that gradients reach the parameters.
     *
     * @param sampleShape
     *            how many draws; none for one
     * @return of the sample's, the batch's and the event's shape, in that order
     * @throws UnsupportedOperationException
     *             if the distribution has no such draw
     */
    public Tensor rsample(long... sampleShape) {
        throw absent("rsample", "Draw with sample, and weigh with logProb.");
    }

    /**
     * The logarithm of density or probability.
     *
     * @param value
     *            of a shape that broadcasts with the batch's and the event's
     * @return one for each event
     * @throws IllegalArgumentException
     *             if the value is checked, and not one that can be drawn
     */
    public abstract Tensor logProb(Tensor value);

    /**
     * {@return the entropy of each distribution of the batch}
     *
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor entropy() {
        throw absent("entropy", "Estimate it as the mean of -logProb(sample()).");
    }

    /**
     * {@return the mean}
     *
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor mean() {
        throw absent("mean", "Estimate it from a sample.");
    }

    /**
     * {@return the variance}
     *
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor variance() {
        throw absent("variance", "Estimate it from a sample.");
    }

    /** {@return the standard deviation} */
    public Tensor stddev() {
        return Term.made(variance()).map(Tensor::sqrt).give();
    }

    /**
     * {@return the most probable value}
     *
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor mode() {
        throw absent("mode", "Ask for mean.");
    }

    /**
     * The probability of a draw up to a value.
     *
     * @param value
     *            of a shape that broadcasts with the batch's
     * @return of the joint shape
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor cdf(Tensor value) {
        throw absent("cdf", "Estimate it from a sample.");
    }

    /**
     * The value up to which a draw has a probability.
     *
     * @param value
     *            from 0 to 1
     * @return of the joint shape
     * @throws UnsupportedOperationException
     *             if there is no formula
     */
    public Tensor icdf(Tensor value) {
        throw absent("icdf", "Estimate it as a quantile of a sample.");
    }

    /** {@return {@code entropy().exp()}} */
    public Tensor perplexity() {
        return Term.made(entropy()).exp().give();
    }

    final UnsupportedOperationException absent(String what, String instead) {
        return new UnsupportedOperationException(
                "A " + getClass().getSimpleName() + " was asked for " + what + ", and there is none. "
                        + instead);
    }

    /** Whether the value is one that can be drawn. */
    final void checkValue(Tensor value) {
        if (!validates) {
            return;
        }
        long[] shape = value.shape();
        int event = eventShape.length;
        if (shape.length < event || !Arrays.equals(Shapes.back(shape, event), eventShape)) {
            throw new IllegalArgumentException("The right-most size of value must match event_shape: "
                    + Arrays.toString(shape) + " vs " + Arrays.toString(eventShape) + ".");
        }
        long[] expected = extended();
        for (int i = 1; i <= Math.min(shape.length, expected.length); i++) {
            long a = shape[shape.length - i];
            long b = expected[expected.length - i];
            if (a != b && a != 1 && b != 1) {
                throw new IllegalArgumentException("Value is not broadcastable with batch_shape+event_shape: "
                        + Arrays.toString(shape) + " vs " + Arrays.toString(expected) + ".");
            }
        }
        Constraint support = support();
        try (Tensor valid = support.check(value)) {
            if (!isAllTrue(valid)) {
                throw new IllegalArgumentException("Expected value argument (Tensor of shape " + Arrays.toString(shape)
                        + ") to be within the support (" + support.name() + ") of the distribution " + this
                        + ", but found invalid values: " + value + ". Give others, or validateArgs false.");
            }
        }
    }

    /**
     * The Kullback-Leibler divergence of two distributions.
     *
     * @param p
     *            what is
     * @param q
     *            what is supposed
     * @return for each of the batch
     * @throws UnsupportedOperationException
     *             if there is no formula for these two
     */
    public static Tensor klDivergence(Distribution p, Distribution q) {
        return KlDivergences.of(p, q);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(batch " + Arrays.toString(batchShape) + ", event "
                + Arrays.toString(eventShape) + ")";
    }

}
