package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workspaces on a GPU of another compute capability than the H200 that was recorded. */
class AnotherGpuTest {

    private static final DeviceProperties RTX_3060 = DeviceProfile.find("RTX-3060-12GB").orElseThrow();
    private static final DeviceProperties A100 = DeviceProfile.find("A100-80GB").orElseThrow();
    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();

    private static Convolution layer(Pass pass, long batch, long channels, long outputs, long size, long kernel) {
        long[] none = {0, 0};
        long[] same = {kernel / 2, kernel / 2};
        long[] each = {1, 1};
        long[] image = {size, size};
        return new Convolution(pass, DType.FLOAT32, false, batch, channels, outputs, 1, image,
                new long[]{kernel, kernel}, each, kernel == 1 ? none : same, each, image);
    }

    private static Optional<Answer> answer(long bytes, int capability) {
        return Optional.of(new Answer(bytes, 55, Map.of(), capability));
    }

    @Test
    void whatCudnnAnswersForItCountsBeforeWhatAnH200Took() {
        // the second layer of ResNet-50, a row of the table of an H200's recordings
        Convolution c = layer(Pass.FORWARD, 32, 64, 64, 56, 3);
        assertNotEquals(null, ConvolutionRecordings.recorded(c, c.dtype()));
        assertEquals(4321, ConvolutionWorkspace.bytes(c, answer(4321, 86), RTX_3060));
        assertEquals(ConvolutionWorkspace.bytes(c), ConvolutionWorkspace.bytes(c, answer(4321, 90), H200));
    }

    @Test
    void anAnswerAboutAGpuOfAThirdCapabilityDoesNot() {
        Convolution c = layer(Pass.FORWARD, 32, 64, 64, 56, 3);
        assertEquals(ConvolutionWorkspace.bytes(c), ConvolutionWorkspace.bytes(c, answer(4321, 90), A100));
        assertEquals(ConvolutionWorkspace.bytes(c), ConvolutionWorkspace.bytes(c, answer(4321, 86), A100));
    }

    @Test
    void thePlainWeightsGradientIsCopiedForEachImageUpToHalfAGibibyte() {
        // 323 images of 320 to 1280 channels: 323 * 320 * 1280 * 4 = 529,203,200 bytes, below 2^29
        Convolution below = layer(Pass.WEIGHT, 323, 320, 1280, 3, 1);
        assertEquals(529_203_200, ConvolutionWorkspace.bytes(below, answer(18_500_000, 86), RTX_3060));
        // 377 images: 617,676,800
        Convolution above = layer(Pass.WEIGHT, 377, 320, 1280, 3, 1);
        assertEquals(21_600_000, ConvolutionWorkspace.bytes(above, answer(21_600_000, 86), RTX_3060));
        // images of one pixel are one product
        assertEquals(0, ConvolutionWorkspace.bytes(layer(Pass.WEIGHT, 323, 320, 1280, 1, 1), answer(99, 86), RTX_3060));
        // outputs and gradients of the input take nothing
        assertEquals(0, ConvolutionWorkspace.bytes(layer(Pass.INPUT, 323, 320, 1280, 3, 1), answer(99, 86), RTX_3060));
    }

    @Test
    void theRangeHoldsTheAnswerAndTheCopies() {
        Convolution above = layer(Pass.WEIGHT, 377, 320, 1280, 3, 1);
        assertEquals(0, ConvolutionWorkspace.least(above, answer(21_600_000, 86), RTX_3060));
        assertEquals(true, ConvolutionWorkspace.most(above, answer(21_600_000, 86), RTX_3060) >= 617_676_800);
    }
}
