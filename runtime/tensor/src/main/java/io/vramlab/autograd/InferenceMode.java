package io.vramlab.autograd;

import io.vramlab.tensor.internal.core.GradMode;

/** A region for inference: {@code try (var i = new InferenceMode()) { … }}. Tensors made inside can never be part of a graph. */
public final class InferenceMode implements AutoCloseable {

    private final GradMode.State before = GradMode.enterInference();

    /** Enters. */
    public InferenceMode() {
    }

    @Override
    public void close() {
        before.close();
    }
}
