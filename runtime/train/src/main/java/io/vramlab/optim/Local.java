package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.List;

/**
 * A variable of a loop in one of PyTorch's optimizers, as {@link Name}, for code that is written with tensors: what it was
 * assigned lives until it is assigned again, in the next parameter's turn, or the loop ends.
 */
final class Local implements AutoCloseable {

    private List<Tensor> held = List.of();

    /** Another handle on a tensor, which the caller closes. */
    static Tensor on(TensorImpl tensor) {
        return Tensor.wrap(tensor.retain());
    }

    /** The number in a tensor, which is let go; what PyTorch reads by {@code item()}. 1 on a device that computes nothing. */
    static double number(Tensor scalar) {
        try (scalar) {
            return scalar.impl().driver().kernels().computes() ? scalar.item() : 1;
        }
    }

    /** Takes over a tensor; what was held goes after it. */
    Tensor set(Tensor fresh) {
        set(List.of(fresh));
        return fresh;
    }

    /** Takes over tensors; what was held goes after them, the last first, as Python empties a list. */
    List<Tensor> set(List<Tensor> fresh) {
        List<Tensor> old = held;
        held = fresh;
        old.reversed().forEach(Tensor::close);
        return fresh;
    }

    /** The tensors, borrowed. */
    List<Tensor> all() {
        return held;
    }

    /** The tensor, borrowed. */
    Tensor get() {
        return held.getFirst();
    }

    @Override
    public void close() {
        set(List.of());
    }
}
