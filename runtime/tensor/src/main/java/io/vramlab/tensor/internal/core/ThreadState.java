package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.Kind;

/**
 * What a thread's operations depend on besides their arguments: grad mode, kinds, autocast, hooks on saved tensors, and
 * whether backward is running.
 */
public final class ThreadState {

    private static final ThreadLocal<ThreadState> CURRENT = ThreadLocal.withInitial(ThreadState::new);

    public boolean gradEnabled = true;
    boolean inference;
    Kind kind = Kind.OTHER;
    AutocastMode autocast;
    SavedTensorHooks hooks;
    public boolean backward;

    private ThreadState() {
    }

    public static ThreadState current() {
        return CURRENT.get();
    }
}
