package io.vramlab.kernel.spi;

/** Something on show that can be replaced in place, from any thread. */
public interface Display {

    /** Shows another value in its place. */
    void update(Object value);
}
