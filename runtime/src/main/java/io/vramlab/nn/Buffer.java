package io.vramlab.nn;

import io.vramlab.tensor.Kind;
import io.vramlab.tensor.Tensor;

/**
 * Module state that is not trained, such as running statistics: a field of this type moves with {@link Module#to} and is
 * part of {@link Module#stateDict}.
 */
public final class Buffer extends Tensor {

    /** Shares the memory of {@code data}. */
    public Buffer(Tensor data) {
        super(data.impl().alias());
        storage().kind(Kind.BUFFER);
    }

    /** As the constructor, and closes {@code data}. */
    static Buffer take(Tensor data) {
        try (data) {
            return new Buffer(data);
        }
    }
}
