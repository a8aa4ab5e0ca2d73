package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.AccumulateGrad;
import io.vramlab.tensor.internal.core.Edge;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** One pass over a graph. Whatever ends it, {@link #close} lets go what is still on the way. */
public final class Backward implements AutoCloseable {

    private final boolean retainGraph;
    private final List<Edge> inputs = new ArrayList<>();
    /** The gradients of {@link #inputs} so far, held until the caller gets them. */
    private final TensorImpl[] caught;
    private final List<Edge> rootEdges = new ArrayList<>();
    private final List<TensorImpl> rootGradients = new ArrayList<>();
    private final Map<Node, InputBuffer> incomplete = new IdentityHashMap<>();
    private final ReadyQueue ready = new ReadyQueue();
    private final GradMode.State before = GradMode.enterBackward();
    private Map<Node, int[]> waiting;
    private Map<Node, Boolean> needed;

    Backward(boolean retainGraph, List<TensorImpl> inputs) {
        this.retainGraph = retainGraph;
        this.caught = new TensorImpl[inputs.size()];
        for (TensorImpl t : inputs) {
            if (!t.requiresGrad()) {
                before.close();
                throw new AutogradException("One of the differentiated Tensors does not require grad (" + t.describe()
                        + "): call requiresGrad_(true) on it before computing with it.");
            }
        }
        inputs.forEach(t -> this.inputs.add(Graph.edge(t)));
    }

    /** Adds a root; a null gradient means one, for a scalar. */
    void start(TensorImpl root, TensorImpl gradient) {
        rootEdges.add(Graph.edge(root));
        rootGradients.add(Gradients.incoming(root, gradient));
    }

    TensorImpl[] run() {
        List<Node> roots = rootEdges.stream().map(Edge::node).distinct().toList();
        waiting = BackwardEngine.dependencies(roots);
        needed = caught.length == 0 ? null : Gradients.leadingTo(roots, inputs);
        Map<Node, InputBuffer> first = new IdentityHashMap<>();
        for (int i = 0; i < rootEdges.size(); i++) {
            Edge e = rootEdges.get(i);
            InputBuffer buffer = first.computeIfAbsent(e.node(), n -> new InputBuffer(n.results()));
            buffer.add(e.input(), rootGradients.get(i).retain());
        }
        for (Node n : roots) {
            if (waiting.containsKey(n)) {
                incomplete.put(n, first.get(n));
            } else {
                ready.push(new ReadyNode(n, first.get(n)));
            }
        }
        while (!ready.isEmpty()) {
            evaluate(ready.pop());
        }
        TensorImpl[] all = caught.clone();
        Arrays.fill(caught, null); // the caller's now
        return all;
    }

    private void evaluate(ReadyNode task) {
        Node node = task.node();
        TensorImpl[] results;
        try {
            Gradients.callHooks(node, task.inputs().gradients());
            capture(node, task.inputs().gradients());
            if (needed != null && (node instanceof AccumulateGrad || !needed.containsKey(node))) {
                return;
            }
            results = apply(node, task.inputs().gradients());
            fit(node, results);
        } finally {
            task.inputs().release();
        }
        if (!retainGraph) {
            node.releaseSaved();
        }
        handOn(node, results);
    }

    private static TensorImpl[] apply(Node node, TensorImpl[] gradients) {
        try {
            return node.apply(gradients);
        } finally {
            node.endUse();
        }
    }

    private static void fit(Node node, TensorImpl[] results) {
        try {
            BackwardEngine.fit(node, results);
        } catch (RuntimeException e) {
            releaseFrom(results, 0);
            throw e;
        }
    }

    private void capture(Node node, TensorImpl[] gradients) {
        for (int i = 0; i < caught.length; i++) {
            Edge e = inputs.get(i);
            if (e.node() == node && gradients[e.input()] != null) {
                caught[i] = gradients[e.input()].retain();
            }
        }
    }

    private void handOn(Node node, TensorImpl[] results) {
        Edge[] next = node.next();
        int i = 0;
        try {
            for (; i < next.length && results.length > 0; i++) {
                if (next[i] != null) {
                    TensorImpl gradient = results[i];
                    results[i] = null;
                    deliver(next[i], gradient);
                }
            }
        } finally {
            releaseFrom(results, i);
        }
    }

    private void deliver(Edge edge, TensorImpl gradient) {
        Node target = edge.node();
        InputBuffer buffer = incomplete.get(target);
        boolean complete = --waiting.get(target)[0] == 0;
        if (buffer == null) {
            buffer = new InputBuffer(target.results());
            incomplete.put(target, buffer);
        }
        if (gradient != null) {
            buffer.add(edge.input(), gradient);
        }
        if (complete) {
            incomplete.remove(target);
            ready.push(new ReadyNode(target, buffer));
        }
    }

    private static void releaseFrom(TensorImpl[] results, int from) {
        for (int i = from; i < results.length; i++) {
            if (results[i] != null) {
                results[i].release();
                results[i] = null;
            }
        }
    }

    @Override
    public void close() {
        before.close();
        incomplete.values().forEach(InputBuffer::release);
        while (!ready.isEmpty()) {
            ready.pop().inputs().release();
        }
        releaseFrom(caught, 0);
        rootGradients.forEach(TensorImpl::release);
        rootEdges.forEach(e -> e.node().release());
        inputs.forEach(e -> e.node().release());
    }
}
