package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Kind;

/**
 * Module state that is not trained, such as running statistics: a field of this type moves with {@link Module#to} and is
 * part of {@link Module#stateDict}. Of any shape and dtype; counted as a buffer by memory views.
 */
public final class Buffer extends Tensor {

    /**
     * Takes {@code data} over: it is closed, its memory goes on in this.
     *
     * @param data
     *            of any dtype and device
     */
    public Buffer(Tensor data) {
        super(data.impl().alias());
        storage().kind(Kind.BUFFER);
        data.close();
        // its module holds it, which nobody counts
        Lifetimes.escape(this);
    }
}
