package io.vramlab.tensor.internal.ops.index;

import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.SavedTensor;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.Arrays;

/** Python's brackets: {@code a[...]} and {@code a[...] = value}, by numbers, slices and tensors. */
public final class Indexing {

    private Indexing() {
    }

    public static TensorImpl get(TensorImpl a, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            return brackets.isIndexed()
                    ? index(brackets.view(), brackets.tensors())
                    : brackets.view() == a ? viewOf(a) : brackets.view().retain();
        }
    }

    /** Nothing but whole slices: still a tensor of its own. */
    private static TensorImpl viewOf(TensorImpl a) {
        return Views.view(a, a.shape());
    }

    /** Elements by tensors, one for each dimension or null. */
    static TensorImpl index(TensorImpl a, TensorImpl... tensors) {
        TensorImpl out;
        try (Temps t = new Temps()) {
            IndexPlan plan = new IndexPlan(t, a, tensors);
            out = TensorImpl.empty(a.device(), a.dtype(), plan.shape());
            t.own(out);
            if (out.count() > 0) {
                a.driver().kernels().indexGet(out.operand(), plan.spread(), plan.indices(), plan.sizes(),
                        plan.strides(),
                        a.stream());
            }
            t.give(out);
            // PyTorch makes the result, then the graph; positions of a mask go with the formula's temporaries
            record(a, out, tensors);
        }
        return out;
    }

    private static void record(TensorImpl a, TensorImpl out, TensorImpl... tensors) {
        if (!Graph.wanted(a)) {
            return;
        }
        long[] shape = a.shape();
        Node node = Graph.recordUnary("IndexBackward0", out, a, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                TensorImpl[] kept = saved(n, 0, tensors.length);
                IndexPut.accumulate(grad, kept, g);
                if (Graph.wanted(g)) {
                    Node made = Graph.recordUnary("IndexPutImplBackward0", grad, g,
                            (m, second) -> index(second, saved(m, 0, kept.length))).differentiable();
                    made.save(Arrays.stream(kept).map(k -> k == null ? null : Graph.input(made, k))
                            .toArray(SavedTensor[]::new));
                }
                return t.give(grad);
            }
        });
        node.save(Arrays.stream(tensors).map(t -> t == null ? null : Graph.input(node, t)).toArray(SavedTensor[]::new));
    }

    static TensorImpl[] saved(Node n, int from, int count) {
        TensorImpl[] tensors = new TensorImpl[count];
        for (int i = 0; i < count; i++) {
            tensors[i] = n.saved(from + i);
        }
        return tensors;
    }

    /** {@code a[items] = value}, the value broadcast. */
    public static void set(TensorImpl a, TensorImpl value, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            TensorImpl view = brackets.view();
            if (brackets.isIndexed()) {
                IndexPut.put(view, brackets.tensors(), value, false);
                return;
            }
            try (Temps t = new Temps()) {
                InPlace.copy(view, fitted(t, view, value), false);
            }
        }
    }

    /** As PyTorch's slicePrefix1sSize: what is set may have dimensions of one too many at the front. */
    private static TensorImpl fitted(Temps t, TensorImpl view, TensorImpl value) {
        int more = value.rank() - view.rank();
        if (more <= 0 || Arrays.stream(value.shape(), 0, more).anyMatch(n -> n != 1)) {
            return value;
        }
        return t.own(Views.view(value, Arrays.copyOfRange(value.shape(), more, value.rank())));
    }

    public static void set(TensorImpl a, double value, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            TensorImpl view = brackets.view();
            TensorImpl[] tensors = brackets.tensors();
            if (!brackets.isIndexed()) {
                InPlace.fill(view, value);
            } else if (IndexPut.isOneMask(view, tensors)) {
                IndexPut.fillMasked(view, tensors, value);
            } else {
                IndexPut.putNumber(view, tensors, value);
            }
        }
    }
}
