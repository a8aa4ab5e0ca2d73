package io.vramlab.autograd;

import io.vramlab.tensor.internal.core.GradMode;

/** A region without recording: {@code try (var n = new NoGrad()) { … }}. Nothing is saved for backward. */
public final class NoGrad implements AutoCloseable {

    private final GradMode.State before = GradMode.enter(false);

    /** Enters. */
    public NoGrad() {
    }

    @Override
    public void close() {
        before.close();
    }
}
