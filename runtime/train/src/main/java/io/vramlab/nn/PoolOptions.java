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

    /** Steps of the window; by default its size. */
    public PoolOptions stride(long... steps) {
        stride = steps.clone();
        return this;
    }

    /** On each side: nothing that is larger than anything, or of means zeros. */
    public PoolOptions padding(long... sides) {
        padding = sides.clone();
        return this;
    }

    /** Of a max pool: distance of the window's elements. */
    public PoolOptions dilation(long... distance) {
        dilation = distance.clone();
        return this;
    }

    /** Whether the last window may reach beyond the end. */
    public PoolOptions ceilMode(boolean on) {
        ceilMode = on;
        return this;
    }

    /** Of a mean: whether padding counts. */
    public PoolOptions countIncludePad(boolean on) {
        countIncludePad = on;
        return this;
    }

    /** Of a mean: what sums are divided by instead of the window's size. */
    public PoolOptions divisorOverride(long divisor) {
        divisorOverride = divisor;
        return this;
    }
}
