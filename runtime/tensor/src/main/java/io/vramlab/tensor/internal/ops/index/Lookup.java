package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.IndexedRowsScratch;
import io.vramlab.footprint.TopkScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Elements and rows found through tensors of indices, and the largest of many. */
public final class Lookup {

    private static final String EMBEDDING = "EmbeddingBackward0";

    private Lookup() {
    }

    private static void requireIndex(TensorImpl index, String what) {
        if (index.dtype() != DType.INT64) {
            throw new TensorException(what + " was given indices of dtype " + index.dtype()
                    + ": they must be int64. Convert with to(INT64).");
        }
    }

    public static TensorImpl gather(TensorImpl a, int dim, TensorImpl index) {
        requireIndex(index, "gather");
        Launch.device("gather", a, index);
        int d = Shape.dim(dim, a.rank());
        boolean fits = index.rank() == a.rank();
        for (int i = 0; fits && i < a.rank(); i++) {
            fits = i == d || index.shape()[i] <= a.shape()[i];
        }
        if (!fits) {
            throw new TensorException("Size does not match at gather: index " + Shape.text(index.shape()) + " and self "
                    + Shape.text(a.shape()) + ": the index may not be larger apart from dimension " + d + ".");
        }
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), index.shape());
        start(out, () -> a.driver().kernels().gather(out.operand(), a.operand(), d, index.operand(), a.stream()));
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Node node = Graph.recordUnary("GatherBackward0", out, a, (n, g) -> {
                TensorImpl grad = Factories.full(g.device(), g.dtype(), 0, shape);
                start(grad, () -> g.driver().kernels().scatterAdd(grad.operand(), d, n.saved(0).operand(),
                        g.operand(), g.stream()));
                return placed("ScatterAddBackward0", grad, g, d, n.saved(0));
            });
            // PyTorch keeps what was gathered from too, though its gradient needs no more than the shape
            node.save(Graph.input(node, index), Graph.input(node, a));
        }
        return out;
    }

    /** Ties zeros with a gradient in some places to that gradient: its own is gathered from there. */
    private static TensorImpl placed(String name, TensorImpl grad, TensorImpl g, int dim, TensorImpl index) {
        if (Graph.wanted(g)) {
            Node node = Graph.recordUnary(name, grad, g, (n, second) -> gather(second, dim, n.saved(0)))
                    .differentiable();
            node.save(Graph.input(node, index));
        }
        return grad;
    }

    /** Lets a fresh result go if its kernel cannot be started. */
    private static TensorImpl start(TensorImpl fresh, Runnable kernel) {
        try {
            if (fresh.count() > 0) {
                kernel.run();
            }
            return fresh;
        } catch (RuntimeException e) {
            fresh.release();
            throw e;
        }
    }

    /** Rows of a weight [n, width] by indices of any shape: an embedding. */
    public static TensorImpl embedding(TensorImpl weight, TensorImpl index) {
        requireIndex(index, "embedding");
        if (weight.rank() != 2) {
            throw new TensorException("'weight' must be 2-D, but the embedding has shape " + Shape.text(weight.shape())
                    + ".");
        }
        return rows(EMBEDDING, weight, index);
    }

    /** Slices of the first dimension by indices of any shape: x[index]. */
    public static TensorImpl rows(String name, TensorImpl a, TensorImpl index) {
        requireIndex(index, "index");
        Launch.device("index", a, index);
        if (a.rank() == 0) {
            throw new TensorException("A scalar was indexed by a tensor: it has no dimension to take rows of.");
        }
        long[] shape = Arrays.copyOf(index.shape(), index.rank() + a.rank() - 1);
        System.arraycopy(a.shape(), 1, shape, index.rank(), a.rank() - 1);
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), shape);
        try (Temps t = new Temps()) {
            TensorImpl flatIndex = t.own(Views.reshape(index, index.count()));
            long[] flat = a.shape().clone();
            flat[0] = index.count();
            TensorImpl target = t.own(out.alias(flat, Shape.contiguous(flat), 0));
            start(out, () -> a.driver().kernels().indexSelect(target.operand(), a.operand(), flatIndex.operand(),
                    a.stream()));
        }
        if (Graph.wanted(a)) {
            long[] was = a.shape();
            boolean embedding = name.equals(EMBEDDING);
            Node node = Graph.recordUnary(name, out, a,
                    (n, g) -> tied(rowsBackward(n.saved(0), g, was, embedding), g, n.saved(0), embedding));
            node.save(Graph.input(node, index));
        }
        return out;
    }

    /** Ties the gradient of rows to the gradient it is made of: its own are rows again. */
    private static TensorImpl tied(TensorImpl grad, TensorImpl g, TensorImpl index, boolean embedding) {
        if (Graph.wanted(g)) {
            Node node = Graph.recordUnary(embedding
                    ? "EmbeddingDenseBackwardBackward0"
                    : "IndexPutImplBackward0", grad, g,
                    (n, second) -> rows(embedding ? EMBEDDING : "IndexBackward0", second, n.saved(0)))
                    .differentiable();
            node.save(Graph.input(node, index));
        }
        return grad;
    }

    /** The gradient of an embedding of that shape. */
    public static TensorImpl embeddingBackward(TensorImpl index, TensorImpl g, long[] shape) {
        return rowsBackward(index, g, shape, true);
    }

    /** The same, each row divided by how often it was looked up; that is counted among the sorted indices. */
    public static TensorImpl embeddingBackwardByFrequency(TensorImpl given, TensorImpl g, long[] shape) {
        try (Temps t = new Temps(); Scratch rows = Scratch.on(g.device())) {
            TensorImpl index = t.own(Copies.contiguous(given));
            TensorImpl dense = t.own(Copies.contiguous(g));
            boolean sorts = g.device().isCuda() && index.count() > 0;
            if (sorts) {
                rows.take(EmbeddingScratch.sorting(index.count()));
                rows.take(EmbeddingScratch.counting(index.count()));
            }
            TensorImpl grad = t.own(TensorImpl.empty(g.device(), g.dtype(), shape));
            if (sorts) {
                rows.take(EmbeddingScratch.summing(grad.driver().properties(), grad.dtype(), index.count(), shape[0],
                        shape[1]));
            }
            HostLoops.fill(grad, () -> byFrequency(HostLoops.read(index), HostLoops.read(dense), shape));
            return t.give(grad);
        }
    }

    private static double[] byFrequency(double[] index, double[] g, long... shape) {
        int width = (int) shape[1];
        double[] often = new double[(int) shape[0]];
        for (double row : index) {
            often[(int) row]++;
        }
        double[] out = new double[often.length * width];
        for (int i = 0; i < g.length; i++) {
            int row = (int) index[i / width];
            out[row * width + i % width] += g[i] / often[row];
        }
        return out;
    }

    private static TensorImpl rowsBackward(TensorImpl given, TensorImpl g, long[] shape, boolean embedding) {
        try (Temps t = new Temps()) {
            // an embedding's kernels read indices one after the other: a column of a batch is copied first
            TensorImpl index = t.own(embedding ? Copies.contiguous(given) : given.retain());
            TensorImpl dense = t.own(Copies.contiguous(g));
            long indices = index.count();
            if (!embedding || !dense.device().isCuda() || !EmbeddingScratch.applies(indices)) {
                TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                if (!embedding) {
                    long rows = grad.count() == 0 ? 0 : shape[0];
                    Scratch.pass(grad, device -> IndexedRowsScratch.of(indices, rows));
                }
                return addRows(t, grad, index, dense, shape);
            }
            try (Scratch rows = Scratch.on(dense.device())) {
                rows.take(EmbeddingScratch.sorting(indices));
                TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                rows.take(EmbeddingScratch.summing(grad.driver().properties(), grad.dtype(), indices, shape[0],
                        shape[1]));
                return addRows(t, grad, index, dense, shape);
            }
        }
    }

    private static TensorImpl addRows(Temps t, TensorImpl grad, TensorImpl index, TensorImpl dense, long[] shape) {
        TensorImpl flatIndex = t.own(Views.reshape(index, index.count()));
        long[] flat = shape.clone();
        flat[0] = index.count();
        TensorImpl flatGrad = t.own(Views.reshape(dense, flat));
        if (index.count() > 0) {
            grad.driver().kernels().indexAdd(grad.operand(), flatIndex.operand(), flatGrad.operand(), grad.stream());
        }
        return t.give(grad);
    }

    /** The k largest (or smallest) along a dimension, sorted, with their positions. */
    public static TensorImpl[] topk(TensorImpl a, long k, int dim, boolean largest) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() == 0 || k < 0 || k > a.shape()[d]) {
            throw new TensorException("selected index k out of range: topk of " + k + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + " at dimension " + d + ".");
        }
        try (Temps t = new Temps()) {
            int last = a.rank() - 1;
            TensorImpl dense = t.own(Copies.contiguous(t.own(a.alias())));
            TensorImpl in = t.own(Views.transpose(dense, d, last));
            long[] shape = in.shape().clone();
            shape[last] = k;
            TensorImpl values = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            if (values.count() > 0) {
                long length = in.shape()[last];
                Scratch.pass(in, device -> TopkScratch.of(device, in.count() / length, length, in.dtype().bytes()));
                a.driver().kernels().topk(values.operand(), indices.operand(), in.operand(), largest, a.stream());
            }
            TensorImpl v = t.own(detachedTranspose(values, d, last));
            TensorImpl i = t.own(detachedTranspose(indices, d, last));
            return pair(t, "TopkBackward0", a, d, v, i);
        }
    }

    private static TensorImpl detachedTranspose(TensorImpl a, int x, int y) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Views.transpose(a, x, y);
        }
    }

    /** Largest or smallest along a dimension, with positions. */
    public static TensorImpl[] extreme(TensorImpl a, boolean largest, int dim, boolean keep) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() == 0) {
            throw new TensorException("max along a dimension was asked of a scalar: it has none.");
        }
        long[] kept = a.shape().clone();
        kept[d] = 1;
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(TensorImpl.empty(a.device(), a.dtype(), kept));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, kept));
            if (values.count() > 0) {
                boolean[] reduced = new boolean[a.rank()];
                reduced[d] = true;
                Reductions.withScratch(a, reduced, Accumulator.WITH_POSITION,
                        () -> a.driver().kernels().reduceWithIndex(largest, values.operand(), indices.operand(),
                                a.operand(), d, a.stream()));
            }
            if (keep) {
                return pair(t, largest ? "MaxBackward0" : "MinBackward0", a, d, values, indices);
            }
            TensorImpl flatValues;
            TensorImpl flatIndices;
            try (GradMode.State off = GradMode.enter(false)) {
                flatValues = t.own(Views.squeeze(values, d));
                flatIndices = t.own(Views.squeeze(indices, d));
            }
            return pair(t, largest ? "MaxBackward0" : "MinBackward0", a, d, flatValues, flatIndices);
        }
    }

    /** Ties values to the graph: their gradient goes to the positions they came from. */
    static TensorImpl[] pair(Temps t, String name, TensorImpl a, int dim, TensorImpl values,
            TensorImpl indices) {
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Node node = Graph.recordUnary(name, values, a, (n, g) -> {
                try (Temps inner = new Temps()) {
                    TensorImpl index = n.saved(0);
                    boolean dropped = index.rank() < shape.length;
                    TensorImpl at = dropped ? inner.own(Views.unsqueeze(index, dim)) : index;
                    TensorImpl from = dropped ? inner.own(Views.unsqueeze(g, dim)) : g;
                    TensorImpl grad = inner.own(Factories.full(g.device(), g.dtype(), 0, shape));
                    g.driver().kernels().scatterAdd(grad.operand(), dim, at.operand(), from.operand(), g.stream());
                    return inner.give(placed("ScatterBackward0", grad, from, dim, at));
                }
            });
            node.save(Graph.input(node, indices));
        }
        return t.give(values, indices);
    }

    /** gather by an index that is broadcast against the tensor. */
    public static TensorImpl takeAlongDim(TensorImpl a, TensorImpl index, int dim) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() != index.rank()) {
            throw new TensorException(
                    "torch.take_along_dim(): input and indices should have the same number of dimensions, "
                            + "but got " + a.rank() + " dimensions for input, and " + index.rank()
                            + " dimensions for indices.");
        }
        long[] shape = index.shape().clone();
        long[] wide = a.shape().clone();
        for (int i = 0; i < shape.length; i++) {
            if (i != d) {
                shape[i] = wide[i] = Shape.broadcast(new long[]{shape[i]}, new long[]{wide[i]}, "take_along_dim")[0];
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl all = t.own(Arrays.equals(shape, index.shape())
                    ? index.retain()
                    : Copies.fill(TensorImpl.empty(index.device(), index.dtype(), shape),
                            t.own(index.alias(shape, index.expandedStrides(shape), index.offset()))));
            TensorImpl from = t.own(Views.expand(a, wide));
            return gather(from, d, all);
        }
    }
}
