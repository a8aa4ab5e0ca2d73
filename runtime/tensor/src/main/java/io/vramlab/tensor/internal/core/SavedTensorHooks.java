package io.vramlab.tensor.internal.core;

/**
 * Takes the place of keeping tensors for backward, PyTorch's {@code torch.autograd.graph.saved_tensors_hooks}: what is
 * packed may be kept elsewhere, or dropped and computed again.
 */
public interface SavedTensorHooks {

    /** Called with each tensor that an operation would save, borrowed; returns whatever stands for it. */
    Object pack(TensorImpl tensor);

    /**
     * Called before an operation is computed that will save these inputs and nothing else, borrowed. An exception from
     * here ends the operation before it has allocated anything. PyTorch packs inputs at that moment; here they are packed
     * once the result exists, which makes no difference but to a recomputation that may stop.
     */
    default void announce(TensorImpl... inputs) {
        // most are content with pack
    }

    /**
     * Called when an operation is over, whether it saved anything or not, with its result, borrowed, which nobody else has
     * yet. An exception from here lets go of the result and reaches the program in its place: how a recomputation stops as
     * soon as it has all it needs.
     */
    default void made(TensorImpl result) {
        // most go on to the end
    }

    /** Called when backward needs the tensor; the caller holds the result. */
    TensorImpl unpack(Object packed);

    /** Called when the graph lets go what was packed. */
    void forget(Object packed);

    /** Sets the hooks for this thread's operations, or none with null, until the returned state is closed. */
    static GradMode.State enter(SavedTensorHooks hooks) {
        ThreadState state = ThreadState.current();
        SavedTensorHooks before = state.hooks;
        state.hooks = hooks;
        return () -> state.hooks = before;
    }

    /** The hooks of this thread's operations; null without any. */
    static SavedTensorHooks current() {
        return ThreadState.current().hooks;
    }
}
