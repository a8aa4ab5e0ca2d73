package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Products of matrices with channels side by side: convolutions of kernels of one element, without steps, padding and groups. All
 * images are one product. cuDNN's own engines take what it answers; those on cuBLAS, which are not offered to who asks without a
 * GPU, a few hundred bytes, a counter for each tile, or, where they cut its sums, a float32 copy of the result for each cut.
 * Which, is learnt from recordings ({@code src/fit/plain_last.py}).
 */
final class ChannelsLastProducts {

    private static final String CUDNN = "cudnn";
    /** Copies, the depth of a cut, or the blocks that tiles fill; and counters of tiles. */
    private static final Pattern CUT = Pattern.compile("([adw])(\\d+)(?:/(\\d+)x(\\d+))?\\+(\\d+)");
    private static final Pattern COUNTERS = Pattern.compile("t(\\d+)x(\\d+)");
    private static final long ALIGNED = 16;
    private static final long SMALL = 256;
    /** cuDNN's number of the setting that is the tile. */
    private static final int TILE = 2;

    private final long rows;
    private final long columns;
    private final long depth;

    private ChannelsLastProducts(Convolution c) {
        long pixels = c.batch() * Convolution.product(c.out());
        rows = c.pass() == Pass.WEIGHT ? c.channels() : pixels;
        columns = c.pass() == Pass.INPUT ? c.channels() : c.outputs();
        depth = switch (c.pass()) {
            case FORWARD -> c.channels();
            case INPUT -> c.outputs();
            case WEIGHT -> pixels;
        };
    }

    static long bytes(Convolution c, Answer answer, DeviceProperties device) {
        ChannelsLastProducts product = new ChannelsLastProducts(c);
        long answered = StreamedTiles.bytes(c, answer, device);
        String leaf = ConvolutionTrees.PLAIN_LAST.voted(
                "last " + c.pass().ordinal() + " " + ConvolutionWorkspace.element(c),
                product.features(c, answer, answered));
        return leaf.equals(CUDNN) ? answered : product.bytes(leaf);
    }

    /** Where it is known that cuBLAS computes it, and by which of the ways that it proposes. */
    static long byCublas(Convolution c, long way) {
        ChannelsLastProducts product = new ChannelsLastProducts(c);
        Answer known = new Answer(0, (int) way, Map.of());
        return product.bytes(ConvolutionTrees.WAYS.voted(
                "ways " + c.pass().ordinal() + " last " + ConvolutionWorkspace.element(c),
                product.features(c, known, 0)));
    }

    private long bytes(String leaf) {
        Matcher counters = COUNTERS.matcher(leaf);
        if (counters.matches()) {
            long bytes = Integer.BYTES * tiles(counters.group(1), counters.group(2));
            return SMALL + Math.ceilDiv(bytes, ALIGNED) * ALIGNED;
        }
        Matcher cut = CUT.matcher(leaf);
        if (!cut.matches()) {
            return Long.parseLong(leaf);
        }
        long number = Long.parseLong(cut.group(2));
        long copies = switch (cut.group(1)) {
            case "a" -> number;
            case "d" -> Math.ceilDiv(depth, number);
            default -> Math.max(1, number / tiles(cut.group(3), cut.group(4)));
        };
        return copies * rows * columns * Float.BYTES + Long.parseLong(cut.group(5));
    }

    private long tiles(String tall, String wide) {
        return Math.ceilDiv(rows, Long.parseLong(tall)) * Math.ceilDiv(columns, Long.parseLong(wide));
    }

    /** In the order of fit/plain_last.py: the sizes, the answer, the product, and how many copies of it the answer has. */
    private double[] features(Convolution c, Answer answer, long answered) {
        DoubleStream said = DoubleStream.of((double) answered / (Float.BYTES * rows * columns),
                answer.choices().getOrDefault(TILE, -1L));
        return DoubleStream.concat(PlainProducts.features(c, answer, rows, columns, depth, 1), said).toArray();
    }
}
