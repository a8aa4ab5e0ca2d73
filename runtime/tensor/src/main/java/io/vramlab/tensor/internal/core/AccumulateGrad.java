package io.vramlab.tensor.internal.core;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The end of the graph at a leaf: puts the incoming gradient into {@code leaf.grad}. The rule is PyTorch's
 * (accumulate_grad.h): an existing gradient is added to in place; the first one is taken over if nobody else holds it
 * and it lies in memory as the leaf does, else copied. In a pass that is part of the graph itself nothing is changed in place
 * and nothing taken over: the gradient keeps its graph.
 */
public final class AccumulateGrad extends Node {

    private final TensorImpl leaf;

    AccumulateGrad(TensorImpl leaf) {
        super("AccumulateGrad", Long.MAX_VALUE);
        this.leaf = leaf.retain();
        addResult(leaf);
    }

    /** The leaf, borrowed. */
    public TensorImpl leaf() {
        return leaf;
    }

    @Override
    public TensorImpl[] apply(TensorImpl[] grads) {
        TensorImpl g = grads[0];
        if (g == null) {
            return new TensorImpl[0];
        }
        TensorImpl old = leaf.grad();
        if (GradMode.isEnabled()) {
            TensorImpl kept = old == null ? recorded(g) : sum(old, g);
            kept.kind(Kind.GRADIENT);
            leaf.grad(kept);
        } else if (old != null) {
            accumulate(old, g);
        } else {
            TensorImpl fresh = g.isSparse()
                    ? sparse(g)
                    : g.holders() == 1 && obeysLayout(g) ? g.alias() : cloneInLayout(g);
            fresh.kind(Kind.GRADIENT);
            leaf.grad(fresh);
        }
        return new TensorImpl[0];
    }

    /** The same rows, unless others hold the gradient or the rows are spread. */
    private static TensorImpl sparse(TensorImpl g) {
        return g.holders() == 1 && g.indices().isContiguous() && g.values().isContiguous()
                ? g.alias()
                : SparseSums.cloned(g);
    }

    private void accumulate(TensorImpl old, TensorImpl g) {
        if (old.isSparse() && !g.isSparse()) {
            TensorImpl dense = SparseSums.add(g, old, 1);
            dense.kind(Kind.GRADIENT);
            leaf.grad(dense);
        } else if (g.isSparse()) {
            SparseSums.addInto(old, g, 1);
            old.kind(Kind.GRADIENT);
        } else {
            Launch.accumulate(old, g, 1);
        }
    }

    private boolean obeysLayout(TensorImpl g) {
        if (!leaf.isDense()) {
            return g.isContiguous();
        }
        for (int d = 0; d < g.rank(); d++) {
            // what was expanded is seen by others, also where there is one of it
            boolean lies = g.shape()[d] == 1 ? g.strides()[d] != 0 : g.strides()[d] == leaf.strides()[d];
            if (!lies) {
                return false;
            }
        }
        return true;
    }

    private TensorImpl recorded(TensorImpl g) {
        if (g.isSparse()) {
            throw Coo.refuse(g, "A gradient with createGraph");
        }
        TensorImpl copy = cloneInLayout(g);
        if (Graph.wanted(g)) {
            Graph.recordUnary("CopyBackwards", copy, g, (n, second) -> second.retain());
        }
        return copy;
    }

    private static TensorImpl sum(TensorImpl old, TensorImpl g) {
        TensorImpl out = Launch.binary(ElementOp.ADD, old, g, Promotion.of(old, g), 1);
        if (Graph.wanted(old, g)) {
            Graph.record("AddBackward0", out, (n, second) -> new TensorImpl[]{n.wants(0) ? second.retain() : null,
                    n.wants(1) ? second.retain() : null}, old, g);
        }
        return out;
    }

    private TensorImpl cloneInLayout(TensorImpl g) {
        long[] strides = leaf.isDense() ? Arrays.copyOf(leaf.strides(), leaf.rank()) : Shape.contiguous(g.shape());
        TensorImpl copy = TensorImpl.emptyStrided(g.device(), g.dtype(), g.shape(), strides);
        return Copies.fill(copy, g);
    }

    @Override
    protected List<UnaryOperator<TensorImpl>> hooks(int result) {
        return leaf.hooks();
    }

    @Override
    protected void dispose() {
        leaf.forgetAccumulator();
        leaf.release();
    }
}
