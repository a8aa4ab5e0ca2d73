package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Convolutions that an H100 computed by Fourier transforms, and others that it did not. */
class FourierConvolutionTest {

    private static final DeviceProperties H100 = DeviceProfile.find("H100-80GB").orElseThrow();
    private static final Optional<Answer> ANSWER = Optional.of(new Answer(12_877_840, 48, Map.of()));

    /**
     * The gradient of a gradient, images of 128 by 128 as kernels: 64 of them are 4,194,304 bytes, and 128 x 64 squares of 256
     * with padding 8 x 256 x 258 bytes each.
     */
    @Test
    void outputsOfKernelsAsLargeAsTheirImagesAreTransformed() {
        Convolution c = covered(128, 1, 64, 128, 1);
        assertEquals(4_194_304 + 128L * 64 * 8 * 256 * 258, ConvolutionWorkspace.bytes(c, ANSWER, H100));
    }

    /** 192 x 128 results are more than the pairs of channels: squares of 64 for each, and 524,288 bytes of weights; 256 x 128 are too many. */
    @Test
    void ofOneChannelMoreResultsAreTransformed() {
        assertEquals(524_288 + 192L * 128 * 8 * 64 * 66,
                ConvolutionWorkspace.bytes(covered(192, 1, 128, 32, 1), ANSWER, H100));
        assertFalse(FourierOutputs.isPossible(covered(256, 1, 128, 64, 1)));
    }

    /** Four tasks of few images: the weight of 32 x 25 x 64 floats, and squares of 16 for 32 x 25 images and as many kernels. */
    @Test
    void pairsOfChannelsCountWhereTheyAreMoreThanTheResults() {
        Convolution c = covered(32, 25, 32, 8, 1);
        assertEquals(204_800 + 8L * 16 * 18 * (32 * 25 + 32 * 25), ConvolutionWorkspace.bytes(c, ANSWER, H100));
    }

    @Test
    void sumsThatAreShortAndProductsThatAreManyAreNot() {
        assertFalse(FourierOutputs.isLikely(covered(256, 1, 3, 16, 0)));
        assertFalse(FourierOutputs.isLikely(covered(32, 25, 32, 16, 1)));
        assertFalse(FourierOutputs.isLikely(covered(32, 25, 32, 12, 1)));
        assertFalse(FourierOutputs.isLikely(covered(64, 8, 64, 128, 1)));
        assertEquals(12_877_840, ConvolutionWorkspace.bytes(covered(256, 1, 128, 64, 1), ANSWER, H100));
    }

    /** A kernel of 7 over an image of 28 is somewhere between: the transforms are in the range alone. */
    @Test
    void largeKernelsOverLargerImagesHaveThemInTheirRange() {
        Convolution c = new Convolution(Pass.FORWARD, DType.FLOAT32, false, 5, 44, 60, 1, new long[]{28, 28},
                new long[]{7, 7}, new long[]{1, 1}, new long[]{1, 1}, new long[]{1, 1}, new long[]{24, 24});
        assertTrue(FourierOutputs.isPossible(c));
        assertFalse(FourierOutputs.isLikely(c));
        assertTrue(ConvolutionWorkspace.most(c, ANSWER, H100) >= FourierPlans.bytes(c));
    }

    /**
     * 75 images of 32 by 32 and four groups of 32 channels: squares of 64 for input and output, 8 x 64 x 66 bytes each, the output
     * turned, 39,321,600 bytes, both copied, and 16 bytes for each group.
     */
    @Test
    void theGradientOfAWeightOfFewGroupsCopiesItsOperandsBesides() {
        Convolution c = new Convolution(Pass.WEIGHT, DType.FLOAT32, false, 75, 128, 128, 4, new long[]{32, 32},
                new long[]{3, 3}, new long[]{1, 1}, new long[]{1, 1}, new long[]{1, 1}, new long[]{32, 32});
        long squares = 8L * 64 * 66 * 75 * (128 + 128);
        assertEquals(squares + 3L * 39_321_600 + 64, ConvolutionWorkspace.bytes(c, ANSWER, H100));
    }

    private static Convolution covered(long batch, long channels, long outputs, long side, long padding) {
        long[] sides = {side, side};
        long[] out = {2 * padding + 1, 2 * padding + 1};
        return new Convolution(Pass.FORWARD, DType.FLOAT32, false, batch, channels, outputs, 1, sides, sides,
                new long[]{1, 1}, new long[]{padding, padding}, new long[]{1, 1}, out);
    }
}
