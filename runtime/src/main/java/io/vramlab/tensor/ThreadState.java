package io.vramlab.tensor;

/** What a thread's operations depend on besides their arguments: grad mode, kinds, the innermost scope. */
final class ThreadState {

    private static final ThreadLocal<ThreadState> CURRENT = ThreadLocal.withInitial(ThreadState::new);

    boolean gradEnabled = true;
    boolean inference;
    Kind kind = Kind.OTHER;
    Scope scope;

    private ThreadState() {
    }

    static ThreadState current() {
        return CURRENT.get();
    }
}
