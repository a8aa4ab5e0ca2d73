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
    private final boolean createGraph;
    private final GradMode.State before;
    private Map<Node, int[]> waiting;
    private Map<Node, Boolean> needed;

    Backward(boolean retainGraph, boolean createGraph, boolean onGpu, List<TensorImpl> inputs) {
        this.retainGraph = retainGraph;
        this.createGraph = createGraph;
        this.caught = new TensorImpl[inputs.size()];
        for (TensorImpl t : inputs) {
            if (!t.requiresGrad()) {
                throw new AutogradException("One of the differentiated Tensors does not require grad (" + t.describe()
                        + "): call requiresGrad_(true) on it before computing with it.");
            }
        }
        before = GradMode.enterBackward(createGraph, onGpu);
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
            if (needed != null) {
                node.ask(asked(node));
            }
            results = createGraph
                    ? recorded(node, task.inputs().gradients())
                    : apply(node, task.inputs().gradients());
            fit(node, results);
        } finally {
            task.inputs().release();
        }
        if (!retainGraph) {
            node.releaseSaved();
        }
        handOn(node, results);
    }

    /** Which gradients of a node this pass needs, as PyTorch's task_should_compute_output tells its formulas. */
    private boolean[] asked(Node node) {
        boolean[] asked = new boolean[node.next().length];
        for (int i = 0; i < asked.length; i++) {
            Edge e = node.next()[i];
            asked[i] = e != null && leads(e.node());
        }
        return asked;
    }

    /** Whether the gradient of a wanted input, or of what leads there, is what arrives at that node. */
    private boolean leads(Node node) {
        return needed.containsKey(node) || inputs.stream().anyMatch(e -> e.node() == node);
    }

    /** Runs a formula as part of the graph; one that is not made of the graph's operations only where nothing is lost. */
    private static TensorImpl[] recorded(Node node, TensorImpl[] gradients) {
        if (node.isDifferentiable() || node instanceof AccumulateGrad) {
            return apply(node, gradients);
        }
        if (node.touchesGraph(gradients)) {
            throw new AutogradException("A gradient with createGraph was asked for through " + node.name()
                    + ": the derivative of its backward is not differentiable here, so the gradient would lose its graph. "
                    + "Compute this part of another operation, or walk it without createGraph.");
        }
        try (GradMode.State off = GradMode.enter(false)) {
            return apply(node, gradients);
        }
    }

    private static TensorImpl[] apply(Node node, TensorImpl[] gradients) {
        try {
            return node.apply(gradients);
        } finally {
            node.ask((boolean[]) null);
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
        try {
            for (int i = 0; i < next.length && results.length > 0; i++) {
                if (next[i] != null && (needed == null || leads(next[i].node()))) {
                    TensorImpl gradient = results[i];
                    results[i] = null;
                    deliver(next[i], gradient);
                }
            }
        } finally {
            releaseFrom(results, 0);
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
