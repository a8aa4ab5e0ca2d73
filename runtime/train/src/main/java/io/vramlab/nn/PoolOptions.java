package io.vramlab.nn;

/**
 * What a pool may be told by name: {@code new MaxPool2d(3, new PoolOptions().stride(2).padding(1))}. Each number is one for
 * all dimensions, or one each.
 */
public final class PoolOptions {

    long[] stride;
    long[] padding = {0};
    long[] dilation = {1};
    boolean ceilMode;
    boolean countIncludePad = true;
    long divisorOverride;

    /** Windows side by side, without padding. */
    public PoolOptions() {
    }

    /**
     * Steps of the window; by default its size.
     *
     * @param steps
     *            as many as dimensions, or one for all
     * @return this
     */
    public PoolOptions stride(long... steps) {
        stride = steps.clone();
        return this;
    }

    /**
     * On each side: nothing that is larger than anything, or of means zeros.
     *
     * @param sides
     *            at most half of the window; 0 by default
     * @return this
     */
    public PoolOptions padding(long... sides) {
        padding = sides.clone();
        return this;
    }

    /**
     * Of a max pool: distance of the window's elements.
     *
     * @param distance
     *            1 by default
     * @return this
     */
    public PoolOptions dilation(long... distance) {
        dilation = distance.clone();
        return this;
    }

    /**
     * Whether the last window may reach beyond the end.
     *
     * @param on
     *            false by default
     * @return this
     */
    public PoolOptions ceilMode(boolean on) {
        ceilMode = on;
        return this;
    }

    /**
     * Of a mean: whether padding counts.
     *
     * @param on
     *            true by default
     * @return this
     */
    public PoolOptions countIncludePad(boolean on) {
        countIncludePad = on;
        return this;
    }

    /**
     * Of a mean: what sums are divided by instead of the window's size.
     *
     * @param divisor
     *            0, the default, for the window's size
     * @return this
     */
    public PoolOptions divisorOverride(long divisor) {
        divisorOverride = divisor;
        return this;
    }
}
