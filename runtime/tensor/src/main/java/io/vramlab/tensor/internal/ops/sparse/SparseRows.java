package io.vramlab.tensor.internal.ops.sparse;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Slices;
import io.vramlab.tensor.internal.ops.reduce.EuclideanNorm;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** What is computed of the rows of a sparse tensor, and sparse tensors of the rows of dense ones. */
public final class SparseRows {

    private SparseRows() {
    }

    /** Zeros, and the rows where they belong. */
    public static TensorImpl dense(TensorImpl a) {
        if (!a.isSparse()) {
            return a.retain();
        }
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Factories.full(a.device(), a.dtype(), 0, a.shape()));
            SparseSums.addInto(out, a, 1);
            return t.give(out);
        }
    }

    /** The sum of all elements. */
    public static TensorImpl sum(TensorImpl a) {
        return Sums.sum(a.values(), Reductions.ALL, false);
    }

    /** The norm of all elements, of merged rows. */
    public static TensorImpl norm(TensorImpl a, double p) {
        try (Temps t = new Temps()) {
            TensorImpl merged = t.own(Coalescing.of(a));
            return p == 2
                    ? EuclideanNorm.norm(merged.values(), Reductions.ALL, false)
                    : Norms.vector(merged.values(), p, Reductions.ALL, false);
        }
    }

    /** The rows of a dense tensor that a sparse one has: multiplied by ones, as PyTorch's sparse_mask is. */
    public static TensorImpl mask(TensorImpl dense, TensorImpl mask) {
        require(mask, "sparseMask");
        if (!Arrays.equals(dense.shape(), mask.shape())) {
            throw new TensorException("sparse_mask(): operands have incompatible sizes; self has size "
                    + Shape.text(dense.shape()) + " but mask has size " + Shape.text(mask.shape())
                    + ". Give both one shape.");
        }
        Launch.device("sparse_mask", dense, mask);
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl one = t.own(Factories.full(mask.device(), dense.dtype(), 1, 1));
            TensorImpl rows = t.own(Slices.indexSelect(dense, 0, t.own(mask.rows())));
            TensorImpl indices = t.own(Copies.fill(TensorImpl.empty(mask.device(), mask.indices().dtype(),
                    mask.indices().shape()), mask.indices()));
            TensorImpl values = t.own(Launch.binary(ElementOp.MUL, rows, one, dense.dtype()));
            t.free(rows);
            t.free(one);
            return TensorImpl.sparse(mask.shape(), t.give(indices), t.give(values), mask.isCoalesced());
        }
    }

    /** Other values in the same places. */
    public static TensorImpl with(TensorImpl a, UnaryOperator<TensorImpl> values) {
        TensorImpl changed = values.apply(a.values());
        return TensorImpl.sparse(a.shape(), a.indices().retain(), changed, a.isCoalesced());
    }

    /**
     * What only a sparse tensor has.
     *
     * @throws TensorException
     *             of a dense one
     */
    public static TensorImpl require(TensorImpl a, String what) {
        if (!a.isSparse()) {
            throw new TensorException(what + " was asked for of a tensor that is not sparse, " + a.describe()
                    + ": only a sparse tensor has that, as the gradient of an Embedding with sparse(true).");
        }
        return a;
    }

    /**
     * What only a merged tensor has.
     *
     * @throws TensorException
     *             of a dense one and of one that is not merged
     */
    public static TensorImpl requireMerged(TensorImpl a, String what) {
        if (!require(a, what).isCoalesced()) {
            throw new TensorException("Cannot get " + what + " on an uncoalesced tensor, please call .coalesce() "
                    + "first: " + a.describe() + " has " + a.entries() + " entries, of which some may be one row's. "
                    + "As they are, _" + what + "() gives them.");
        }
        return a;
    }
}
