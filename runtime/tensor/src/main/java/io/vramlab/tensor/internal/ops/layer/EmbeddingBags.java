package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
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
     * [bags, width] of weight [rows, width].
     *
     * @param index
     *            int64 [bags, many], or [many] with offsets
     * @param offsets
     *            where bags begin, int64; null for bags of one size
     */
    public static TensorImpl of(TensorImpl index, TensorImpl weight, TensorImpl offsets, String mode) {
        if (!mode.equals("sum") && !mode.equals("mean") && !mode.equals("max")) {
            throw new TensorException("mode has to be one of sum, mean or max, but \"" + mode + "\" was given.");
        }
        if (offsets == null ? index.rank() != 2 : index.rank() != 1 || offsets.rank() != 1) {
            throw new TensorException("input has to be 1D or 2D Tensor, with offsets if it is 1D, but it has shape "
                    + Shape.text(index.shape()) + (offsets == null ? " and no offsets." : " and offsets."));
        }
        long bags = offsets == null ? index.shape()[0] : offsets.shape()[0];
        long each = offsets == null ? index.shape()[1] : 0;
        boolean max = mode.equals("max");
        long width = weight.shape()[1];
        try (Temps t = new Temps()) {
            TensorImpl starts = offsets == null ? t.own(whole(index, bags)) : t.own(Views.detach(offsets));
            if (offsets == null) {
                HostLoops.fill(starts, () -> LongStream.range(0, bags).mapToDouble(b -> b * each)
                        .toArray());
            }
            TensorImpl sizes = t.own(whole(index, bags));
            TensorImpl bagOf = t.own(whole(index, index.count()));
            TensorImpl out = t.own(TensorImpl.empty(weight.device(), weight.dtype(), bags, width));
            TensorImpl places = max ? t.own(whole(index, bags, width)) : null;
            fill(index, weight, starts, mode, out, places);
            if (Graph.wanted(weight)) {
                // of the weight PyTorch keeps its number of rows alone: derivatives.yaml, _embedding_bag
                long rows = weight.shape()[0];
                Node node = Graph.recordUnary("EmbeddingBagBackward0", out, weight,
                        (n, g) -> backward(n, g, mode, rows));
                node.save(Graph.input(node, index), Graph.input(node, starts), Graph.input(node, bagOf),
                        Graph.input(node, sizes), max ? Graph.input(node, places) : null);
            }
            t.free(bagOf);
            t.free(sizes);
            t.free(starts);
            return t.give(out);
        }
    }

    private static TensorImpl whole(TensorImpl like, long... shape) {
        return TensorImpl.empty(like.device(), DType.INT64, shape);
    }

    private static void fill(TensorImpl index, TensorImpl weight, TensorImpl starts, String mode, TensorImpl out,
            TensorImpl places) {
        if (!out.driver().kernels().computes() || out.count() == 0) {
            return;
        }
        double[] rows = HostLoops.read(index);
        double[] from = HostLoops.read(starts);
        int width = (int) weight.shape()[1];
        Rows table = new Rows(weight, rows.length);
        double[] y = new double[(int) out.count()];
        double[] at = new double[y.length];
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : rows.length;
            int begin = (int) from[b];
            for (int i = begin; i < end; i++) {
                double[] row = table.get((long) rows[i]);
                for (int k = 0; k < width; k++) {
                    int cell = b * width + k;
                    if (!mode.equals("max")) {
                        y[cell] += mode.equals("mean") ? row[k] / (end - begin) : row[k];
                    } else if (i == begin || row[k] > y[cell]) {
                        y[cell] = row[k];
                        at[cell] = rows[i];
                    }
                }
            }
            for (int k = 0; begin == end && k < width; k++) {
                at[b * width + k] = -1;
            }
        }
        HostLoops.fill(out, () -> y);
        if (places != null) {
            HostLoops.fill(places, () -> at);
        }
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

    private static TensorImpl backward(Node n, TensorImpl g, String mode, long rows) {
        TensorImpl index = n.saved(0);
        long width = g.size(-1);
        try (Temps t = new Temps(); Scratch scratch = Scratch.on(g.device())) {
            TensorImpl dense = t.own(Copies.contiguous(g));
            boolean sorts = !mode.equals("max") && g.device().isCuda() && index.count() > 0;
            if (sorts) {
                scratch.take(EmbeddingScratch.sorting(index.count()));
            }
            TensorImpl out = t.own(TensorImpl.empty(g.device(), g.dtype(), rows, width));
            if (sorts) {
                scratch.take(EmbeddingScratch.summing(out.driver().properties(), out.dtype(), index.count(),
                        rows, width));
            }
            HostLoops.fill(out, () -> slopes(n, dense, mode, rows));
            return t.give(out);
        }
    }

    private static double[] slopes(Node n, TensorImpl g, String mode, long many) {
        int width = (int) g.size(-1);
        double[] out = new double[(int) (many * width)];
        double[] d = HostLoops.read(g);
        if (mode.equals("max")) {
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
        for (int b = 0; b < from.length; b++) {
            int end = b + 1 < from.length ? (int) from[b + 1] : rows.length;
            double share = mode.equals("mean") ? 1.0 / (end - from[b]) : 1;
            for (int i = (int) from[b]; i < end; i++) {
                for (int k = 0; k < width; k++) {
                    out[(int) rows[i] * width + k] += share * d[b * width + k];
                }
            }
        }
        return out;
    }
}
