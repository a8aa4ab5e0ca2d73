package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Gradients of weights that an H100 took in RAFT, three images of 32 by 48 in a recurrent block, which no table knows. */
class WinogradConvolutionTest {

    private static final long ANSWERED = 27_001_488;
    private static final DeviceProperties H100 = DeviceProfile.find("H100-80GB").orElseThrow();

    /** 3 x 8 x 12 tiles of 96 + 128 channels, and 96 x 128 pairs, 36 float32 each: 144 x (288 x 224 + 12,288). */
    @Test
    void aWeightsGradientIsWinogradsThoughAnotherEngineIsAnswered() {
        assertEquals(11_059_200, bytes(Pass.WEIGHT, 96, 128, 7_667_856));
        assertEquals(17_362_944, bytes(Pass.WEIGHT, 242, 96, 9_640_080));
        assertEquals(10_100_736, bytes(Pass.WEIGHT, 128, 80, 6_783_120));
        assertEquals(4_276_224, bytes(Pass.WEIGHT, 64, 32, 2_433_168));
    }

    @Test
    void aNarrowOneAndOutputsAreWhatIsAnswered() {
        assertEquals(926_352, bytes(Pass.WEIGHT, 24, 24, 926_352));
        assertEquals(4_571_152, bytes(Pass.FORWARD, 96, 128, 4_571_152));
    }

    /**
     * As StyleGAN's images, each a group with a weight of its own, on an H100: 16 x 16 tiles of 512 + 512 channels, and 4 x 128 x 128
     * pairs: 144 x (256 x 1,024 + 65,536).
     */
    @Test
    void ofAFewGroupsEachIsComputedAsItWouldBeAlone() {
        assertEquals(47_185_920, ofGroups(4, 512, 512, 64, 50));
        assertEquals(117_964_800, ofGroups(4, 512, 256, 128, 50));
    }

    @Test
    void ofGroupsThatHaveAnEngineOfTheirOwnNoneIs() {
        assertEquals(ANSWERED, ofGroups(4, 128, 128, 16, 23));
    }

    @Test
    void ofManyGroupsNoneIs() {
        assertEquals(ANSWERED, ofGroups(8, 1024, 1024, 64, 50));
    }

    private static long ofGroups(long groups, long channels, long outputs, long side, int engine) {
        long[] sides = {side, side};
        long[] one = {1, 1};
        Convolution c = new Convolution(Pass.WEIGHT, DType.FLOAT32, false, 1, channels, outputs, groups, sides,
                new long[]{3, 3}, one, one, one, sides);
        return ConvolutionWorkspace.bytes(c, Optional.of(new Answer(ANSWERED, engine, Map.of(0, 7L))), H100);
    }

    private static long bytes(Pass pass, long channels, long outputs, long answered) {
        long[] side = {32, 48};
        long[] one = {1, 1};
        Convolution c = new Convolution(pass, DType.FLOAT32, false, 3, channels, outputs, 1, side, new long[]{3, 3},
                one, one, one, side);
        Answer answer = new Answer(answered, 50, Map.of(0, 7L, 2, 5L, 5, 3L, 14, 4L));
        return ConvolutionWorkspace.bytes(c, Optional.of(answer), H100);
    }
}
