package io.vramlab.tensor.internal.core;

/** A node of the graph whose backward somebody else brings: what recomputation and functions of users stand on. */
public final class CustomNode {

    /** Gradients of the inputs from that of the result. */
    @FunctionalInterface
    public interface Backward {

        /**
         * Computes the gradients of the inputs.
         *
         * @param gradient
         *            of the result, borrowed
         * @param saved
         *            what was saved, borrowed
         * @return one per input, held by the caller; null where none is needed
         */
        TensorImpl[] apply(TensorImpl gradient, TensorImpl[] saved);
    }

    private CustomNode() {
    }

    /**
     * Ties a fresh result to its inputs, if grad mode is on and one of them is part of the graph.
     *
     * @param name
     *            what {@link io.vramlab.tensor.Tensor#gradFn} shows
     * @param result
     *            fresh, of no graph yet
     * @param inputs
     *            one for each gradient that backward gives; null for none
     * @param saved
     *            what backward needs, held until it has passed, without a copy
     * @param backward
     *            called once a pass
     */
    public static void record(String name, TensorImpl result, TensorImpl[] inputs, TensorImpl[] saved,
            Backward backward) {
        if (!Graph.wanted(inputs)) {
            return;
        }
        int count = saved.length;
        Node node = Graph.record(name, result, (n, g) -> {
            TensorImpl[] kept = new TensorImpl[count];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = n.saved(i);
            }
            return backward.apply(g, kept);
        }, inputs);
        SavedTensor[] kept = new SavedTensor[count];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = Graph.input(node, saved[i]);
        }
        node.save(kept);
    }
}
