package io.vramlab.footprint;

import io.vramlab.footprint.Convolution.Pass;

/**
 * What cuDNN's engines work in that compute a convolution by transforms of float32: Winograd's of tiles, and Fourier's of squares.
 * Read off what an H100 answered, 6,700 gradients of weights and 1,600 others; docs/footprint.md, "Convolutions". Of groups eight are
 * computed at a time.
 */
final class TransformedSizes {

    private static final long AT_ONCE = 8;
    private static final long ALIGNED = 16;
    private static final long NARROW = 3;
    private static final long WIDE = 5;
    /** Results of a tile on a side, for kernels of 3 and of 5. */
    private static final long NARROW_TILE = 4;
    private static final long WIDE_TILE = 9;
    /** All but gradients of weights by kernels of 3 take images in whole sixteens. */
    private static final long IMAGES = 16;

    private final Convolution c;
    private final long groups;
    private final long inner;
    private final long outer;

    private TransformedSizes(Convolution c) {
        this.c = c;
        groups = Math.min(c.groups(), AT_ONCE);
        inner = c.channels() / c.groups();
        outer = c.outputs() / c.groups();
    }

    /** By Winograd's transforms, of kernels of 3 by 3 and of 5 by 5; 0 for others. */
    static long winograd(Convolution c) {
        boolean squares = c.kernel().length == 2 && c.kernel()[0] == c.kernel()[1];
        return squares && (c.kernel()[0] == NARROW || c.kernel()[0] == WIDE) ? new TransformedSizes(c).tiles() : 0;
    }

    /** By Fourier transforms, of an output or a gradient of a weight; 0 for gradients of the input. */
    static long fourier(Convolution c) {
        return c.pass() == Pass.INPUT ? 0 : new TransformedSizes(c).squares();
    }

    /** Numbers of a transformed tile, for each tile and channel in and out, and for each pair of channels. */
    private long tiles() {
        boolean narrow = c.kernel()[0] == NARROW;
        long tile = narrow ? NARROW_TILE : WIDE_TILE;
        long side = tile + c.kernel()[0] - 1;
        long tiles = narrow && c.pass() == Pass.WEIGHT ? c.batch() : Math.ceilDiv(c.batch(), IMAGES) * IMAGES;
        for (long size : c.pass() == Pass.INPUT ? c.in() : c.out()) {
            tiles *= Math.ceilDiv(size, tile);
        }
        long numbers = side * side * Float.BYTES;
        return aligned(numbers * tiles * inner * groups) + aligned(numbers * tiles * outer * groups)
                + aligned(numbers * inner * outer * groups) + (c.channelsLast() ? turned() : 0);
    }

    /** Complex numbers of each image, and of each pair of channels in the place of what is computed, or before it. */
    private long squares() {
        long square = FourierPlans.square(FourierPlans.side(c));
        long in = c.batch() * inner * groups;
        long out = c.batch() * outer * groups;
        long pairs = inner * outer * groups;
        long copies = c.groups() > 1 && !c.channelsLast() ? ofGroups(input() + output()) : 0;
        long turned = c.channelsLast() ? turned() : 0;
        if (c.pass() == Pass.WEIGHT) {
            return output() + turned + Math.max(square * (in + out) + copies, square * pairs);
        }
        long weights = pairs * Convolution.product(c.kernel()) * Float.BYTES;
        return aligned(weights) + square * Math.max(pairs + in, out) + turned + copies;
    }

    /** Operands and result, channels side by side, in the other order; one channel alone is in both. */
    private long turned() {
        long weights = inner * outer * groups * Convolution.product(c.kernel()) * c.dtype().bytes();
        return ofGroups((c.channels() > 1 ? input() : 0) + (c.outputs() > 1 ? output() : 0) + weights);
    }

    private long ofGroups(long bytes) {
        return (bytes + ALIGNED * groups) / ALIGNED * ALIGNED;
    }

    private long input() {
        return c.inputBytes() / c.groups() * groups;
    }

    private long output() {
        return c.outputBytes() / c.groups() * groups;
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, ALIGNED) * ALIGNED;
    }
}
