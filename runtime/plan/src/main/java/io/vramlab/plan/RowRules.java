package io.vramlab.plan;

import io.vramlab.footprint.CubScratch;
import java.util.List;
import java.util.Map;

/** Rows chosen by indices, and their gradients; docs/footprint.md, "Gradients of rows". */
final class RowRules {

    private static final long INDEX = Long.BYTES;
    private static final long FEW = 3_072;
    private static final long UNIQUE_TILE = 4_608;
    private static final long SCAN_TILE = 896;
    private static final long MAX_THREADS = 1_024;

    private RowRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten.embedding_dense_backward", RowRules::embedding);
        rules.put("aten.index_put", RowRules::put);
        rules.put("aten.index_put_", RowRules::put);
        rules.put("aten._index_put_impl_", RowRules::put);
    }

    private static void put(Operation o, Steps s) {
        s.results();
        if (!o.flag(3, "accumulate", false)) {
            return;
        }
        long count = 1;
        for (Form index : Operation.forms(o.argument(1))) {
            count = Math.max(count, index.count());
        }
        long bytes = INDEX * count;
        long inRange = s.take(bytes);
        long positions = s.take(bytes);
        s.give(inRange);
        List<Long> more = List.of(s.take(bytes), s.take(bytes), s.take(bytes));
        long rows = o.form(0).shape()[0];
        s.passing(CubScratch.sort(count, Long.SIZE - Long.numberOfLeadingZeros(Math.max(rows - 1, 0))));
        more.reversed().forEach(s::give);
        s.give(positions);
    }

    private static void embedding(Operation o, Steps s) {
        Form gradient = o.form(0);
        long n = o.form(1).count();
        long width = gradient.shape()[gradient.rank() - 1];
        if (n <= FEW) {
            return;
        }
        long sorted = s.take(INDEX * n);
        long order = s.take(INDEX * n);
        long positions = s.take(INDEX * n);
        s.passing(CubScratch.sort(n, Long.SIZE));
        s.give(positions);
        s.results();
        long a = s.take(INDEX * n);
        long b = s.take(Long.BYTES);
        long distinct = s.take(INDEX * n);
        s.passing(CubScratch.scan(n, UNIQUE_TILE));
        s.give(distinct);
        long segments = Math.min(n, o.number(2, "num_weights", n));
        long c = s.take(INDEX * segments);
        long d = s.take(INDEX * segments);
        s.passing(CubScratch.scan(segments, SCAN_TILE));
        long e = s.take(Long.BYTES);
        long pieces = n / 10 + segments;
        long f = s.take(INDEX * pieces);
        long accumulator = Math.max(gradient.element(), Float.BYTES);
        long g;
        long h = 0;
        if (isAtomic(segments, pieces, width, s)) {
            g = s.take(INDEX * pieces);
            if (gradient.element() < Float.BYTES) {
                h = s.take(o.number(2, "num_weights", n) * width * accumulator);
            }
        } else {
            g = s.take(pieces * width * accumulator);
        }
        if (h != 0) {
            s.give(h);
        }
        for (long block : new long[]{g, f, e, d, c, b, a, order, sorted}) {
            s.give(block);
        }
    }

    private static boolean isAtomic(long segments, long pieces, long width, Steps s) {
        long warp = s.device().warpSize();
        long warps = (width + warp - 1) / warp * warp;
        long threads = Math.min(warps, MAX_THREADS);
        long blocks = (segments * warps + threads - 1) / threads;
        return blocks < 4L * s.device().multiProcessorCount() && pieces > 4 * blocks;
    }
}
