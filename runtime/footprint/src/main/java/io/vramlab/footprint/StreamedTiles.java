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
 * Without a GPU cuDNN answers as if it had 18 multiprocessors; which kernel, and which tiles, it answers rightly. Read off
 * recordings of an H200: docs/footprint.md, "Convolutions".
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
    private static final long[] FILLED = {0, 132, 132, 120, 124, 115, 106, 112, 120};
    private static final long FILLED_BY_LARGE = 112;
    private static final int COUNTER = 131;
    private static final int COUNTERS = 159;

    /** Rows and columns of a tile, and how many of its blocks a multiprocessor holds. */
    private record Tile(long rows, long columns, long blocks) {
    }

    private static final Map<Long, Tile> TILES = Map.ofEntries(Map.entry(0L, new Tile(128, 128, 2)),
            Map.entry(1L, new Tile(128, 64, 4)), Map.entry(2L, new Tile(64, 64, 2)),
            Map.entry(3L, new Tile(256, 128, 2)), Map.entry(4L, new Tile(256, 64, 3)),
            Map.entry(5L, new Tile(64, 64, 3)), Map.entry(6L, new Tile(128, 256, 2)),
            Map.entry(7L, new Tile(64, 128, 2)), Map.entry(8L, new Tile(64, 32, 2)),
            Map.entry(9L, new Tile(128, 128, 2)), Map.entry(16L, new Tile(256, 64, 2)),
            Map.entry(18L, new Tile(128, 192, 1)), Map.entry(19L, new Tile(192, 128, 2)),
            Map.entry(20L, new Tile(192, 128, 2)));

    private final Convolution c;
    private final Map<Integer, Long> choices;
    private final Tile tile;
    private final long filled;
    private final long tiles;
    private final long steps;

    private StreamedTiles(Convolution c, Map<Integer, Long> choices, Tile tile, DeviceProperties device) {
        this.c = c;
        this.choices = choices;
        this.tile = tile;
        long down = choices.get(CLUSTER_ROWS);
        long across = choices.get(CLUSTER_COLUMNS);
        long cluster = down * across;
        filled = (cluster < FILLED.length ? FILLED[(int) cluster] : FILLED_BY_LARGE) * device.multiProcessorCount()
                / RECORDED_PROCESSORS;
        long inner = wide(c.channels() / c.groups());
        long outer = wide(c.outputs() / c.groups());
        long taps = Convolution.product(c.kernel());
        long depth = c.dtype() == DType.FLOAT32 ? 32 : 64;
        long columns;
        long rows;
        long sums;
        switch (c.pass()) {
            case FORWARD -> {
                rows = c.batch() * Convolution.product(c.out());
                columns = ceil(outer, tile.columns);
                sums = taps * ceil(inner, depth);
            }
            case INPUT -> {
                rows = c.batch() * Convolution.product(c.in());
                columns = ceil(inner, tile.columns);
                sums = taps * ceil(outer, depth);
            }
            default -> {
                rows = c.outputs() / c.groups();
                columns = taps * ceil(inner, tile.columns);
                sums = ceil(c.batch() * Convolution.product(c.out()), depth);
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
        Map<Integer, Long> choices = answer.choices();
        Tile tile = TILES.get(choices.getOrDefault(TILE, -1L));
        boolean strided = c.pass() == Pass.INPUT && Convolution.product(c.stride()) > 1;
        if (device.major() != 9 || tile == null || strided || !ENGINES.get(c.pass()).contains(answer.engine())
                || !choices.containsKey(CLUSTER_ROWS) || !choices.containsKey(CLUSTER_COLUMNS)
                || !choices.containsKey(WHOLE_TILES)) {
            return answer.bytes();
        }
        StreamedTiles streamed = new StreamedTiles(c, choices, tile, device);
        return streamed.operands(answer.bytes()) + streamed.besides();
    }

    /** What the answer has for operands in another order: without counters, and without partial sums of 18 multiprocessors. */
    private long operands(long answer) {
        if (answer % 2 == 0) {
            return answer;
        }
        long[] sums = ConvolutionWorkspace.operands(c);
        long uncounted = answer - COUNTER;
        boolean isSum = uncounted == 0 || choices.get(WHOLE_TILES) == 1;
        long most = 0;
        for (long sum : sums) {
            isSum |= sum + 16 == uncounted;
            if (sum <= answer - COUNTER - 16) {
                most = Math.max(most, sum);
            }
        }
        if (isSum) {
            return uncounted;
        }
        boolean onlyPartial = c.channelsLast() && answer <= COUNTER + 2 * 18 * tile.rows * tile.columns * Float.BYTES;
        return onlyPartial || most == 0 ? 0 : most + 16;
    }

    private long besides() {
        if (choices.get(WHOLE_TILES) == 0) {
            long left = tiles <= filled ? tiles : tiles % filled;
            long parts = left == 0 ? 1 : parts(left);
            if (parts > 1) {
                boolean dense = c.pass() == Pass.WEIGHT && Convolution.product(c.kernel()) == 1;
                // the first part is written where the result will be, if that lies as it is computed
                long written = dense ? c.dtype().bytes() * c.outputs() * wide(c.channels() / c.groups()) : 0;
                return parts * left * tile.rows * tile.columns * Float.BYTES - written
                        + Integer.BYTES * left * sums(parts) + COUNTERS;
            }
            if (c.pass() == Pass.WEIGHT) {
                return 0;
            }
        }
        return tiles > tile.blocks * filled ? COUNTER : 0;
    }

    /** Into how many parts each tile's sum is cut: the steps of one, and what it takes to add so many parts, are least. */
    private long parts(long left) {
        boolean wideTile = choices.get(TILE) == 0;
        StreamedCosts costs = StreamedCosts.of(c.pass() == Pass.WEIGHT, c.dtype(), choices.get(TILE));
        long best = 1;
        double least = steps;
        for (long n = 2; n <= filled / left; n++) {
            double cost = ceil(steps, n) + costs.part() * n * left
                    + costs.level() * (Long.SIZE - Long.numberOfLeadingZeros(n - 1)) + costs.any();
            if (cost <= least) {
                best = n;
                least = cost;
            }
        }
        return best;
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
