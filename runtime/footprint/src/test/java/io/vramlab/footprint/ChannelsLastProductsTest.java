package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Convolutions of size 1 with channels side by side, beside what a GPU took in a MobileNetV3 that no table knows. */
class ChannelsLastProductsTest {

    private static final DeviceProperties H100 = DeviceProfile.find("H100").orElseThrow();

    /** 960 channels in cuts of 64 are 15 copies of the output of 32 × 36 pixels by 160, and 256. */
    @Test
    void anOutputWhoseSumIsCutHasACopyForEachCut() {
        Answer answer = new Answer(131, 67, Map.of(2, 8L, 13, 0L, 18, 0L, 25, 1L, 27, 1L, 28, 1L));
        assertTaken(15L * 32 * 36 * 160 * Float.BYTES + 256, of(Pass.FORWARD, 960, 160, 6), answer);
    }

    /** Tiles of 80 by 480 are too few for all blocks: 20 copies of the weight, and 256. */
    @Test
    void soHasAWeightsGradientToFillAllBlocks() {
        Answer answer = new Answer(524_479, 68, Map.of(2, 1L, 13, 0L, 18, 1L, 25, 0L, 27, 1L, 28, 2L));
        assertTaken(20L * 80 * 480 * Float.BYTES + 256, of(Pass.WEIGHT, 80, 480, 12), answer);
    }

    /** 66 partial tiles of 128 × 128 numbers and 976 bytes, as 282 recorded products of other shapes have. */
    @Test
    void orOneSizeWhateverTheShape() {
        Answer answer = new Answer(295_159, 68, Map.of(2, 5L, 13, 0L, 18, 1L, 25, 0L, 27, 1L, 28, 1L));
        assertTaken(66L * 128 * 128 * Float.BYTES + 976, of(Pass.WEIGHT, 24, 72, 48), answer);
    }

    @Test
    void smallSumsTakeAFewHundredBytes() {
        Answer answer = new Answer(131, 67, Map.of(2, 0L, 13, 0L, 18, 0L, 25, 0L, 27, 8L, 28, 1L));
        assertTaken(400, of(Pass.FORWARD, 80, 480, 12), answer);
    }

    private static void assertTaken(long bytes, Convolution c, Answer answer) {
        assertEquals(bytes, ConvolutionWorkspace.bytes(c, Optional.of(answer), H100));
        assertTrue(ConvolutionWorkspace.most(c, Optional.of(answer), H100) >= bytes);
    }

    private static Convolution of(Pass pass, long channels, long outputs, long side) {
        long[] space = {side, side};
        long[] one = {1, 1};
        return new Convolution(pass, DType.FLOAT32, true, 32, channels, outputs, 1, space, one, one, new long[]{0, 0},
                one, space);
    }
}
