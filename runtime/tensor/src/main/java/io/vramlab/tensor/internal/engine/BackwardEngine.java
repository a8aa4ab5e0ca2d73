package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.Edge;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs backward: PyTorch's engine on one thread. The order of everything that allocates or frees is PyTorch's:
 * <ol>
 * <li>the node with the highest sequence number among the complete ones runs, accumulators first;</li>
 * <li>its formula computes the gradients, which are then reduced to the shapes of what they belong to, while the
 * incoming gradient is still held;</li>
 * <li>the incoming gradient goes, then the saved tensors (unless the graph is retained);</li>
 * <li>the results are handed on, summed where another gradient waits.</li>
 * </ol>
 * The root's gradient is held by the caller of backward until the end.
 */
public final class BackwardEngine {

    private BackwardEngine() {
    }

    /**
     * Runs backward, and where {@code inputs} are given, catches their gradients instead of accumulating any.
     *
     * @param roots
     *            where to start, borrowed
     * @param gradients
     *            incoming gradients, one per root, borrowed; a null entry means one, for a scalar
     * @param retainGraph
     *            whether saved tensors stay
     * @param createGraph
     *            whether the gradients are part of the graph
     * @param inputs
     *            whose gradients are wanted, borrowed; none to accumulate into the leaves
     * @return one per input, held by the caller; null where none flowed
     * @throws AutogradException
     *             if a root or an input needs no gradient, or a gradient does not fit its root
     */
    public static TensorImpl[] run(List<TensorImpl> roots, List<TensorImpl> gradients, boolean retainGraph,
            boolean createGraph, List<TensorImpl> inputs) {
        for (int i = 0; i < roots.size(); i++) {
            if (!roots.get(i).requiresGrad()) {
                throw new AutogradException("element " + i
                        + " of tensors does not require grad and does not have a grad_fn (" + roots.get(i).describe()
                        + "): call requiresGrad_(true) on a leaf it is computed from, outside NoGrad.");
            }
        }
        try (Backward pass = new Backward(retainGraph, createGraph, roots.getFirst().device().isCuda(), inputs)) {
            for (int i = 0; i < roots.size(); i++) {
                pass.start(roots.get(i), gradients.get(i));
            }
            return pass.run();
        }
    }

    /** How many gradients each reachable node waits for. */
    static Map<Node, int[]> dependencies(List<Node> roots) {
        Map<Node, int[]> waiting = new IdentityHashMap<>();
        List<Node> open = new ArrayList<>(roots);
        Map<Node, Boolean> seen = new IdentityHashMap<>();
        roots.forEach(r -> seen.put(r, Boolean.TRUE));
        while (!open.isEmpty()) {
            for (Edge e : open.removeLast().next()) {
                if (e != null) {
                    waiting.computeIfAbsent(e.node(), n -> new int[1])[0]++;
                    if (seen.put(e.node(), Boolean.TRUE) == null) {
                        open.add(e.node());
                    }
                }
            }
        }
        return waiting;
    }

    /** Brings the gradients of a node to the forms that their edges lead to. */
    static void fit(Node node, TensorImpl[] results) {
        Edge[] next = node.next();
        for (int i = 0; i < results.length; i++) {
            if (results[i] == null) {
                continue;
            }
            TensorImpl raw = results[i];
            results[i] = null;
            if (next[i] == null) {
                raw.release();
            } else {
                results[i] = GradientSum.fit(raw, next[i].node().form(next[i].input()), node.name());
            }
        }
    }
}
