package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Set;

/**
 * What cuDNN's kernels for compute capability 9.0 work in besides their operands. They share what is left of the output's
 * tiles, after whole waves of blocks, among all multiprocessors: each keeps partial sums of a tile, which are added in pairs.
 * Without a GPU cuDNN answers as if it had 18 multiprocessors; which kernel, and which tiles, it answers rightly. The rule
 * was read off its answers for up to 18: docs/footprint.md, "Convolutions".
 */
final class StreamedTiles {

    /** Engines by product: their numbers in cuDNN 9.19. */
    private static final Map<Pass, Set<Integer>> ENGINES = Map.of(Pass.FORWARD, Set.of(62, 67), Pass.INPUT,
            Set.of(67, 71), Pass.WEIGHT, Set.of(65, 68));
    /** Settings, by cuDNN's numbers: the tile, whether it streams, and how many blocks are a cluster, down and across. */
    private static final int TILE = 2;
    private static final int WHOLE_TILES = 25;
    private static final int CLUSTER_ROWS = 27;
    private static final int CLUSTER_COLUMNS = 28;

    private static final long RECORDED_PROCESSORS = 132;
    /** How many of the 132 multiprocessors clusters of so many blocks fill; of more, 112. */
    private static final long[] FILLED = {0, 132, 132, 117, 120, 110, 102, 105, 120};
    private static final long FILLED_BY_LARGE = 112;
    /** Of which it answers without a GPU. */
    private static final long ANSWERED_PROCESSORS = 18;
    /** A multiprocessor holds two blocks; where there are more tiles they are counted. */
    private static final long BLOCKS = 2;
    private static final int COUNTER = 131;
    private static final int COUNTERS = 159;
    private static final int ALIGNED = 16;

    /** Rows and columns of a tile. */
    private record Tile(long rows, long columns) {

        long area() {
            return rows * columns;
        }
    }

    private static final Map<Long, Tile> TILES = Map.ofEntries(Map.entry(0L, new Tile(128, 128)),
            Map.entry(1L, new Tile(128, 64)), Map.entry(2L, new Tile(64, 64)), Map.entry(3L, new Tile(256, 128)),
            Map.entry(4L, new Tile(256, 64)), Map.entry(5L, new Tile(64, 64)), Map.entry(6L, new Tile(128, 256)),
            Map.entry(7L, new Tile(64, 128)), Map.entry(8L, new Tile(64, 32)), Map.entry(9L, new Tile(64, 256)),
            Map.entry(16L, new Tile(256, 32)), Map.entry(18L, new Tile(64, 192)), Map.entry(19L, new Tile(128, 192)),
            Map.entry(20L, new Tile(256, 96)));

    private final Convolution c;
    private final boolean whole;
    private final Tile tile;
    private final StreamedParts cut;
    private final long cluster;
    private final long tiles;
    private final long steps;

    private StreamedTiles(Convolution c, Map<Integer, Long> choices, Tile tile, boolean h100) {
        this.c = c;
        this.tile = tile;
        whole = choices.get(WHOLE_TILES) == 1;
        cut = StreamedParts.of(c.dtype(), tile.area(), c.pass() != Pass.INPUT && choices.get(TILE) == 1,
                h100);
        long down = choices.get(CLUSTER_ROWS);
        long across = choices.get(CLUSTER_COLUMNS);
        cluster = down * across;
        long inner = wide(c.channels() / c.groups());
        long outer = wide(c.outputs() / c.groups());
        long taps = Convolution.product(c.kernel());
        long columns;
        long rows;
        long sums;
        switch (c.pass()) {
            case FORWARD -> {
                rows = c.batch() * Convolution.product(c.out());
                columns = ceil(outer, tile.columns);
                sums = taps * ceil(inner, cut.depth());
            }
            case INPUT -> {
                rows = c.batch() * Convolution.product(c.in());
                columns = ceil(inner, tile.columns);
                sums = taps * ceil(outer, cut.depth());
            }
            default -> {
                rows = c.outputs() / c.groups();
                columns = taps * ceil(inner, tile.columns);
                sums = ceil(c.batch() * Convolution.product(c.out()), cut.depth());
            }
        }
        tiles = ceil(ceil(rows, tile.rows), down) * down * (ceil(columns, across) * across) * c.groups();
        steps = sums;
    }

    private static long ceil(long n, long by) {
        return (n + by - 1) / by;
    }

    private long wide(long channels) {
        long vector = 16 / c.dtype().bytes();
        return ceil(channels, vector) * vector;
    }

    /** The answer as a GPU that is there would give it. */
    static long bytes(Convolution c, Answer answer, DeviceProperties device) {
        return bytes(c, answer, device, Processors.isH100(device));
    }

    /** What an H200 took, as an H100 takes it: its memory is slower, so that sums are shared otherwise; the same where the answer does not give what was taken. */
    static long onH100(Convolution c, Answer answer, DeviceProperties device, long taken) {
        return bytes(c, answer, device, false) == taken ? bytes(c, answer, device, true) : taken;
    }

    private static long bytes(Convolution c, Answer answer, DeviceProperties device, boolean h100) {
        Map<Integer, Long> choices = answer.choices();
        Tile tile = TILES.get(choices.getOrDefault(TILE, -1L));
        boolean strided = c.pass() == Pass.INPUT && Convolution.product(c.stride()) > 1;
        if (device.major() != 9 || tile == null || strided || !ENGINES.get(c.pass()).contains(answer.engine())
                || !choices.containsKey(CLUSTER_ROWS) || !choices.containsKey(CLUSTER_COLUMNS)
                || !choices.containsKey(WHOLE_TILES)) {
            return answer.bytes();
        }
        StreamedTiles streamed = new StreamedTiles(c, choices, tile, h100);
        long answered = ANSWERED_PROCESSORS / streamed.cluster * streamed.cluster;
        long operands = answered == 0 ? -1 : answer.bytes() - streamed.besides(answered);
        return operands < 0 || operands % ALIGNED != 0
                ? answer.bytes()
                : operands + streamed.besides(streamed.filled(device.multiProcessorCount()));
    }

    private long filled(long processors) {
        return (cluster < FILLED.length ? FILLED[(int) cluster] : FILLED_BY_LARGE) * processors / RECORDED_PROCESSORS;
    }

    /** Partial sums and counters on so many multiprocessors. */
    private long besides(long filled) {
        boolean counted = tiles > BLOCKS * filled;
        long left = whole ? 0 : tiles <= filled ? tiles : tiles % filled;
        long parts = left == 0 ? 1 : cut.parts(steps, filled / left, tiles > filled);
        if (parts == 1) {
            return counted ? COUNTER : 0;
        }
        return parts * left * tile.area() * Float.BYTES + Integer.BYTES * left * sums(parts) + COUNTERS
                + (counted ? Integer.BYTES : 0);
    }

    /** How many sums of two there are, a number left over being one of them on its level. */
    private static long sums(long parts) {
        long all = 0;
        for (long n = parts; n > 1;) {
            n = (n + 1) / 2;
            all += n;
        }
        return all;
    }
}
