package io.vramlab.nn;

/** What registering a hook gives: {@link #remove} takes the hook off again. */
public final class RemovableHandle implements AutoCloseable {

    private Runnable removal;

    RemovableHandle(Runnable removal) {
        this.removal = removal;
    }

    /** Takes the hook off; again does nothing. */
    public void remove() {
        if (removal != null) {
            removal.run();
            removal = null;
        }
    }

    /** {@link #remove}, for try-with-resources. */
    @Override
    public void close() {
        remove();
    }
}
