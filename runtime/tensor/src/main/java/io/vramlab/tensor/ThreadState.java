package io.vramlab.tensor;

/**
 * What a thread's operations depend on besides their arguments: grad mode, kinds, the innermost scope, autocast, hooks on
 * saved tensors, and whether backward is running.
 */
final class ThreadState {

    private static final ThreadLocal<ThreadState> CURRENT = ThreadLocal.withInitial(ThreadState::new);

    boolean gradEnabled = true;
    boolean inference;
    Kind kind = Kind.OTHER;
    Scope scope;
    AutocastMode autocast;
    SavedTensorHooks hooks;
    RuntimeException stop;
    boolean backward;
    /** See {@link Lifetimes#calling(int)}. */
    int wovenCaller;
    /** What the exception that is on its way has left behind, until it is caught. */
    Traceback traceback;

    private ThreadState() {
    }

    static ThreadState current() {
        return CURRENT.get();
    }
}
