package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Slices;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Sums, means and maxima of an embedding's rows, bag by bag: torch._embedding_bag's memory (bags' sizes, each row's bag, the
 * places of maxima, and what its sorted backward takes); values come from the host.
 */
public final class EmbeddingBags {

    /** From how many times fewer indices than rows on they are read one by one. */
    private static final int FEW = 4;

    private EmbeddingBags() {
    }

    /**
     * How bags are added up.
     *
     * @param mode
     *            sum, mean or max
     * @param sparse
     *            whether the weight's gradient has only the rows that were looked up
     * @param padding
     *            a row that counts for nothing and gets no gradient; null for none
     * @param lastOffset
     *            whether the last of the offsets is where the last bag ends, and begins none
     */
    public record How(String mode, boolean sparse, Long padding, boolean lastOffset) {

        boolean max() {
            return mode.equals("max");
        }

        boolean mean() {
            return mode.equals("mean");
        }

        private boolean skips(double row) {
            return padding != null && row == padding;
        }
    }

    /**
     * [bags, width] of weight [rows, width].
     *
     * @param index
     *            int64 [bags, many], or [many] with offsets
     * @param offsets
     *            where bags begin, int64; null for bags of one size
     * @param factors
     *            of each index, or null
     */
    public static TensorImpl of(TensorImpl index, TensorImpl weight, TensorImpl offsets, TensorImpl factors,
            How asked) {
        How how = checked(index, weight, offsets, factors, asked);
        long ends = how.lastOffset() ? 1 : 0;
        long bags = offsets == null ? index.shape()[0] : offsets.shape()[0] - ends;
        long each = offsets == null ? index.shape()[1] : 0;
        long width = weight.shape()[1];
        try (Temps t = new Temps()) {
            TensorImpl starts = offsets == null
                    ? t.own(whole(index, bags))
                    : t.own(begins(offsets, bags));
            if (offsets == null) {
                HostLoops.fill(starts, () -> LongStream.range(0, bags).mapToDouble(b -> b * each)
                        .toArray());
            }
            TensorImpl sizes = t.own(whole(index, bags + ends));
            TensorImpl bagOf = t.own(whole(index, index.count()));
            TensorImpl out = t.own(TensorImpl.empty(weight.device(), weight.dtype(), bags, width));
            TensorImpl places = how.max() ? t.own(whole(index, bags, width)) : null;
            fill(index, weight, starts, factors, how, out, places);
            if (Graph.wanted(weight, factors)) {
                // of the weight PyTorch keeps its number of rows alone, unless factors are wanted: derivatives.yaml, _embedding_bag
                long rows = weight.shape()[0];
                Node node = Graph.record("EmbeddingBagBackward0", out, (n, g) -> backward(n, g, how, rows), weight,
                        factors);
                if (how.sparse()) {
                    HostLoops.fill(bagOf, () -> bagOf(index, starts));
                    HostLoops.fill(sizes, () -> Arrays.copyOf(sizes(index, starts, how), (int) (bags + ends)));
                }
                node.save(Graph.input(node, index), Graph.input(node, starts), Graph.input(node, bagOf),
                        Graph.input(node, sizes), how.max() ? Graph.input(node, places) : null,
                        factors == null ? null : Graph.input(node, factors),
                        Graph.inputIf(node.wants(1), node, weight));
            }
            t.free(bagOf);
            t.free(sizes);
            t.free(starts);
            return t.give(out);
        }
    }

    private static TensorImpl begins(TensorImpl offsets, long bags) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            return Views.narrow(t.own(Views.detach(offsets)), 0, 0, bags);
        }
    }

    private static How checked(TensorImpl index, TensorImpl weight, TensorImpl offsets, TensorImpl factors, How how) {
        if (!how.mode().equals("sum") && !how.mean() && !how.max()) {
            throw new TensorException("mode has to be one of sum, mean or max, but \"" + how.mode() + "\" was given.");
        }
        if (offsets == null ? index.rank() != 2 : index.rank() != 1 || offsets.rank() != 1) {
            throw new TensorException("input has to be 1D or 2D Tensor, with offsets if it is 1D, but it has shape "
                    + Shape.text(index.shape()) + (offsets == null ? " and no offsets." : " and offsets."));
        }
        if (how.lastOffset() && (offsets == null || offsets.count() == 0)) {
            throw new TensorException(
                    "include_last_offset: number of offset should be at least 1, but none were given. "
                            + "Give offsets, the last of them the number of indices.");
        }
        if (how.max() && how.sparse()) {
            throw new TensorException("max mode does not support sparse weights: use sum or mean, or sparse(false).");
        }
        if (factors != null && (!how.mode().equals("sum") || !Arrays.equals(factors.shape(), index.shape()))) {
            throw new TensorException("embedding_bag: per_sample_weights of shape " + Shape.text(factors.shape())
                    + " were given for indices of shape " + Shape.text(index.shape()) + " and mode " + how.mode()
                    + ": they are only supported for mode='sum', one for each index.");
        }
        long rows = weight.shape()[0];
        if (how.padding() != null && (how.padding() >= rows || how.padding() < -rows)) {
            throw new TensorException("padding_idx must be within the number of embeddings, -" + rows + " through "
                    + (rows - 1) + ", but got " + how.padding() + ".");
        }
        return how.padding() == null || how.padding() >= 0
                ? how
                : new How(how.mode(), how.sparse(), how.padding() + rows, how.lastOffset());
    }

    private static TensorImpl whole(TensorImpl like, long... shape) {
        return TensorImpl.empty(like.device(), DType.INT64, shape);
    }

    private static void fill(TensorImpl index, TensorImpl weight, TensorImpl starts, TensorImpl factors, How how,
            TensorImpl out, TensorImpl places) {
        if (!out.driver().kernels().computes() || out.count() == 0) {
            return;
        }
        double[] rows = HostLoops.read(index);
        double[] from = HostLoops.read(starts);
        double[] by = factors == null ? null : HostLoops.read(factors);
        int width = (int) weight.shape()[1];
        Rows table = new Rows(weight, rows.length);
        double[] y = new double[(int) out.count()];
        double[] at = new double[y.length];
        Arrays.fill(at, -1);
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : rows.length;
            int begin = (int) from[b];
            double share = share(rows, begin, end, how);
            for (int i = begin; i < end; i++) {
                if (how.skips(rows[i])) {
                    continue;
                }
                double[] row = table.get((long) rows[i]);
                for (int k = 0; k < width; k++) {
                    int cell = b * width + k;
                    if (!how.max()) {
                        y[cell] += by == null ? row[k] * share : row[k] * by[i];
                    } else if (at[cell] < 0 || row[k] > y[cell]) {
                        y[cell] = row[k];
                        at[cell] = rows[i];
                    }
                }
            }
        }
        HostLoops.fill(out, () -> y);
        if (places != null) {
            HostLoops.fill(places, () -> at);
        }
    }

    /** What one row counts in its bag. */
    private static double share(double[] rows, int begin, int end, How how) {
        return how.mean()
                ? 1.0 / IntStream.range(begin, end).filter(i -> !how.skips(rows[i])).count()
                : 1;
    }

    private static double[] bagOf(TensorImpl index, TensorImpl starts) {
        double[] from = HostLoops.read(starts);
        double[] out = new double[(int) index.count()];
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : out.length;
            Arrays.fill(out, (int) from[b], end, b);
        }
        return out;
    }

    private static double[] sizes(TensorImpl index, TensorImpl starts, How how) {
        double[] from = HostLoops.read(starts);
        double[] rows = HostLoops.read(index);
        double[] out = new double[from.length];
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : rows.length;
            out[b] = IntStream.range((int) from[b], end).filter(i -> !how.skips(rows[i])).count();
        }
        return out;
    }

    /** A table's rows on the host: all of them, or those that are asked for. */
    private static final class Rows {

        private final TensorImpl weight;
        private final int width;
        private final double[] all;

        Rows(TensorImpl weight, int asked) {
            this.weight = weight;
            this.width = (int) weight.shape()[1];
            this.all = asked < weight.shape()[0] / FEW ? null : HostLoops.read(weight);
        }

        double[] get(long row) {
            if (row < 0 || row >= weight.shape()[0]) {
                throw new TensorException("An embedding bag was asked for row " + row + " of " + weight.shape()[0]
                        + ": index out of range in self. Give indices from 0 on.");
            }
            if (all != null) {
                return Arrays.copyOfRange(all, (int) row * width, ((int) row + 1) * width);
            }
            try (Temps t = new Temps()) {
                return HostLoops.read(t.own(Views.select(t.own(Views.detach(weight)), 0, row)));
            }
        }
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, How how, long rows) {
        try (Temps t = new Temps()) {
            TensorImpl ofFactors = n.wants(1) ? t.own(factorSlopes(n, g)) : null;
            TensorImpl ofWeight = !n.wants(0)
                    ? null
                    : t.own(how.sparse()
                            ? sparse(n, g, how, rows)
                            : dense(n, g, how,
                                    rows));
            return t.give(ofWeight, ofFactors);
        }
    }

    /** The rows that were looked up, each with its bag's gradient. */
    private static TensorImpl sparse(Node n, TensorImpl g, How how, long rows) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl bagOf = n.saved(2);
            TensorImpl each = t.own(Slices.indexSelect(g, 0, bagOf));
            if (how.mean()) {
                try (Temps u = new Temps()) {
                    TensorImpl sizes = u.own(Copies.to(n.saved(3), g.device(), g.dtype()));
                    TensorImpl shares = u.own(Pointwise.reciprocal(sizes));
                    TensorImpl share = u.own(Slices.indexSelect(shares, 0, bagOf));
                    u.free(sizes);
                    u.free(shares);
                    InPlace.mul(each, u.own(Views.unsqueeze(share, 1)));
                }
            } else if (n.saved(5) != null) {
                InPlace.mul(each, t.own(Views.reshape(n.saved(5), n.saved(5).count(), 1)));
            }
            return Embeddings.looked(t.own(Views.reshape(n.saved(0), n.saved(0).count())), each, how.padding(), rows,
                    g.size(-1));
        }
    }

    /** Of each index the product of its row and its bag's gradient. */
    private static TensorImpl factorSlopes(Node n, TensorImpl g) {
        TensorImpl index = n.saved(0);
        TensorImpl weight = n.saved(6);
        TensorImpl out = TensorImpl.empty(g.device(), g.dtype(), index.shape());
        HostLoops.fill(out, () -> {
            double[] rows = HostLoops.read(index);
            double[] bagOf = bagOf(index, n.saved(1));
            double[] d = HostLoops.read(g);
            double[] w = HostLoops.read(weight);
            int width = (int) g.size(-1);
            double[] slopes = new double[rows.length];
            for (int i = 0; i < slopes.length; i++) {
                for (int k = 0; k < width; k++) {
                    slopes[i] += w[(int) rows[i] * width + k] * d[(int) bagOf[i] * width + k];
                }
            }
            return slopes;
        });
        return out;
    }

    private static TensorImpl dense(Node n, TensorImpl g, How how, long rows) {
        TensorImpl index = n.saved(0);
        long width = g.size(-1);
        try (Temps t = new Temps(); Scratch scratch = Scratch.on(g.device())) {
            TensorImpl dense = t.own(Copies.contiguous(g));
            boolean sorts = !how.max() && g.device().isCuda() && index.count() > 0;
            if (sorts) {
                scratch.take(EmbeddingScratch.sorting(index.count()));
            }
            TensorImpl out = t.own(TensorImpl.empty(g.device(), g.dtype(), rows, width));
            if (sorts) {
                scratch.take(EmbeddingScratch.summingBags(out.dtype(), index.count(), rows, width));
            }
            HostLoops.fill(out, () -> slopes(n, dense, how, rows));
            return t.give(out);
        }
    }

    private static double[] slopes(Node n, TensorImpl g, How how, long many) {
        int width = (int) g.size(-1);
        double[] out = new double[(int) (many * width)];
        double[] d = HostLoops.read(g);
        if (how.max()) {
            double[] places = HostLoops.read(n.saved(4));
            for (int i = 0; i < d.length; i++) {
                if (places[i] >= 0) {
                    out[(int) places[i] * width + i % width] += d[i];
                }
            }
            return out;
        }
        double[] rows = HostLoops.read(n.saved(0));
        double[] from = HostLoops.read(n.saved(1));
        double[] by = n.saved(5) == null ? null : HostLoops.read(n.saved(5));
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : rows.length;
            double share = share(rows, (int) from[b], end, how);
            for (int i = (int) from[b]; i < end; i++) {
                for (int k = 0; k < width && !how.skips(rows[i]); k++) {
                    out[(int) rows[i] * width + k] += (by == null ? share : by[i]) * d[b * width + k];
                }
            }
        }
        return out;
    }
}
