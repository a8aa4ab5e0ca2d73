package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parts of sums as cuDNN 9.19 answers them for 18 multiprocessors, and workspaces as an H100 took them. */
class StreamedTilesTest {

    private static final StreamedParts FLOAT32 = StreamedParts.of(DType.FLOAT32, 128 * 128, false, false);

    /** Halving saves 14 steps of 28, and a level costs 13.1: 14 + 13.1 < 28, but 14 + 13.1 > 27. */
    @Test
    void aSumIsHalvedWhereThatSavesMoreThanALevelCosts() {
        assertEquals(1, FLOAT32.parts(27, 18, false));
        assertEquals(2, FLOAT32.parts(28, 18, false));
        assertEquals(2, FLOAT32.parts(54, 18, false));
        assertEquals(4, FLOAT32.parts(55, 18, false));
        assertEquals(4, FLOAT32.parts(163, 6, false));
        assertEquals(6, FLOAT32.parts(165, 6, false)); // 28 + 3 levels against 42 + 2
    }

    /** More than 1,024 numbers in each part are 33 steps of 32: 9 of them from 297 steps on. */
    @Test
    void ofALongSumThereAreAsManyPartsAsAreLongEnough() {
        assertEquals(15, FLOAT32.parts(296, 15, false));
        assertEquals(9, FLOAT32.parts(297, 15, false));
        assertEquals(9, StreamedParts.of(DType.BFLOAT16, 128 * 128, false, false).parts(153, 18, false));
    }

    /** After whole waves a level is shared by all parts: half of them take part in the first, a quarter in the second. */
    @Test
    void afterWholeWavesSumsAreCutSooner() {
        assertEquals(1, FLOAT32.parts(13, 18, true));
        assertEquals(2, FLOAT32.parts(14, 18, true));
        assertEquals(8, FLOAT32.parts(50, 8, true));
    }

    /** cuDNN was told of either memory's clock: by that of an H100 a level costs 15.2 steps, of an H200 13.1. */
    @Test
    void anH100CutsLaterForItsMemoryIsSlower() {
        StreamedParts h100 = StreamedParts.of(DType.FLOAT32, 128 * 128, false, true);
        assertEquals(1, h100.parts(31, 18, false));
        assertEquals(2, h100.parts(32, 18, false));
        assertEquals(4, h100.parts(63, 18, false));
        StreamedParts half = StreamedParts.of(DType.BFLOAT16, 128 * 128, false, true);
        assertEquals(1, half.parts(121, 2, false));
        assertEquals(2, half.parts(122, 2, false));
    }

    /**
     * ConvNeXt's third downsampling: 49 by 4 tiles, of which a wave of 132 leaves 64, each halved: 128 x 65,536, a sum for each
     * of the 64, and 159. Answered without a GPU were 131 bytes, for a counter: 196 tiles are more than 2 x 18, not more than 2 x 132.
     */
    @Test
    void whatAWaveLeavesIsHalvedOnAnH100() {
        Convolution c = new Convolution(Pass.FORWARD, DType.FLOAT32, true, 32, 192, 384, 1, longs(28, 28), longs(2, 2),
                longs(2, 2), longs(0, 0), longs(1, 1), longs(14, 14));
        assertEquals(8_389_023, bytes(c, new Answer(131, 67, Map.of(18, 0L, 13, 0L, 28, 2L, 27, 1L, 2, 0L, 25, 0L))));
    }

    /**
     * A flow's last layer: 133 tiles of 64 by 64 in clusters of seven, 105 of them in a wave, 28 left, each in three parts:
     * 84 x 16,384 + 4 x 28 x 3 + 159, and 10,403,856 for operands in another order.
     */
    @Test
    void clustersOfSevenLeaveMultiprocessorsIdle() {
        Convolution c = new Convolution(Pass.FORWARD, DType.FLOAT32, false, 128, 256, 48, 1, longs(8, 8), longs(3, 3),
                longs(1, 1), longs(1, 1), longs(1, 1), longs(8, 8));
        assertEquals(11_780_607,
                bytes(c, new Answer(10_633_423, 67, Map.of(18, 0L, 13, 0L, 28, 1L, 27, 7L, 2, 5L, 25, 0L))));
    }

    /**
     * A U-Net's downsampling, recorded on an H200: 128 tiles, of which a wave of clusters of eight leaves 8, each in four parts
     * there. An H100 cuts them in two: 2 x 8 x 65,536 and two sums for each of the 8 less, as two scripts took it.
     */
    @Test
    void whatAnH200TookIsSharedOutAsAnH100Does() {
        Convolution c = new Convolution(Pass.FORWARD, DType.FLOAT32, false, 16, 96, 96, 1, longs(64, 64), longs(3, 3),
                longs(2, 2), longs(1, 1), longs(1, 1), longs(32, 32));
        Optional<Answer> answer = Optional
                .of(new Answer(31_789_203, 67, Map.of(18, 0L, 13, 0L, 28, 1L, 27, 8L, 2, 0L, 25, 0L)));
        assertEquals(33_886_479,
                ConvolutionWorkspace.bytes(c, answer, DeviceProfile.find("H200").orElseThrow()));
        assertEquals(33_886_479 - 2 * 8 * 65_536 - 4 * 8 * 2,
                ConvolutionWorkspace.bytes(c, answer, DeviceProfile.find("H100-80GB").orElseThrow()));
    }

    private static long bytes(Convolution c, Answer answer) {
        return StreamedTiles.bytes(c, answer, DeviceProfile.find("H100-80GB").orElseThrow());
    }

    private static long[] longs(long... sizes) {
        return sizes;
    }
}
