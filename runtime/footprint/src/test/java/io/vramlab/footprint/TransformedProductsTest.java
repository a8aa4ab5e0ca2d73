package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Convolutions that an H100 computed by transforms, and one that it did not; answers are those that cuDNN gave without a GPU. */
class TransformedProductsTest {

    private static final DeviceProperties H100 = DeviceProfile.find("H100-80GB").orElseThrow();

    /** Images of 42 by 42 as kernels, a gradient's gradient: 22,579,200 bytes of them, and squares of 64 for 100 x 32 images and as many pairs. */
    @Test
    void outputsOfKernelsAsLargeAsTheirImagesAreFouriers() {
        Convolution c = planes(Pass.FORWARD, 32, 100, 32, 1, 42, 42, 1);
        assertEquals(22_579_200 + 8L * 64 * 66 * (100 * 32 + 32 * 100),
                bytes(c, new Answer(45_195_280, 35, Map.of(2, 1L, 5, 2L, 14, 5L))));
    }

    /** 512 images of 9 by 9 fit squares of 16: those of 64 + 64 channels, and the output, 6,422,528 bytes, turned. */
    @Test
    void aWeightsGradientOfManySmallImagesIsFouriers() {
        Convolution c = planes(Pass.WEIGHT, 512, 64, 64, 1, 9, 3, 0);
        Answer answer = new Answer(17_186_832, 68, Map.of(2, 7L, 13, 0L, 18, 1L, 25, 0L, 27, 1L, 28, 2L));
        assertEquals(8L * 16 * 18 * 512 * (64 + 64) + 6_422_528, bytes(c, answer));
    }

    /** 48 x 2 x 2 tiles of 256 + 256 channels, and 256 x 256 pairs, 36 float32 each. */
    @Test
    void oneOfFewIsWinogradsThoughAnotherEngineIsAnswered() {
        Convolution c = planes(Pass.WEIGHT, 48, 256, 256, 1, 6, 3, 1);
        Answer answer = new Answer(5_898_387, 68, Map.of(2, 1L, 13, 0L, 18, 1L, 25, 0L, 27, 1L, 28, 2L));
        assertEquals(144L * (192 * 512 + 65_536), bytes(c, answer));
    }

    /** A group for each of eight models that torch.func computes at once, of which cuDNN answers an engine that works in nothing: 25 x 64 tiles. */
    @Test
    void weightsOfModelsSideBySideAreWinogradsInTheirGroups() {
        Convolution c = planes(Pass.WEIGHT, 25, 8, 384, 8, 32, 3, 1);
        assertEquals(144L * (25 * 64 * (8 + 384) + 384), bytes(c, new Answer(0, 0, Map.of())));
    }

    /** 2,048 images of 16 by 16: Fourier transforms would take 1,845,493,760 bytes. */
    @Test
    void whatIsNotTransformedIsAsItIsAnswered() {
        Convolution c = planes(Pass.WEIGHT, 2048, 32, 64, 1, 16, 3, 1);
        Answer answer = new Answer(206_890_495, 30,
                Map.of(2, 5L, 12, 67L, 13, 1L, 14, 3L, 15, 0L, 17, 68L, 18, 1L, 23, 0L));
        assertEquals(206_890_495, bytes(c, answer));
        assertTrue(ConvolutionWorkspace.most(c, Optional.of(answer), H100) >= 206_890_495);
    }

    /** Tiles of 9 by 9 of kernels of 5, and 16 images at a time: 16 x 16 tiles of 1 + 6 channels, 169 float32 each, and 6 pairs in 4,064 bytes. */
    @Test
    void kernelsOfFiveHaveLargerTiles() {
        assertEquals(676L * 256 * 7 + 4_064, TransformedSizes.winograd(planes(Pass.WEIGHT, 16, 1, 6, 1, 32, 5, 2)));
        assertEquals(676L * (16 * 96 + 1_024),
                TransformedSizes.winograd(planes(Pass.FORWARD, 1, 32, 64, 2, 6, 5, 2)));
    }

    /** Sixteen groups, eight at a time: 8 x 4 tiles of 256 + 256 channels, 8 x 32 x 32 pairs. */
    @Test
    void ofManyGroupsEightAreTransformedAtATime() {
        assertEquals(144L * (8 * 4 * 512 + 8_192),
                TransformedSizes.winograd(planes(Pass.WEIGHT, 8, 512, 512, 16, 8, 3, 1)));
    }

    /** 128 x 256 outputs of four groups have more pairs than images: squares of 64 for 4 x 32 x 64, and the output, 921,600 bytes. */
    @Test
    void whereThereAreMorePairsThanImagesTheyCount() {
        assertEquals(8L * 64 * 66 * 8_192 + 921_600,
                TransformedSizes.fourier(planes(Pass.WEIGHT, 1, 128, 256, 4, 32, 5, 1)));
    }

    /**
     * Channels side by side, 320 images of 32 by 32: squares of 64 of 16 + 32 channels, the output turned, 41,943,040 bytes; and the
     * input, 20,971,520, the weight, 18,432, and the output once more, with 16 besides.
     */
    @Test
    void channelsSideBySideAreTurnedBefore() {
        Convolution c = convolution(Pass.WEIGHT, true, 320, 16, 32, 1, 32, 3, 1);
        assertEquals(8L * 64 * 66 * 320 * 48 + 2 * 41_943_040 + 20_971_520 + 18_432 + 16,
                TransformedSizes.fourier(c));
    }

    private static long bytes(Convolution c, Answer answer) {
        return ConvolutionWorkspace.bytes(c, Optional.of(answer), H100);
    }

    private static Convolution planes(Pass pass, long batch, long channels, long outputs, long groups, long side,
            long kernel, long padding) {
        return convolution(pass, false, batch, channels, outputs, groups, side, kernel, padding);
    }

    private static Convolution convolution(Pass pass, boolean last, long batch, long channels, long outputs,
            long groups, long side, long kernel, long padding) {
        return new Convolution(pass, DType.FLOAT32, last, batch, channels, outputs, groups, twice(side), twice(kernel),
                twice(1), twice(padding), twice(1), twice(side + 2 * padding - kernel + 1));
    }

    private static long[] twice(long value) {
        long[] both = new long[2];
        Arrays.fill(both, value);
        return both;
    }
}
