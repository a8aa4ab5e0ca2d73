package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Indexing;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.index.Scatters;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Indices as rows. */
public final class Embeddings {

    /** PyTorch's addition to a norm that is divided by. */
    private static final double TINY = 1e-7;

    private Embeddings() {
    }

    /** Rows of zeros and a one; with -1 classes as many as the largest index needs. */
    public static TensorImpl oneHot(TensorImpl index, long classes) {
        if (index.dtype() != DType.INT64) {
            throw new TensorException("one_hot is only applicable to index tensor of type LongTensor, but it is "
                    + index.dtype() + ": convert it with toLong().");
        }
        long many = classes;
        if (many < 0) {
            NonZero.requireValues(index, "oneHot without a number of classes");
            try (Temps t = new Temps()) {
                TensorImpl most = t.own(Extremes.extreme(index, true, Reductions.ALL, false));
                many = Elements.whole(Elements.only(most)) + 1;
            }
        }
        long[] shape = Views.insert(index.shape(), index.rank(), many);
        TensorImpl out = Factories.full(index.device(), DType.INT64, 0, shape);
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            t.own(out);
            Scatters.scatter_(out, -1, t.own(Views.unsqueeze(index, -1)), 1);
            return t.give(out);
        }
    }

    /** The gradient's own: rows again, zeros for the padding. */
    private static TensorImpl tied(TensorImpl grad, TensorImpl g, TensorImpl index, long row) {
        if (Graph.wanted(g)) {
            Node node = Graph.recordUnary("EmbeddingDenseBackwardBackward0", grad, g, (n, second) -> {
                try (Temps t = new Temps()) {
                    TensorImpl rows = t.own(Lookup.embedding(second, n.saved(0)));
                    TensorImpl padding = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, n.saved(0), row));
                    InPlace.maskedFill(rows, t.own(Views.unsqueeze(padding, -1)), 0);
                    return t.give(rows);
                }
            }).differentiable();
            node.save(Graph.input(node, index));
        }
        return grad;
    }

    /** An embedding whose gradient has only the rows that were looked up; a padding's row, if there is one, is left out. */
    public static TensorImpl sparse(TensorImpl weight, TensorImpl index, Long padding) {
        Long row = padding == null ? null : (Long) row(weight, padding);
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false)) {
            out = Lookup.embedding(weight, index);
        }
        if (Graph.wanted(weight)) {
            long[] was = weight.shape();
            Node node = Graph.recordUnary("EmbeddingBackward0", out, weight,
                    (n, g) -> looked(n.saved(0), g, row, was[0], was[1]));
            node.save(Graph.input(node, index));
        }
        return out;
    }

    /** The sparse gradient of [rows, width], of which each look has a row: PyTorch's embedding_sparse_backward. */
    static TensorImpl looked(TensorImpl index, TensorImpl g, Long padding, long rows, long width) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl which = index;
            TensorImpl given = g;
            if (padding != null) {
                NonZero.requireValues(index, "the sparse gradient of an embedding with padding");
                TensorImpl kept = t.own(Elementwise.compare(ElementOp.NE_SCALAR, index, padding));
                which = t.own(Indexing.get(index, kept));
                given = t.own(Indexing.get(g, kept));
            }
            TensorImpl indices = t.own(Views.reshape(which, 1, which.count()));
            TensorImpl values = t.own(Views.reshape(given, which.count(), width));
            return TensorImpl.sparse(new long[]{rows, width}, indices.alias(), values.alias(), false);
        }
    }

    /** An embedding whose rows' gradients are divided by how often the row was looked up. */
    public static TensorImpl byFrequency(TensorImpl weight, TensorImpl index, Long padding) {
        Long row = padding == null ? null : (Long) row(weight, padding);
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false)) {
            out = Lookup.embedding(weight, index);
        }
        if (Graph.wanted(weight)) {
            long[] was = weight.shape();
            Node node = Graph.recordUnary("EmbeddingBackward0", out, weight, (n, g) -> {
                try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
                    TensorImpl grad = t.own(Lookup.embeddingBackwardByFrequency(n.saved(0), g, was));
                    if (row != null) {
                        Launch.into(ElementOp.FILL, new double[]{0}, t.own(Views.select(grad, 0, row)));
                    }
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, index));
        }
        return out;
    }

    private static long row(TensorImpl weight, long padding) {
        long rows = weight.shape()[0];
        if (padding >= rows || padding < -rows) {
            throw new TensorException("Padding_idx must be within num_embeddings: " + padding + " was given for " + rows
                    + " rows.");
        }
        return padding < 0 ? padding + rows : padding;
    }

    /** An embedding of which one row gets no gradient. */
    public static TensorImpl padded(TensorImpl weight, TensorImpl index, long padding) {
        long row = row(weight, padding);
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false)) {
            out = Lookup.embedding(weight, index);
        }
        if (Graph.wanted(weight)) {
            long[] was = weight.shape();
            Node node = Graph.recordUnary("EmbeddingBackward0", out, weight, (n, g) -> {
                TensorImpl grad = Lookup.embeddingBackward(n.saved(0), g, was);
                try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
                    t.own(grad);
                    TensorImpl none = t.own(Views.select(grad, 0, row));
                    Launch.into(ElementOp.FILL, new double[]{0}, none);
                    t.give(grad);
                }
                return tied(grad, g, n.saved(0), row);
            });
            node.save(Graph.input(node, index));
        }
        return out;
    }

    /** Scales the rows that are looked up to a length at most, as {@code torch.embedding_renorm_}: sorts the indices and takes each once. */
    public static void renorm(TensorImpl weight, TensorImpl index, double most, double order) {
        try (Temps t = new Temps();
                Scratch scratch = Scratch.on(index.device());
                GradMode.State off = GradMode.enter(false)) {
            TensorImpl[] sorted = Sorts.sort(t.own(Views.detach(index)), -1, false);
            t.own(sorted[0]);
            sorted[1].release();
            t.own(TensorImpl.empty(index.device(), DType.INT64, index.count()));
            if (index.device().isCuda() && index.count() > 0) {
                scratch.take(SelectionScratch.held(Long.BYTES));
                scratch.take(SelectionScratch.selecting(index.count()));
            }
            if (weight.driver().holdsValues() && index.count() > 0) {
                double[] all = HostValues.doubles(weight);
                int width = (int) weight.shape()[1];
                for (long row : Arrays.stream(HostValues.longs(index)).distinct().toArray()) {
                    shorten(all, (int) row * width, width, most, order);
                }
                Sorts.send(weight, all);
            }
            weight.bumpVersion();
        }
    }

    private static void shorten(double[] all, int from, int width, double most, double order) {
        double norm = 0;
        for (int i = from; i < from + width; i++) {
            norm += order == 1 ? Math.abs(all[i]) : order == 2 ? all[i] * all[i] : Math.pow(Math.abs(all[i]), order);
        }
        norm = order == 2 ? Math.sqrt(norm) : Math.pow(norm, 1 / order);
        if (norm > most) {
            double factor = most / (norm + TINY);
            for (int i = from; i < from + width; i++) {
                all[i] *= factor;
            }
        }
    }
}
