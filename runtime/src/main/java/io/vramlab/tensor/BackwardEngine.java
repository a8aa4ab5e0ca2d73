package io.vramlab.tensor;

import java.util.List;

/**
 * Walks graphs backward. Found through {@link java.util.ServiceLoader}, so that tensors need not know who walks.
 */
public interface BackwardEngine {

    /**
     * Runs backward from results; see {@link Tensor#backward(Tensor, boolean)}.
     *
     * @param roots
     *            where to start, borrowed
     * @param gradients
     *            incoming gradients, borrowed; a null entry means ones
     * @param retainGraph
     *            whether saved tensors stay
     */
    void backward(List<TensorImpl> roots, List<TensorImpl> gradients, boolean retainGraph);
}
