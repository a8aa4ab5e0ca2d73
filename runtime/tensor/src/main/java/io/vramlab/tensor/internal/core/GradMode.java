package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.Kind;

/** Whether this thread's operations are recorded, and what their storages are for. */
public final class GradMode {

    /** What was before; closing brings it back. */
    public interface State extends AutoCloseable {
        @Override
        void close();
    }

    private GradMode() {
    }

    /** Whether operations are recorded. */
    public static boolean isEnabled() {
        return ThreadState.current().gradEnabled;
    }

    /** Whether inference mode is on. */
    public static boolean isInference() {
        return ThreadState.current().inference;
    }

    /** Switches recording, until the returned state is closed. */
    public static State enter(boolean enabled) {
        ThreadState state = ThreadState.current();
        boolean before = state.gradEnabled;
        state.gradEnabled = enabled;
        return () -> state.gradEnabled = before;
    }

    /** Switches recording and the kind of new storages, until the returned state is closed. */
    public static State enter(boolean enabled, Kind kind) {
        ThreadState state = ThreadState.current();
        boolean before = state.gradEnabled;
        Kind kindBefore = state.kind;
        state.gradEnabled = enabled;
        state.kind = kind;
        return () -> {
            state.gradEnabled = before;
            state.kind = kindBefore;
        };
    }

    /**
     * Enters a backward pass: new storages are temporaries, hidden workspaces are backward's own.
     *
     * @param recorded
     *            whether what formulas compute is part of the graph
     * @param onGpu
     *            whether PyTorch would run it on a thread of the device
     */
    public static State enterBackward(boolean recorded, boolean onGpu) {
        ThreadState state = ThreadState.current();
        boolean before = state.backward;
        boolean gpuBefore = state.backwardOnGpu;
        State outer = enter(recorded, Kind.TEMPORARY);
        state.backward = true;
        state.backwardOnGpu = onGpu;
        return () -> {
            state.backward = before;
            state.backwardOnGpu = gpuBefore;
            outer.close();
        };
    }

    /** Switches inference mode on: nothing is recorded, and what is made can never be. */
    public static State enterInference() {
        ThreadState state = ThreadState.current();
        boolean before = state.gradEnabled;
        boolean inferenceBefore = state.inference;
        state.gradEnabled = false;
        state.inference = true;
        return () -> {
            state.gradEnabled = before;
            state.inference = inferenceBefore;
        };
    }
}
