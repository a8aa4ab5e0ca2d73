package io.vramlab.nn;

import io.vramlab.tensor.Kind;
import io.vramlab.tensor.Tensor;

/** A tensor that a module is trained by: a field of this type is found by {@link Module#parameters}. */
public final class Parameter extends Tensor {

    /** Shares the memory of {@code data}, and requires gradients. */
    public Parameter(Tensor data) {
        super(data.impl().alias());
        storage().kind(Kind.PARAMETER);
        requiresGrad_(data.dtype().isFloatingPoint());
    }

    /** As the constructor, and closes {@code data}. */
    static Parameter take(Tensor data) {
        try (data) {
            return new Parameter(data);
        }
    }
}
