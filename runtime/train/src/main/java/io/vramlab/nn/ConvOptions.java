package io.vramlab.nn;

import java.util.Arrays;

/**
 * What a convolution may be told by name: {@code new Conv2d(16, 32, 3, new ConvOptions().stride(2).padding(1).bias(false))}.
 * Each number is one for all dimensions, or one each.
 */
public final class ConvOptions {

    long[] stride = {1};
    long[] padding = {0};
    String paddingWord;
    long[] dilation = {1};
    long[] outputPadding = {0};
    int groups = 1;
    boolean bias = true;
    String paddingMode = "zeros";

    /** PyTorch's defaults: stride 1, no padding, dilation 1, one group, a bias. */
    public ConvOptions() {
    }

    private static long[] positive(long[] given, String what) {
        if (Arrays.stream(given).anyMatch(v -> v <= 0)) {
            throw new IllegalArgumentException("A convolution was given the " + what + " " + Arrays.toString(given)
                    + ": it must be positive.");
        }
        return given.clone();
    }

    /**
     * Steps of the kernel.
     *
     * @param steps
     *            1 by default
     * @return this
     * @throws IllegalArgumentException
     *             if one is not positive
     */
    public ConvOptions stride(long... steps) {
        stride = positive(steps, "stride");
        return this;
    }

    /**
     * Zeros, or what {@link #paddingMode} says, on each side.
     *
     * @param sides
     *            0 by default
     * @return this
     */
    public ConvOptions padding(long... sides) {
        padding = sides.clone();
        return this;
    }

    /**
     * {@code same}, so that the output is as large as the input, or {@code valid}, none.
     *
     * @param word
     *            {@code valid} or {@code same}, the latter with stride 1 alone
     * @return this
     */
    public ConvOptions padding(String word) {
        paddingWord = word;
        return this;
    }

    /**
     * Distance of the kernel's elements.
     *
     * @param distance
     *            1 by default
     * @return this
     * @throws IllegalArgumentException
     *             if one is not positive
     */
    public ConvOptions dilation(long... distance) {
        dilation = positive(distance, "dilation");
        return this;
    }

    /**
     * Of a transposed convolution: added to one side of its output.
     *
     * @param side
     *            0 by default; less than the stride or the dilation
     * @return this
     */
    public ConvOptions outputPadding(long... side) {
        outputPadding = side.clone();
        return this;
    }

    /**
     * Groups of channels that do not see each other; as many as channels make it depthwise.
     *
     * @param number
     *            1 by default; divides both numbers of channels
     * @return this
     */
    public ConvOptions groups(long number) {
        groups = Math.toIntExact(number);
        return this;
    }

    /**
     * Whether it has a bias.
     *
     * @param wanted
     *            true by default
     * @return this
     */
    public ConvOptions bias(boolean wanted) {
        bias = wanted;
        return this;
    }

    /**
     * What is padded: {@code zeros}, {@code reflect}, {@code replicate} or {@code circular}.
     *
     * @param mode
     *            {@code zeros} by default; the others pad in a copy of the input, which backward holds
     * @return this
     */
    public ConvOptions paddingMode(String mode) {
        paddingMode = mode;
        return this;
    }
}
