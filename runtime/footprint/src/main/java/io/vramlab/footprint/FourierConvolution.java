package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution.Pass;

/**
 * The gradient of a weight by Fourier transforms: cuDNN transforms all images of input and output at once, each to a square of
 * 16, 32 or 64, and turns the output; of groups it copies both, and the input. Its size is exact where cuDNN takes it, which five
 * recorded kinds of float32 layers do and others of like sizes do not; the bounds of {@link #isLikely} hold for those that were
 * seen, and may be wrong for others.
 */
final class FourierConvolution {

    private static final long SMALLEST = 16;
    private static final long LARGEST = 64;
    private static final long LEAST_BATCH = 32;
    private static final long LIKELY_BATCH = 64;
    private static final long FEW = 32 * 32;
    private static final long MOST_GROUPS = 4;
    private static final long LEAST_IN_GROUP = 32;
    private static final long LEAST_OUT_OF_GROUP = 20;
    private static final long LIKELY_BATCH_OF_GROUPS = 50;
    private static final long SMALLEST_OF_GROUPS = 24;
    private static final long LARGEST_OF_GROUPS = 40;
    private static final long ALIGNED = 16;

    private FourierConvolution() {
    }

    /** Whether it could be taken: float32 over small squares, without steps or dilation, of few groups, if any. */
    static boolean isPossible(Convolution c) {
        return c.pass() == Pass.WEIGHT && c.dtype() == DType.FLOAT32 && !c.channelsLast()
                && (c.groups() == 1 || hasFewGroups(c)) && c.in().length == 2 && c.in()[0] == c.in()[1]
                && c.kernel()[0] == c.kernel()[1] && c.kernel()[0] > 2
                && all(c.stride()) && all(c.dilation()) && c.batch() >= LEAST_BATCH && c.channels() >= SMALLEST
                && c.in()[0] >= SMALLEST && square(c) <= LARGEST;
    }

    /**
     * Whether it was: kernels of 3 over 16, 31 and 32, of 64 images and more, from channels that are a power of two to at most
     * 64 such, and over the larger ones few of them. Of 9 recorded layers with such sizes the four with 48, 96 or 192 channels
     * did not, and one with 64 to 32 over 32. Of
     * groups: 50 images and more over 24 to 40, from 32 channels of a group at least to 20 to 64: 4 of 4 recorded ones, while over
     * 7 and 13 two did not.
     */
    static boolean isLikely(Convolution c) {
        if (!isPossible(c) || c.kernel()[0] != 3 || c.padding()[0] != 1) {
            return false;
        }
        if (c.groups() > 1) {
            return c.batch() >= LIKELY_BATCH_OF_GROUPS && c.in()[0] >= SMALLEST_OF_GROUPS
                    && c.in()[0] <= LARGEST_OF_GROUPS;
        }
        return c.batch() >= LIKELY_BATCH
                && (c.in()[0] == SMALLEST || c.in()[0] == 31 || c.in()[0] == 32)
                && Long.bitCount(c.channels()) == 1 && Long.bitCount(c.outputs()) == 1 && c.outputs() <= LARGEST
                && (square(c) < LARGEST || c.channels() * c.outputs() <= FEW);
    }

    /** Complex halves of the transformed squares, twice, and the output; of groups what lies in another order besides. */
    static long bytes(Convolution c) {
        long n = square(c);
        long grouped = c.groups() == 1 ? 0 : c.inputBytes() + c.outputBytes() + ALIGNED * c.groups();
        return 2 * Float.BYTES * n * (n + 2) * c.batch() * (c.channels() + c.outputs()) + c.outputBytes() + grouped;
    }

    private static boolean hasFewGroups(Convolution c) {
        long outputs = c.outputs() / c.groups();
        return c.groups() <= MOST_GROUPS && c.channels() / c.groups() >= LEAST_IN_GROUP
                && outputs >= LEAST_OUT_OF_GROUP && outputs <= LARGEST;
    }

    /** The square that an image and the kernel's overhang fit. */
    private static long square(Convolution c) {
        long n = SMALLEST;
        while (n < c.in()[0] + c.kernel()[0] - 1) {
            n *= 2;
        }
        return n;
    }

    private static boolean all(long[] values) {
        for (long v : values) {
            if (v != 1) {
                return false;
            }
        }
        return true;
    }
}
