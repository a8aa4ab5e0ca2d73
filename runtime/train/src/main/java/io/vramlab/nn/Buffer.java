package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Kind;

/**
 * Module state that is not trained, such as running statistics: a field of this type moves with {@link Module#to} and is
 * part of {@link Module#stateDict}. Of any shape and dtype; counted as a buffer by memory views.
 */
public final class Buffer extends Tensor {

    private boolean persistent = true;

    /**
     * Takes {@code data} over: it is closed, its memory goes on in this.
     *
     * @param data
     *            of any dtype and device
     */
    public Buffer(Tensor data) {
        super(data.impl().alias());
        storage().kind(Kind.BUFFER);
        Lifetimes.done(data);
        Lifetimes.member(this);
    }

    /**
     * Takes {@code data} over: it is closed, its memory goes on in this.
     *
     * @param data
     *            of any dtype and device
     * @param persistent
     *            false leaves it out of {@link Module#stateDict}; it moves with its module all the same
     */
    public Buffer(Tensor data, boolean persistent) {
        this(data);
        this.persistent = persistent;
    }

    void persistent(boolean on) {
        persistent = on;
    }

    /** {@return whether it is part of {@link Module#stateDict}, true unless said otherwise} */
    public boolean isPersistent() {
        return persistent;
    }
}
