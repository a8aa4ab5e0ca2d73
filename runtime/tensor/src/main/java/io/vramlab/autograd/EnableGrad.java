package io.vramlab.autograd;

import io.vramlab.tensor.internal.core.GradMode;

/** A region with recording, inside one without: {@code try (var e = new EnableGrad()) { … }}. */
public final class EnableGrad implements AutoCloseable {

    private final GradMode.State before = GradMode.enter(true);

    /** Enters. */
    public EnableGrad() {
    }

    @Override
    public void close() {
        before.close();
    }
}
