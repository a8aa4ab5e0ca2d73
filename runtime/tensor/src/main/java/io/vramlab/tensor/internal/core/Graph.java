package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.AutogradException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Records operations for backward. An operation computes its result first, then, if {@link #wanted}, calls one of the
 * {@code record} forms with its inputs, what to save and the formula of its backward.
 */
public final class Graph {

    /** Gradients of all inputs from the one incoming gradient; see {@link Node#apply}. */
    public interface Formula {
        TensorImpl[] apply(Node node, TensorImpl grad);
    }

    /** Gradients of all inputs from those of several results; an entry is null where none came. */
    public interface SeveralFormula {
        TensorImpl[] apply(Node node, TensorImpl[] grads);

        /** Whether what it computes is part of the graph itself, see {@link Node#isDifferentiable}. */
        default boolean isDifferentiable() {
            return false;
        }

        /** The node is gone: nothing will be asked again. */
        default void gone() {
            // most hold nothing
        }
    }

    private static final class RecordedSeveral extends Node {

        private final SeveralFormula formula;

        RecordedSeveral(String name, SeveralFormula formula) {
            super(name);
            this.formula = formula;
        }

        @Override
        public TensorImpl[] apply(TensorImpl[] grads) {
            return formula.apply(this, grads);
        }

        @Override
        public boolean isDifferentiable() {
            return formula.isDifferentiable() || super.isDifferentiable();
        }

        @Override
        protected void dispose() {
            formula.gone();
        }
    }

    private static final class Recorded extends Node {

        private final Formula formula;

        Recorded(String name, Formula formula) {
            super(name);
            this.formula = formula;
        }

        @Override
        public TensorImpl[] apply(TensorImpl[] grads) {
            return grads[0] == null ? new TensorImpl[next().length] : formula.apply(this, grads[0]);
        }
    }

    private Graph() {
    }

    /** True when grad mode is on and an input is part of the graph. */
    public static boolean wanted(TensorImpl... inputs) {
        if (!ThreadState.current().gradEnabled) {
            return false;
        }
        for (TensorImpl t : inputs) {
            if (t != null && t.requiresGrad()) {
                return true;
            }
        }
        return false;
    }

    /** Ties {@code result} to a new node over {@code inputs}. The formula must touch tensors only through the node. */
    public static Node record(String name, TensorImpl result, Formula formula, TensorImpl... inputs) {
        Node node = new Recorded(name, formula);
        connect(node, inputs);
        node.addResult(result);
        result.gradFn(node, 0);
        return node;
    }

    /** Ties several results to one new node. */
    public static Node recordSeveral(String name, TensorImpl[] results, SeveralFormula formula, TensorImpl... inputs) {
        Node node = new RecordedSeveral(name, formula);
        connect(node, inputs);
        for (TensorImpl r : results) {
            int number = node.addResult(r);
            if (number > 0) {
                node.retain();
            }
            r.gradFn(node, number);
        }
        return node;
    }

    /** The same of results of which some are null, not wanted: the formula is given all of their gradients, null in those places. */
    public static Node recordWanted(String name, TensorImpl[] results, SeveralFormula formula, TensorImpl... inputs) {
        TensorImpl[] made = Arrays.stream(results).filter(Objects::nonNull).toArray(TensorImpl[]::new);
        int[] place = new int[results.length];
        for (int i = 0, next = 0; i < place.length; i++) {
            place[i] = results[i] == null ? -1 : next++;
        }
        return recordSeveral(name, made, (n, gradients) -> {
            TensorImpl[] all = new TensorImpl[place.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = place[i] < 0 ? null : gradients[place[i]];
            }
            return formula.apply(n, all);
        }, inputs);
    }

    /** A node over {@code inputs} that no result is tied to yet. */
    public static Node unbound(String name, Formula formula, TensorImpl... inputs) {
        Node node = new Recorded(name, formula);
        connect(node, inputs);
        return node;
    }

    /** The common case of one input and a gradient that depends on saved tensors at most. */
    public static Node recordUnary(String name, TensorImpl result, TensorImpl input,
            BiFunction<Node, TensorImpl, TensorImpl> formula) {
        return record(name, result, (n, g) -> new TensorImpl[]{formula.apply(n, g)}, input);
    }

    /** Tells hooks of inputs that are about to be saved; nulls are left out. */
    public static void announce(TensorImpl... inputs) {
        SavedTensorHooks hooks = ThreadState.current().hooks;
        if (hooks != null) {
            hooks.announce(Arrays.stream(inputs).filter(Objects::nonNull).toArray(TensorImpl[]::new));
        }
    }

    /** {@link #announce} for products: each factor is saved for the other's gradient. */
    public static void announceFactors(TensorImpl a, TensorImpl b) {
        if (wanted(a, b)) {
            announce(b.requiresGrad() ? a : null, a.requiresGrad() ? b : null);
        }
    }

    /** Collects the edges of the inputs. */
    static void connect(Node node, TensorImpl... inputs) {
        Edge[] edges = new Edge[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            edges[i] = edge(inputs[i]);
        }
        node.next(edges);
    }

    /** Where the gradient of a tensor goes, its node held for the caller; null when none is wanted. */
    public static Edge edge(TensorImpl t) {
        if (t == null || !t.requiresGrad()) {
            return null;
        }
        if (t.gradFn() == null) {
            return new Edge(t.accumulator(), 0);
        }
        t.gradFn().retain();
        return new Edge(t.gradFn(), t.outputNr());
    }

    public static SavedTensor input(Node node, TensorImpl t) {
        return new SavedTensor(t, node, false);
    }

    public static SavedTensor inputIf(boolean condition, Node node, TensorImpl t) {
        return condition ? new SavedTensor(t, node, false) : null;
    }

    public static SavedTensor resultIf(boolean condition, Node node, TensorImpl t) {
        return condition ? new SavedTensor(t, node, true) : null;
    }

    public static SavedTensor result(Node node, TensorImpl t) {
        return new SavedTensor(t, node, true);
    }

    /**
     * What must hold before an in-place change.
     *
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while grad mode is on
     */
    public static void checkInPlace(TensorImpl t) {
        ThreadState state = ThreadState.current();
        if (t.isInference() && !state.inference) {
            throw new AutogradException("Inplace update to inference tensor outside InferenceMode is not allowed. "
                    + "You can make a clone to get a normal tensor before doing inplace update.");
        }
        if (!state.gradEnabled) {
            return;
        }
        if (t.isLeaf() && t.requiresGrad()) {
            throw new AutogradException("a leaf Variable that requires grad is being used in an in-place operation. "
                    + "Change it under NoGrad, or use the out-of-place form.");
        }
        if (t.isViewOfLeaf()) {
            throw new AutogradException("a view of a leaf Variable that requires grad is being used in an in-place "
                    + "operation. Change it under NoGrad, or use the out-of-place form.");
        }
    }

    /**
     * Makes a tensor that was changed in place the result of the node that did it; a view hands the change on to what it is a
     * view of.
     */
    public static void rebase(TensorImpl a, Node recorded) {
        recorded.addResult(a);
        if (a.isView() && a.base() != null) {
            CopySlices.tie(a, a.base(), recorded);
        } else {
            a.gradFn(recorded, 0);
            a.rebased();
        }
    }

    /** Makes a tensor whose shape alone was changed the result of the node that did it; views of its memory look up their place anew. */
    public static void reshaped(TensorImpl a, Node recorded) {
        recorded.addResult(a);
        a.gradFn(recorded, 0);
        if (a.base() != null) {
            a.base().rebased();
            a.sawBase();
        }
    }

    public static void hook(TensorImpl t, java.util.function.UnaryOperator<TensorImpl> hook) {
        if (!t.requiresGrad()) {
            throw new AutogradException("cannot register a hook on a tensor that doesn't require gradient ("
                    + t.describe() + "): call requiresGrad_(true) first.");
        }
        t.addHook(hook);
    }
}
