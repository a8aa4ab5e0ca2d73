package io.vramlab.footprint;

import io.vramlab.device.DType;
import java.util.Arrays;

/**
 * The plans of cuDNN's that compute a convolution by Fourier transforms of float32. They are offered on a GPU alone, seldom come
 * first, and work in more than all others; sizes as an H200 told them: docs/footprint.md, "Convolutions". Of outputs and of
 * weights all images and all weights are transformed to squares whose side is a power of two; of inputs tiles of 32 are.
 */
final class FourierPlans {

    private static final long SMALLEST = 16;
    private static final long LARGEST = 256;
    private static final long TILE = 32;
    private static final int FLAT = 2;
    private static final long ALIGNED = 16;

    private FourierPlans() {
    }

    /** What the plan works in, in bytes; 0 where there is none. */
    static long bytes(Convolution c) {
        boolean possible = c.dtype() == DType.FLOAT32 && c.groups() == 1 && c.in().length <= FLAT
                && all(c.dilation(), 1);
        if (!possible) {
            return 0;
        }
        if (c.pass() == Convolution.Pass.INPUT) {
            return ofInputs(c);
        }
        boolean ofWeights = c.pass() == Convolution.Pass.WEIGHT;
        if (!all(c.stride(), 1) || side(c) > LARGEST || ofWeights && c.in().length < FLAT) {
            return 0;
        }
        long pairs = c.channels() * c.outputs();
        long in = c.batch() * c.channels();
        long out = c.batch() * c.outputs();
        long weights = c.weights() * Float.BYTES;
        return turned(c) + (ofWeights
                ? c.outputBytes() + square(side(c)) * Math.max(out + in, pairs)
                : weights + square(side(c)) * Math.max(pairs + in, out));
    }

    /**
     * What plans that were seen on a GPU for several groups of more than one channel in 16 bits stay below, in bytes: all operands
     * and the result transformed to squares from a tile on; 0 for other products. They took three to eight tenths of it.
     */
    static long ofGroups(Convolution c) {
        boolean seen = c.dtype().bytes() < Float.BYTES && c.groups() > 1 && c.groups() < c.channels()
                && c.in().length == FLAT && Arrays.stream(c.kernel()).allMatch(k -> k > FLAT) && side(c) <= LARGEST;
        return seen
                ? square(Math.max(side(c), TILE)) * (c.batch() * (c.channels() + c.outputs()) + pairs(c))
                : 0;
    }

    /** Of channels and the outputs that they go to. */
    private static long pairs(Convolution c) {
        return c.weights() / Convolution.product(c.kernel());
    }

    /**
     * Weights by half a tile, images by one for each at a time, or half of one where one is enough for an image. A step of two has
     * four parts of the input, each by a kernel of half the size.
     */
    private static long ofInputs(Convolution c) {
        int dims = c.in().length;
        long step = c.stride()[0];
        if (dims != FLAT || !all(c.stride(), step) || step > 2 || !Arrays.stream(c.kernel()).allMatch(k -> k > FLAT)) {
            return 0;
        }
        long tiles = 1;
        long taps = 1;
        long part = 1;
        long padded = 1;
        for (int d = 0; d < dims; d++) {
            long kernel = (c.kernel()[d] + step - 1) / step;
            long in = (c.in()[d] + step - 1) / step;
            tiles *= (in + TILE - kernel) / (TILE + 1 - kernel);
            taps *= kernel;
            part *= in;
            padded *= kernel % 2 == 0 ? in + kernel - 1 : c.out()[d];
        }
        long channels = step * step * c.channels();
        long images = square(TILE) * c.batch() * (channels + c.outputs());
        long bytes = square(TILE) / 2 * channels * c.outputs() + (tiles == 1 ? images / 2 : images);
        long parts = step == 1
                ? 0
                : Float.BYTES * (channels * c.outputs() * taps
                        + c.batch() * (channels * part + c.outputs() * padded)) + ALIGNED;
        return turned(c) + bytes + parts;
    }

    /** Operands and result, channels side by side, in the other order. */
    private static long turned(Convolution c) {
        return c.channelsLast()
                ? c.inputBytes() + c.weights() * Float.BYTES + c.outputBytes() + ALIGNED
                : 0;
    }

    /** A square of complex numbers, of which half is held, with its middle twice. */
    static long square(long n) {
        return 2 * Float.BYTES * n * (n + 2);
    }

    /** The least power of two that holds an image and its padding. */
    static long side(Convolution c) {
        long n = SMALLEST;
        for (int d = 0; d < c.in().length; d++) {
            while (n < c.in()[d] + 2 * c.padding()[d]) {
                n *= 2;
            }
        }
        return n;
    }

    private static boolean all(long[] values, long value) {
        return Arrays.stream(values).allMatch(v -> v == value);
    }
}
