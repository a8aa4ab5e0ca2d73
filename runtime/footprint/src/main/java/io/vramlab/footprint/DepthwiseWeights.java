package io.vramlab.footprint;

import io.vramlab.footprint.Convolution.Pass;
import java.util.OptionalLong;

/**
 * The gradient of a weight of a group for each channel, in 16 bits, channels side by side. Most work in eight float32 copies of
 * the weight for each image, their channels filled up to 32, some in nothing; cuDNN does not offer such engines to who asks
 * without a GPU. Sizes are exact where they are taken; which it is, is learnt from recordings ({@code src/fit/depthwise.py}).
 */
final class DepthwiseWeights {

    private static final String TREE = "depthwise";
    private static final int HALF = 2;
    private static final long PIECES = 8;
    private static final long FILLED = 32;

    private DepthwiseWeights() {
    }

    /**
     * Bytes of the workspace; empty for another product, or one that another engine computes. Right for 96 in 100 of those in
     * bfloat16 whose widths were not learnt from.
     */
    static OptionalLong bytes(Convolution c) {
        if (c.pass() != Pass.WEIGHT || c.dtype().bytes() != HALF || !c.channelsLast() || c.groups() == 1
                || c.groups() != c.channels()) {
            return OptionalLong.empty();
        }
        return switch (ConvolutionTrees.DEPTHWISE.named(TREE, ConvolutionWorkspace.features(c))) {
            case "pieces" -> OptionalLong.of(pieces(c));
            case "nothing" -> OptionalLong.of(0);
            default -> OptionalLong.empty();
        };
    }

    private static long pieces(Convolution c) {
        long channels = (c.outputs() + FILLED - 1) / FILLED * FILLED;
        return PIECES * c.batch() * Convolution.product(c.kernel()) * channels * Float.BYTES;
    }
}
