package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;

/**
 * The gradient of a weight by Winograd's transforms of tiles of 4 by 4 and kernels of 3 by 3, in float32: 36 numbers for each
 * tile of the output, of all channels in and out, and 36 for each pair of channels. cuDNN does not offer it to who asks without
 * a GPU. Its size is exact where it is taken; where that is, is learnt from recordings ({@code src/fit/winograd.py}).
 */
final class WinogradConvolution {

    private static final String TAKEN = "winograd";
    private static final long[] KERNEL = {3, 3};
    private static final long TILE = 4;
    private static final long TRANSFORMED = (TILE + 2) * (TILE + 2) * Float.BYTES;

    private WinogradConvolution() {
    }

    /** Whether it was taken by products of such sizes: right for 97 in 100 of those whose widths were not learnt from. */
    static boolean isLikely(Convolution c) {
        return isPossible(c) && ConvolutionTrees.parts(TAKEN, ConvolutionWorkspace.features(c)).equals(TAKEN);
    }

    private static boolean isPossible(Convolution c) {
        return c.pass() == Pass.WEIGHT && c.dtype() == DType.FLOAT32 && !c.channelsLast() && c.groups() == 1
                && Arrays.equals(c.kernel(), KERNEL) && Convolution.product(c.stride()) == 1
                && Convolution.product(c.dilation()) == 1;
    }

    /** Of the workspace. */
    static long bytes(Convolution c) {
        long tiles = c.batch() * tiles(c.out()[0]) * tiles(c.out()[1]);
        return TRANSFORMED * (tiles * (c.channels() + c.outputs()) + c.channels() * c.outputs());
    }

    private static long tiles(long side) {
        return (side + TILE - 1) / TILE;
    }
}
