package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Normalises each sample of [n, channels, …] over groups of its channels (Wu and He, 2018). Holds the input and two
 * numbers per group for backward.
 */
public class GroupNorm extends Module {

    private static final double EPS = 1e-5;

    /** [channels], or null. */
    public Parameter weight;
    /** [channels], or null. */
    public Parameter bias;
    private final long groups;
    private final long channels;
    private final double eps;

    /**
     * With weight and bias, and PyTorch's default eps of 1e-5.
     *
     * @param groups
     *            into which the channels fall
     * @param channels
     *            second size of the inputs
     * @throws IllegalArgumentException
     *             if the groups do not divide the channels
     */
    public GroupNorm(long groups, long channels) {
        this(groups, channels, EPS, true);
    }

    /**
     * With another number added to the variance.
     *
     * @param groups
     *            into which the channels fall; 1 normalises each sample as a whole
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @throws IllegalArgumentException
     *             if the groups do not divide the channels
     */
    public GroupNorm(long groups, long channels, double eps) {
        this(groups, channels, eps, true);
    }

    /**
     * With a number added to the variance.
     *
     * @param groups
     *            into which the channels fall; 1 normalises each sample as a whole
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param affine
     *            whether there are weight and bias
     * @throws IllegalArgumentException
     *             if the groups do not divide the channels
     */
    public GroupNorm(long groups, long channels, double eps, boolean affine) {
        if (groups <= 0 || channels % groups != 0) {
            throw new IllegalArgumentException("GroupNorm of " + channels + " channels in " + groups
                    + " groups was asked for: num_channels must be divisible by num_groups.");
        }
        this.groups = groups;
        this.channels = channels;
        this.eps = eps;
        this.weight = affine ? FirstValues.ones(channels) : null;
        this.bias = affine ? FirstValues.zeros(channels) : null;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.groupNorm(input, groups, weight, bias, eps);
    }

    @Override
    protected String extraRepr() {
        return groups + ", " + channels + ", eps=" + Numbers.text(eps) + ", affine="
                + (weight == null ? "False" : "True");
    }
}
