package io.vramlab.plan;

/**
 * cuDNN's workspaces, as its heuristics chose them for 4,228 layers on an H200 (conformance's convolutions.jsonl.gz): operands
 * turned so that channels lie side by side, and partial sums where the sum over the batch is split. How large each part is
 * follows from the layer; which of them are taken is the heuristics' choice, and the bounds here were read off those very
 * layers and off recorded programs: how often they are right for others was not measured. The runtime has a rule of its own,
 * fitted by trees and with its errors: {@link io.vramlab.footprint.ConvolutionWorkspace}.
 */
final class ConvolutionWorkspace {

    /** Channels side by side are padded to whole vectors of 16 bytes. */
    private static final long VECTOR = 16;
    private static final long FLAGS = 16;
    private static final long TILE = 128;
    private static final long TILE_BYTES = TILE * TILE * Float.BYTES;
    /** Of an H200. */
    private static final long MULTIPROCESSORS = 132;
    private static final long MOST_SPLITS = 14;
    private static final long FEW_CHANNELS = 8;

    private ConvolutionWorkspace() {
    }

    /** For the output. */
    static long forward(Convolution c) {
        if (c.last()) {
            return 0;
        }
        if (c.halfPrecision()) {
            return halfForward(c);
        }
        if (c.groups() > 1) {
            return c.depth() > 50 ? all(c) : 0;
        }
        if (c.pointwise()) {
            boolean direct = c.positions() > 10_000 && c.depth() <= 256;
            return c.plain() || c.depth() < 128 ? 0 : direct ? all(c) - turned(c.out()) : ends(c);
        }
        if (c.depth() <= 50) {
            return 0;
        }
        if (c.depth() <= 380 && c.work() <= 57e6) {
            return 0;
        }
        boolean direct = c.depth() <= 1090 && (c.depth() > 380 || c.kernel() == 9);
        return direct ? all(c) - turned(c.out()) : all(c); // the output is written as it shall lie
    }

    private static long halfForward(Convolution c) {
        if (c.pointwise()) {
            return c.plain() ? 0 : ends(c);
        }
        if (c.ins() < FEW_CHANNELS) {
            return 0;
        }
        return c.depth() <= 104 && c.work() < 66e6 ? 0 : all(c);
    }

    /** For the input's gradient. */
    static long input(Convolution c) {
        if (c.last()) {
            return 0;
        }
        long fewest = Math.min(c.ins(), c.outs());
        if (!c.halfPrecision()) {
            if (c.pointwise()) {
                return !c.plain() && c.work() >= 100e6 ? ends(c) : 0;
            }
            return c.work() <= 63.5e6 || fewest > 20 && c.positions() <= 218 ? 0 : all(c);
        }
        if (c.pointwise()) {
            return !c.plain() || fewest > 384 ? ends(c) : 0;
        }
        return c.outs() <= 4 && c.work() < 200e6 || c.work() < 1.7e6 && c.outs() <= 56 ? 0 : all(c);
    }

    /** For the weight's gradient. */
    static long weight(Convolution c) {
        long fewest = Math.min(c.ins(), c.outs());
        if (c.last()) {
            return 0;
        }
        if (c.halfPrecision()) {
            if (c.work() < 6.5e6 && c.depth() <= 208) {
                return 0;
            }
            if (c.pointwise()) {
                return !c.sameSize() ? all(c) : fewest > 192 ? ends(c) : 0;
            }
            return all(c) + partialSums(c);
        }
        if (c.pointwise()) {
            return c.plain() ? perImage(c) : c.work() >= 100e6 ? all(c) + partialSums(c) : 0;
        }
        if (c.work() <= 15.9e6 || fewest <= 28 && c.depth() <= 24 || c.positions() <= 64) {
            return 0;
        }
        long winograd = winograd(c);
        return winograd > 0 ? winograd : all(c) + partialSums(c);
    }

    /** All operands turned, and all multiprocessors summing: more was seen for 2 in 100 layers. */
    static long most(Convolution c) {
        return all(c) + MULTIPROCESSORS * TILE_BYTES;
    }

    /** A matrix product for each image, whose sums are added up afterwards. */
    private static long perImage(Convolution c) {
        if (c.outs() % (VECTOR / Float.BYTES) != 0) {
            return all(c);
        }
        long sums = c.in().shape()[0] * c.weight().bytes();
        return sums <= 2 * ends(c) ? sums : ends(c);
    }

    /** Tiles of 4 by 4 results, transformed to 6 by 6, for kernels of 3 by 3; or 0 where they are not taken. */
    private static long winograd(Convolution c) {
        Form out = c.out();
        boolean square = out.rank() == 4 && c.weight().shape()[2] == 3 && c.weight().shape()[3] == 3;
        long channels = c.ins() * c.outs();
        if (!square || c.steps() || c.groups() > 1 || c.positions() <= 100 || c.positions() > 8_192
                || c.work() >= 1.3e9 || channels > 65_536 || c.ins() < 32) {
            return 0;
        }
        long tiles = out.shape()[0] * ((out.shape()[2] + 3) / 4) * ((out.shape()[3] + 3) / 4);
        return 36 * Float.BYTES * (tiles * (c.ins() + c.outs()) + channels);
    }

    /** So many that all multiprocessors have a tile of the weight to sum. */
    private static long partialSums(Convolution c) {
        long tiles = tiles(c.outs()) * tiles(c.depth()) * c.groups();
        long half = MULTIPROCESSORS / 2;
        if (tiles > half) {
            return (tiles > MULTIPROCESSORS ? MULTIPROCESSORS : half) * TILE_BYTES;
        }
        long budget = c.halfPrecision() || c.steps() ? half : MULTIPROCESSORS;
        return Math.min(MOST_SPLITS, budget / tiles) * c.weight().count() * Float.BYTES;
    }

    private static long tiles(long size) {
        return Math.max(1, (size + TILE - 1) / TILE);
    }

    private static long all(Convolution c) {
        return ends(c) + (c.groups() > 1 ? c.weight().bytes() : turned(c.weight()));
    }

    private static long ends(Convolution c) {
        return c.groups() > 1
                ? c.in().bytes() + c.out().bytes() + FLAGS
                : turned(c.in()) + turned(c.out()) + FLAGS;
    }

    private static long turned(Form form) {
        long vector = VECTOR / form.element();
        long channels = form.shape()[1];
        return form.bytes() / Math.max(1, channels) * ((channels + vector - 1) / vector * vector);
    }
}
