package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.AccumulateGrad;
import io.vramlab.tensor.internal.core.Edge;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What happens to gradients at the ends of a pass: the first ones, hooks, and which nodes lead to wanted ones. */
public final class Gradients {

    private Gradients() {
    }

    /** The first gradient, held for the pass. */
    static TensorImpl incoming(TensorImpl root, TensorImpl gradient) {
        if (gradient == null) {
            if (root.count() != 1) {
                throw new AutogradException(
                        "grad can be implicitly created only for scalar outputs, but this has shape "
                                + Shape.text(root.shape())
                                + ": reduce it with sum() or mean(), or give backward a gradient.");
            }
            return Factories.fullLike(root, 1);
        }
        if (!Arrays.equals(gradient.shape(), root.shape())) {
            throw new AutogradException("Mismatch in shape: the gradient has a shape of " + Shape.text(gradient.shape())
                    + " and the tensor has a shape of " + Shape.text(root.shape()) + ": make them equal.");
        }
        return gradient.retain();
    }

    /** Nodes on a path from a root to one of the edges. */
    static Map<Node, Boolean> leadingTo(List<Node> roots, List<Edge> targets) {
        Map<Node, Boolean> known = new IdentityHashMap<>();
        for (Edge e : targets) {
            known.put(e.node(), Boolean.FALSE);
        }
        Map<Node, Boolean> leads = new IdentityHashMap<>();
        // reverse order of sequence: a node comes after everything its gradients go to
        List<Node> order = BackwardEngine.dependencies(roots).keySet().stream().collect(
                Collectors.toCollection(ArrayList::new));
        roots.stream().filter(r -> !order.contains(r)).forEach(order::add);
        order.removeIf(n -> n instanceof AccumulateGrad);
        order.sort((a, b) -> Long.compare(a.sequence(), b.sequence()));
        for (Node n : order) {
            for (Edge e : n.next()) {
                if (e != null && (known.containsKey(e.node()) || leads.containsKey(e.node()))) {
                    leads.put(n, Boolean.TRUE);
                }
            }
        }
        return leads;
    }

    /** Lets the hooks of a leaf or of results see, and perhaps replace, the gradients. */
    static void callHooks(Node node, TensorImpl[] gradients) {
        for (int i = 0; i < gradients.length; i++) {
            if (gradients[i] != null) {
                node.runHooks(i, gradients);
            }
        }
    }
}
