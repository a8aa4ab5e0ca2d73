package io.vramlab.tensor;

/** What a thread holds besides its variables: the innermost scope, and what counting must know between two methods. */
final class ThreadHolds {

    private static final ThreadLocal<ThreadHolds> CURRENT = ThreadLocal.withInitial(ThreadHolds::new);

    Scope scope;
    /** See {@link Lifetimes#calling(int)}. */
    int wovenCaller;
    /** What the exception that is on its way has left behind, until it is caught. */
    Traceback traceback;
    /** How what escapes now does so, while somebody wants to know. */
    String how = "";
    final Trashcan trashcan = new Trashcan();

    private ThreadHolds() {
    }

    static ThreadHolds current() {
        return CURRENT.get();
    }
}
