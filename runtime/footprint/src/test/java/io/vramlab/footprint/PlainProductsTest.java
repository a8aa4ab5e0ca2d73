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

/** Convolutions of size 1, and groups that are widened, beside what an H200 took in two scripts that no table knows. */
class PlainProductsTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();

    @Test
    void aSmallHeadOverVolumesTakesAFewBytesByCublas() {
        Convolution head = head(Pass.FORWARD, 16, 64);
        Answer answer = new Answer(0, 28, Map.of(2, 4L, 3, 0L));
        assertEquals(272, ConvolutionWorkspace.bytes(head, Optional.of(answer), H200));
    }

    @Test
    void theGradientOfItsWeightTakesWhatCudnnAnswers() {
        Convolution head = head(Pass.WEIGHT, 16, 64);
        Answer answer = new Answer(42_333_355, 40,
                Map.of(2, 11L, 6, 1L, 12, 190L, 13, 1L, 14, 0L, 15, 0L, 17, 191L, 22, 3L));
        assertEquals(42_333_355, ConvolutionWorkspace.bytes(head, Optional.of(answer), H200));
    }

    @Test
    void whatBothKindsOfEnginesTakeIsInTheRange() {
        Convolution head = head(Pass.WEIGHT, 32, 32);
        Answer answer = new Answer(5_538_551, 65,
                Map.of(2, 5L, 13, 1L, 18, 1L, 25, 0L, 27, 1L, 28, 3L));
        assertTrue(ConvolutionWorkspace.least(head, Optional.of(answer), H200) <= PlainProducts.byCublas(head));
        assertTrue(ConvolutionWorkspace.most(head, Optional.of(answer), H200) >= 7_111_823);
    }

    @Test
    void aWeightsGradientByCublasHasACopyForEachImage() {
        Convolution large = new Convolution(Pass.WEIGHT, DType.BFLOAT16, false, 32, 1024, 512, 1, new long[]{500},
                new long[]{1}, new long[]{1}, new long[]{0}, new long[]{1}, new long[]{500});
        Answer answer = new Answer(49_152_147, 65,
                Map.of(2, 5L, 13, 1L, 18, 1L, 25, 0L, 27, 2L, 28, 4L));
        assertEquals(32L * 1024 * 512 * Float.BYTES, PlainProducts.bytes(large, answer, H200));
    }

    @Test
    void groupsOfDifferentWidthsAreAsWideAsTheWider() {
        long[] side = {64, 64};
        Convolution modulated = new Convolution(Pass.FORWARD, DType.FLOAT32, false, 1, 16 * 64, 16 * 32, 16, side,
                new long[]{3, 3}, new long[]{1, 1}, new long[]{1, 1}, new long[]{1, 1}, side);
        Answer answer = new Answer(35_913_875, 67,
                Map.of(2, 5L, 13, 0L, 18, 0L, 25, 0L, 27, 7L, 28, 1L));
        assertEquals(35_913_875, ConvolutionWorkspace.bytes(modulated, Optional.of(answer), H200));
    }

    private static Convolution head(Pass pass, long channels, long side) {
        long[] space = {side, side, side};
        long[] one = {1, 1, 1};
        return new Convolution(pass, DType.FLOAT16, false, 2, channels, 4, 1, space, one, one, new long[]{0, 0, 0},
                one, space);
    }
}
