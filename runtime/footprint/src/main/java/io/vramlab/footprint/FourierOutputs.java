package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;

/**
 * Outputs that cuDNN computes by Fourier transforms because their kernels are large: those of 7 in one of six recorded products
 * of an H200 (508 of 3,183 in the bounds below), and where a kernel covers almost all of its image, as it does where a gradient's gradient is computed,
 * in most. {@link FourierPlans} has the size, which is exact where they are taken; docs/footprint.md, "Convolutions".
 */
final class FourierOutputs {

    private static final long LEAST_KERNEL = 7;
    private static final long MOST_OUTPUTS = 128;
    private static final long MOST_RESULTS = 3 << 13;
    private static final long LEAST_PRODUCTS = 147;
    private static final long LIKELY_CHANNELS = 32;
    private static final long LIKELY_OUTPUTS = 64;
    private static final long LIKELY_PRODUCTS = 784;
    private static final long LIKELY_WEIGHTS = 100_352;
    private static final long LIKELY_WEIGHTS_OF_ONE = 1 << 20;
    private static final long TAPS_OF_A_RESULT = 7;

    private FourierOutputs() {
    }

    /** Within all that was seen: float32 over planes, kernels of 7 at least, up to 128 channels of the output. */
    static boolean isPossible(Convolution c) {
        return c.pass() == Pass.FORWARD && c.dtype() == DType.FLOAT32 && !c.channelsLast() && c.groups() == 1
                && Arrays.stream(c.kernel()).allMatch(k -> k >= LEAST_KERNEL) && c.outputs() <= MOST_OUTPUTS
                && c.batch() * c.outputs() <= MOST_RESULTS && products(c) >= LEAST_PRODUCTS
                && FourierPlans.bytes(c) > 0;
    }

    /**
     * A kernel that covers its image but for a seventh, of at most 32 channels: 57 of 57 recorded products with up to 64 outputs
     * and sums of 784 numbers at least, and none of 3 with shorter sums. The largest of these weights has 100,352 numbers; an
     * H100 did not take it for 115,200 and more where there were 8 to 300 channels, but for 56 over images of 64, and where there was one
     * channel took it for larger weights and more outputs, up to 24,576 results and not for 32,768.
     */
    static boolean isLikely(Convolution c) {
        boolean one = c.channels() == 1;
        return isPossible(c) && TAPS_OF_A_RESULT * Convolution.product(c.out()) <= Convolution.product(c.kernel())
                && c.channels() <= LIKELY_CHANNELS && c.outputs() <= (one ? MOST_OUTPUTS : LIKELY_OUTPUTS)
                && products(c) >= LIKELY_PRODUCTS
                && products(c) * c.outputs() <= (one ? LIKELY_WEIGHTS_OF_ONE : LIKELY_WEIGHTS);
    }

    /** Numbers in the sum of a result. */
    private static long products(Convolution c) {
        return c.channels() * Convolution.product(c.kernel());
    }
}
