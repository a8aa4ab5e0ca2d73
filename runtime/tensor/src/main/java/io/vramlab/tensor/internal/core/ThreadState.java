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
    boolean backwardOnGpu;
    /** Numbers of the next nodes: those that the program makes, and those that a pass on a GPU makes. See {@link Node}. */
    private long made;
    private long madeInBackward;

    private ThreadState() {
    }

    /** The number of a new node. */
    long nextNode() {
        return backward && backwardOnGpu ? madeInBackward++ : made++;
    }

    /** Counts this thread's nodes from zero again, as a program of its own would. */
    public void countNodesFromZero() {
        made = 0;
        madeInBackward = 0;
    }

    public static ThreadState current() {
        return CURRENT.get();
    }
}
