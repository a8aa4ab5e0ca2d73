package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;

/** A variable of torch.nn.Module's call: what it stands for is let go when it stands for another, and in the end. */
final class Held implements AutoCloseable {

    private final Tensor borrowed;
    private Tensor tensor;

    /** Stands for what its owner holds meanwhile, or for nothing if that is null. */
    Held(Tensor borrowed) {
        this.borrowed = borrowed;
        this.tensor = borrowed;
        Lifetimes.hold(borrowed);
    }

    /** {@return what it stands for} */
    Tensor get() {
        return tensor;
    }

    /** Stands for another, unless that is null. */
    void replace(Tensor other) {
        if (other != null) {
            Lifetimes.hold(other);
            close();
            tensor = other;
        }
    }

    /** {@return it, for the caller to hold} */
    Tensor given() {
        Tensor result = tensor;
        tensor = null;
        Lifetimes.unhold(result);
        return result;
    }

    @Override
    public void close() {
        Lifetimes.dropParameter(tensor, tensor != borrowed);
        tensor = null;
    }
}
