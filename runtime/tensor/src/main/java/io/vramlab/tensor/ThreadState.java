package io.vramlab.tensor;

/**
 * What a thread's operations depend on besides their arguments: grad mode, kinds, autocast, hooks on saved tensors, and
 * whether backward is running.
 */
final class ThreadState {

    private static final ThreadLocal<ThreadState> CURRENT = ThreadLocal.withInitial(ThreadState::new);

    boolean gradEnabled = true;
    boolean inference;
    Kind kind = Kind.OTHER;
    AutocastMode autocast;
    SavedTensorHooks hooks;
    RuntimeException stop;
    boolean backward;

    private ThreadState() {
    }

    static ThreadState current() {
        return CURRENT.get();
    }
}
