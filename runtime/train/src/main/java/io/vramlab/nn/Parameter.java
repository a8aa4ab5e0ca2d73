package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Kind;

/**
 * A tensor that a module is trained by: a field of this type is found by {@link Module#parameters}. Of any shape;
 * counted as a parameter by memory views.
 */
public final class Parameter extends Tensor {

    /**
     * Takes {@code data} over: it is closed unless cells that count hold it, and its memory goes on in this. Requires gradients if of a floating type.
     *
     * @param data
     *            of any device
     */
    public Parameter(Tensor data) {
        super(data.impl().alias());
        storage().kind(Kind.PARAMETER);
        requiresGrad_(data.dtype().isFloatingPoint());
        Lifetimes.done(data);
        Lifetimes.member(this);
    }

    /**
     * The same, frozen if wished.
     *
     * @param data
     *            of any device
     * @param requiresGrad
     *            whether backward gives it a gradient; true by default
     */
    public Parameter(Tensor data, boolean requiresGrad) {
        this(data);
        requiresGrad_(requiresGrad);
    }

    /** As PyTorch's: {@code Parameter containing:}, then the tensor on the next line. */
    @Override
    public String toString() {
        return isClosed() ? super.toString() : "Parameter containing:\n" + super.toString();
    }
}
