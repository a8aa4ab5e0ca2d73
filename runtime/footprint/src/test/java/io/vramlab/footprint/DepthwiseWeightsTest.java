package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution.Pass;
import org.junit.jupiter.api.Test;

/** Gradients of weights that an H100 took in a ConvNeXt, 56 images in bfloat16, channels side by side, which no table knows. */
class DepthwiseWeightsTest {

    /** 8 x 56 images x 7 x 7 taps of float32 are 87,808 bytes a channel, whatever the image. */
    @Test
    void eightCopiesOfTheWeightForEachImage() {
        assertEquals(96 * 87_808, bytes(56, 96, 44, 7));
        assertEquals(192 * 87_808, bytes(56, 192, 22, 7));
        assertEquals(384 * 87_808, bytes(56, 384, 11, 7));
        assertEquals(768 * 87_808, bytes(56, 768, 5, 7));
    }

    /** 70 channels are filled up to 96: 8 x 24 x 9 taps x 96 x 4. */
    @Test
    void channelsAreFilledUpToVectors() {
        assertEquals(8 * 24 * 9 * 96 * 4, bytes(24, 70, 30, 3));
    }

    @Test
    void fewSmallImagesTakeNothing() {
        assertEquals(0, bytes(2, 390, 7, 3));
    }

    private static long bytes(long batch, long channels, long side, long kernel) {
        long[] image = {side, side};
        long[] one = {1, 1};
        return ConvolutionWorkspace.bytes(new Convolution(Pass.WEIGHT, DType.BFLOAT16, true, batch, channels, channels,
                channels, image, new long[]{kernel, kernel}, one, new long[]{kernel / 2, kernel / 2}, one, image));
    }
}
