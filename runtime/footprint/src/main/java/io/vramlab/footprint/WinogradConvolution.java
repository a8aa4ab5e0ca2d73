package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.Optional;

/**
 * The gradient of a weight by Winograd's transforms of tiles of 4 by 4 and kernels of 3 by 3, in float32: 36 numbers for each
 * tile of the output, of all channels in and out, and 36 for each pair of channels of a group. cuDNN does not offer it to who
 * asks without a GPU. Its size is exact where it is taken; where that is, is learnt from recordings of one group
 * ({@code src/fit/winograd.py}), and holds for each of a few.
 */
final class WinogradConvolution {

    private static final String TAKEN = "winograd";
    private static final long[] KERNEL = {3, 3};
    private static final long TILE = 4;
    /** Of up to so many groups each is computed so where a convolution of one such group alone would be. */
    private static final long FEW = 4;
    /** An engine for groups of 32 channels, whose answer stands. */
    private static final int OF_NARROW_GROUPS = 23;
    private static final long TRANSFORMED = (TILE + 2) * (TILE + 2) * Float.BYTES;

    private WinogradConvolution() {
    }

    /**
     * Whether it was taken by products of such sizes: right for 97 in 100 of those whose widths were not learnt from.
     *
     * @param answer
     *            what cuDNN offers without a GPU; of groups it has to be asked
     */
    static boolean isLikely(Convolution c, Optional<Answer> answer) {
        boolean whole = c.groups() == 1;
        return isPossible(c) && (whole || answer.filter(a -> a.engine() != OF_NARROW_GROUPS).isPresent())
                && ConvolutionTrees.parts(TAKEN, ConvolutionWorkspace.features(ofOneGroup(c))).equals(TAKEN);
    }

    private static boolean isPossible(Convolution c) {
        return c.pass() == Pass.WEIGHT && c.dtype() == DType.FLOAT32 && !c.channelsLast() && c.groups() <= FEW
                && Arrays.equals(c.kernel(), KERNEL) && Convolution.product(c.stride()) == 1
                && Convolution.product(c.dilation()) == 1;
    }

    private static Convolution ofOneGroup(Convolution c) {
        return new Convolution(c.pass(), c.dtype(), c.channelsLast(), c.batch(), c.channels() / c.groups(),
                c.outputs() / c.groups(), 1, c.in(), c.kernel(), c.stride(), c.padding(), c.dilation(), c.out());
    }

    /** Of the workspace. */
    static long bytes(Convolution c) {
        long tiles = c.batch() * tiles(c.out()[0]) * tiles(c.out()[1]);
        return TRANSFORMED * (tiles * (c.channels() + c.outputs()) + c.channels() / c.groups() * c.outputs());
    }

    private static long tiles(long side) {
        return (side + TILE - 1) / TILE;
    }
}
