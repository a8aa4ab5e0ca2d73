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

    /**
     * Holding a value.
     *
     * @param value
     *            to be closed by this reference; may be null
     */
    public Ref(T value) {
        this.value = value;
    }

    /** {@return the value, borrowed; null if it holds nothing} */
    public T get() {
        return value;
    }

    /**
     * Rebinds; the old value is closed, unless it is the new one. So the new value is made while the old one still
     * takes memory, as in Python's {@code x = f(x)}.
     *
     * @param newValue
     *            to be closed by this reference; may be null
     * @return the new value
     * @throws IllegalStateException
     *             if the old value's {@code close} threw a checked exception
     */
    public T set(T newValue) {
        T old = value;
        value = newValue;
        if (old != null && old != newValue) {
            release(old);
        }
        return newValue;
    }

    /**
     * Gives the value away and holds nothing.
     *
     * @return the value, which the caller must close; null if it held nothing
     */
    public T take() {
        T taken = value;
        value = null;
        return taken;
    }

    /**
     * Closes the value and holds nothing. Idempotent.
     *
     * @throws IllegalStateException
     *             if the value's {@code close} threw a checked exception
     */
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
