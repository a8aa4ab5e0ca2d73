package io.vramlab.tensor;

/**
 * An operation with a backward of its own, PyTorch's {@code torch.autograd.Function}: how operations outside this
 * package enter the graph.
 */
public final class CustomFunction {

    /** Gradients of the inputs from that of the result. */
    @FunctionalInterface
    public interface Backward {

        /**
         * @param gradient
         *            of the result, borrowed
         * @param saved
         *            what was saved, borrowed
         * @return one per input, held by the caller; null where none is needed
         */
        TensorImpl[] apply(TensorImpl gradient, TensorImpl[] saved);
    }

    private CustomFunction() {
    }

    /**
     * Ties a fresh result to its inputs, if grad mode is on and one of them is part of the graph.
     *
     * @param name
     *            what {@link Tensor#gradFn} shows
     * @param saved
     *            what backward needs, kept until it has passed
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
