package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;

/** The gradients of a norm as results of one node of the graph, whichever of them are wanted. */
final class SecondSlopes {

    /** What comes of the gradients of these gradients. */
    interface Backward {

        /**
         * Gradients of the output's gradient, the input and the weight, in this order, each held once or null.
         *
         * @param n
         *            has saved these three, the mean and the deviation
         * @param seconds
         *            what comes in for the gradients of input, weight and bias; null where they were not wanted
         */
        TensorImpl[] of(Node n, TensorImpl[] seconds);
    }

    private SecondSlopes() {
    }

    /**
     * Ties the gradients of input, weight and bias to what they were computed of, if a gradient of that is wanted.
     *
     * @param name
     *            the node's, as PyTorch's
     * @param gradients
     *            null where not wanted
     * @param weight
     *            or null
     */
    static void record(String name, TensorImpl[] gradients, Backward backward, TensorImpl g, TensorImpl a,
            TensorImpl weight, TensorImpl mean, TensorImpl deviation) {
        if (!Graph.wanted(g, a, weight)) {
            return;
        }
        Node node = Graph.recordWanted(name, gradients, (n, seconds) -> {
            try (GradMode.State off = GradMode.enter(false)) {
                return backward.of(n, seconds);
            }
        }, g, a, weight);
        node.save(Graph.input(node, g), Graph.input(node, a), Graph.inputIf(weight != null, node, weight),
                Graph.input(node, mean), Graph.input(node, deviation));
    }

    /** Adds to a sum in place, or begins it where it is null; owned by {@code t}. */
    static TensorImpl added(Temps t, TensorImpl sum, TensorImpl next) {
        t.own(next);
        if (sum == null) {
            return next;
        }
        InPlace.add(sum, next, 1);
        return sum;
    }
}
