package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.Edge;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Shape;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        Map<Node, Boolean> leads = new IdentityHashMap<>();
        Set<Node> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        targets.forEach(e -> wanted.add(e.node()));
        // depth first: numbers do not tell what comes before what, since a pass numbers its nodes by itself
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Node> path = new ArrayDeque<>();
        Deque<Integer> at = new ArrayDeque<>();
        for (Node root : roots) {
            if (seen.add(root)) {
                path.push(root);
                at.push(0);
            }
            while (!path.isEmpty()) {
                Node node = path.peek();
                int i = at.pop();
                if (i == node.next().length) {
                    path.pop();
                    if (!path.isEmpty() && (leads.containsKey(node) || wanted.contains(node))) {
                        leads.put(path.peek(), Boolean.TRUE);
                    }
                    continue;
                }
                at.push(i + 1);
                Edge e = node.next()[i];
                if (e != null && seen.add(e.node())) {
                    path.push(e.node());
                    at.push(0);
                } else if (e != null && (leads.containsKey(e.node()) || wanted.contains(e.node()))) {
                    leads.put(node, Boolean.TRUE);
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
