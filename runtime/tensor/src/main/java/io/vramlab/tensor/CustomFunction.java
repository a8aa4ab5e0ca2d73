package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.SavedTensor;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.Backward;
import io.vramlab.tensor.type.AutogradException;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * An operation with a backward of its own, PyTorch's {@code torch.autograd.Function}: how operations outside this
 * package enter the graph.
 */
public final class CustomFunction {

    private CustomFunction() {
    }

    /** Forward of handles; it learns which inputs' gradients are wanted. */
    @FunctionalInterface
    public interface Forward {
        /**
         * Computes the outputs; gradients are not recorded meanwhile.
         *
         * @param wanted
         *            for each input, whether its gradient will be asked for
         * @return at least one; an input given back as it is becomes another tensor on its memory
         */
        Tensor[] apply(boolean... wanted);
    }

    /** Backward of handles: gradients of the inputs, null where none is needed. */
    @FunctionalInterface
    public interface HandlesBackward {
        /**
         * From what was saved and the gradients of the outputs.
         *
         * @param saved
         *            in the order in which it was saved; closed after
         * @param gradients
         *            one for each output of a floating dtype, zeros where none came; closed after
         * @return one for each input, null where none is needed
         */
        Tensor[] apply(Tensor[] saved, Tensor[] gradients);
    }

    /**
     * Runs forward outside the graph, and ties its outputs of floating dtypes to the inputs by a backward of handles.
     *
     * @param name
     *            what {@link Tensor#gradFn} shows
     * @param inputs
     *            one for each gradient that backward gives; null for none
     * @param forward
     *            called at once, on this thread
     * @param saved
     *            what backward needs, asked for after forward; held until it has passed, without a copy
     * @param backward
     *            called once a pass; what it makes is closed after
     * @return the outputs, fresh handles
     */
    public static Tensor[] apply(String name, Tensor[] inputs, Forward forward, Supplier<Tensor[]> saved,
            HandlesBackward backward) {
        return apply(name, inputs, forward, saved, backward, null);
    }

    /**
     * As {@link #apply(String, Tensor[], Forward, Supplier, HandlesBackward)}, of an object whose fields backward may read.
     *
     * @param name
     *            what {@link Tensor#gradFn} shows
     * @param inputs
     *            one for each gradient that backward gives; null for none
     * @param forward
     *            called at once, on this thread
     * @param saved
     *            what backward needs, asked for after forward; held until it has passed, without a copy
     * @param backward
     *            called once a pass; what it makes is closed after
     * @param owner
     *            held as long as the graph may call backward; or null
     * @return the outputs, fresh handles
     */
    public static Tensor[] apply(String name, Tensor[] inputs, Forward forward, Supplier<Tensor[]> saved,
            HandlesBackward backward, Object owner) {
        TensorImpl[] from = Arrays.stream(inputs).map(t -> t == null ? null : t.impl()).toArray(TensorImpl[]::new);
        boolean[] wanted = new boolean[from.length];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = Graph.wanted(from[i]);
        }
        Temps kept = new Temps();
        TensorImpl[] results;
        TensorImpl[] tensors;
        try (kept) {
            try (GradMode.State off = GradMode.enter(false); Scope scope = Scope.inner()) {
                Lifetimes.calling(forward, Lifetimes.ANY);
                Tensor[] made = forward.apply(wanted);
                Lifetimes.hold(made);
                // an input that is returned as it is becomes another tensor on its memory
                results = Arrays.stream(made).map(Tensor::impl)
                        .map(t -> kept.own(Arrays.asList(from).contains(t) ? t.alias() : t.retain()))
                        .toArray(TensorImpl[]::new);
                tensors = Arrays.stream(saved.get()).map(t -> t == null ? null : kept.own(t.impl().retain()))
                        .toArray(TensorImpl[]::new);
                Lifetimes.drop(made);
            }
            TensorImpl[] tied = Arrays.stream(results).filter(t -> t.dtype().isFloatingPoint())
                    .toArray(TensorImpl[]::new);
            if (Graph.wanted(from) && tied.length > 0) {
                int count = tensors.length;
                Lifetimes.hold(owner);
                Node node = Graph.recordSeveral(name, tied, new ByHandles(backward, count, owner), from);
                SavedTensor[] held = new SavedTensor[count];
                for (int i = 0; i < count; i++) {
                    TensorImpl t = tensors[i];
                    held[i] = t == null
                            ? null
                            : Arrays.asList(tied).contains(t) ? Graph.result(node, t) : Graph.input(node, t);
                }
                node.save(held);
            }
            return Arrays.stream(results).map(t -> Tensor.wrap(t.retain())).toArray(Tensor[]::new);
        }
    }

    /** Holds its owner. */
    private record ByHandles(HandlesBackward backward, int count, Object owner) implements Graph.SeveralFormula {

        @Override
        public TensorImpl[] apply(Node node, TensorImpl[] grads) {
            return CustomFunction.backward(node, grads, count, backward);
        }

        @Override
        public boolean isDifferentiable() {
            return true;
        }

        @Override
        public void gone() {
            Lifetimes.drop(owner);
        }
    }

    private static TensorImpl[] backward(Node n, TensorImpl[] grads, int count, HandlesBackward backward) {
        try (Scope scope = Scope.inner()) {
            Tensor[] kept = new Tensor[count];
            for (int i = 0; i < count; i++) {
                TensorImpl t = n.saved(i);
                kept[i] = t == null ? null : Tensor.wrap(t.retain());
            }
            Tensor[] incoming = new Tensor[grads.length];
            for (int i = 0; i < grads.length; i++) {
                Node.Form form = n.form(i);
                incoming[i] = Tensor.wrap(grads[i] != null
                        ? grads[i].retain()
                        : Factories.full(form.device(), form.dtype(), 0, form.shape()));
            }
            Lifetimes.fresh(incoming);
            Lifetimes.hold(incoming);
            Lifetimes.calling(backward, Lifetimes.ANY);
            Tensor[] out = backward.apply(kept, incoming);
            Lifetimes.hold(out);
            if (out.length != n.next().length) {
                throw new AutogradException(
                        "function " + n.name() + " returned an incorrect number of gradients (expected "
                                + n.next().length + ", got " + out.length
                                + "): one for each input, null where none is needed.");
            }
            TensorImpl[] results = Arrays.stream(out).map(t -> t == null ? null : t.impl().retain())
                    .toArray(TensorImpl[]::new);
            Lifetimes.drop(out);
            Lifetimes.drop(incoming);
            return results;
        }
    }
}
