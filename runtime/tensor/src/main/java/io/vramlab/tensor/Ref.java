package io.vramlab.tensor;

/**
 * A variable that is rebound as a Python name is: {@link #set} takes the new value, made while the old one was still
 * alive, and closes the old one.
 *
 * @param <T>
 *            what it holds, usually {@link Tensor}
 */
public final class Ref<T extends AutoCloseable> implements AutoCloseable {

    private T value;

    /** Holding nothing. */
    public Ref() {
    }

    /** Holding a value. */
    public Ref(T value) {
        this.value = value;
    }

    /** The value, or null. */
    public T get() {
        return value;
    }

    /** Rebinds; the old value is closed, unless it is the new one. Returns the new value. */
    public T set(T newValue) {
        T old = value;
        value = newValue;
        if (old != null && old != newValue) {
            release(old);
        }
        return newValue;
    }

    /** Gives the value away and holds nothing. */
    public T take() {
        T taken = value;
        value = null;
        return taken;
    }

    /** Closes the value and holds nothing. */
    @Override
    public void close() {
        set(null);
    }

    private static void release(AutoCloseable old) {
        try {
            old.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("The value that a Ref held could not be closed: " + e.getMessage(), e);
        }
    }
}
