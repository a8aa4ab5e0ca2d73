package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Products of matrices: convolutions of kernels of one element, without steps, padding and groups, channels in planes. Two
 * kinds of engines compute them. cuDNN's own take what it answers; those on cuBLAS are not offered to who asks without a GPU,
 * and take a few hundred bytes at most, and of a weight's gradient a float32 copy for each image, which are added up
 * afterwards. Whose turn it is, is learnt from recordings ({@code src/fit/plain.py}): 97 in 100 are the one or the other.
 */
final class PlainProducts {

    /** A leaf for what cuDNN's own engines compute; others are the bytes that cuBLAS takes besides. */
    private static final String CUDNN = "cudnn";
    private static final int LARGE = 1100;
    private static final long ALIGNED = 64;
    private static final long PROCESSORS = 132;
    private static final long[][] TILES = {{64, 64}, {128, 64}, {64, 128}, {128, 128}, {128, 256}, {256, 128}};

    private PlainProducts() {
    }

    static long bytes(Convolution c, Answer answer, DeviceProperties device) {
        String leaf = ConvolutionTrees.PLAIN.voted(
                "cublas " + c.pass().ordinal() + " " + ConvolutionWorkspace.element(c),
                features(c, answer));
        return leaf.equals(CUDNN) ? StreamedTiles.bytes(c, answer, device) : byCublas(c) + Long.parseLong(leaf);
    }

    /** Where it is known that cuBLAS computes it, and by which of the ways that it proposes. */
    static long byCublas(Convolution c, long way) {
        Answer known = new Answer(0, (int) way, Map.of());
        return byCublas(c) + Long.parseLong(ConvolutionTrees.WAYS.voted(
                "ways " + c.pass().ordinal() + " planes " + ConvolutionWorkspace.element(c), features(c, known)));
    }

    /** What engines on cuBLAS take, but for a few hundred bytes. */
    static long byCublas(Convolution c) {
        return c.pass() == Pass.WEIGHT ? c.batch() * c.weights() * Float.BYTES : 0;
    }

    /** The product that is computed for each image. */
    private static double[] features(Convolution c, Answer answer) {
        long cells = Convolution.product(c.out());
        long rows = c.pass() == Pass.WEIGHT ? c.channels() : cells;
        long columns = c.pass() == Pass.INPUT ? c.channels() : c.outputs();
        long depth = switch (c.pass()) {
            case FORWARD -> c.channels();
            case INPUT -> c.outputs();
            case WEIGHT -> cells;
        };
        return features(c, answer, rows, columns, depth, c.batch()).toArray();
    }

    /** In the order of fit/plain.py: the sizes, the answer, and so many products of matrices. */
    static DoubleStream features(Convolution c, Answer answer, long rows, long columns, long depth, long products) {
        DoubleStream product = DoubleStream.of(answer.engine(), answer.bytes() > LARGE ? 1 : 0, rows, columns, depth,
                aligned(rows), aligned(columns), aligned(depth), rows * columns, rows * depth, columns * depth,
                (double) rows / columns, (double) depth / rows, (double) depth / columns);
        DoubleStream tiles = DoubleStream.of();
        for (long[] tile : TILES) {
            tiles = DoubleStream.concat(tiles, filled(rows, columns, products, tile[0], tile[1]));
        }
        return DoubleStream.concat(DoubleStream.of(ConvolutionWorkspace.features(c)),
                DoubleStream.concat(product, tiles));
    }

    /** The largest power of two that it is a multiple of, up to 64. */
    private static long aligned(long size) {
        return Math.min(Long.lowestOneBit(size), ALIGNED);
    }

    /** How many tiles of that size there are, and how much of the waves of blocks that compute them is not idle. */
    private static DoubleStream filled(long rows, long columns, long images, long tall, long wide) {
        long tiles = Math.ceilDiv(rows, tall) * Math.ceilDiv(columns, wide) * images;
        long waves = Math.ceilDiv(tiles, PROCESSORS);
        return DoubleStream.of(tiles, (double) (rows * columns * images) / (waves * PROCESSORS * tall * wide));
    }
}
