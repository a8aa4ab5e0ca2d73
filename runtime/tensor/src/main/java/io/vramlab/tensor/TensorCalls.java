package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.TensorImpl;
import java.lang.ref.Reference;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** How {@link Tensor}'s methods call operations: arguments stay reachable until the operation has ended. */
abstract sealed class TensorCalls permits ArithmeticMethods {

    /** See {@link Tensor#impl}. */
    public abstract TensorImpl impl();

    private Tensor self() {
        return (Tensor) this;
    }

    final Tensor map(UnaryOperator<TensorImpl> operation) {
        try {
            return Tensor.wrap(operation.apply(impl()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    public final Tensor with(Tensor other, BinaryOperator<TensorImpl> operation) {
        try {
            return Tensor.wrap(operation.apply(impl(), other.impl()));
        } finally {
            Reference.reachabilityFence(this);
            Reference.reachabilityFence(other);
        }
    }

    public final Tensor with(Function<TensorImpl[], TensorImpl> operation, Tensor... others) {
        return Calls.call(operation, joined(others));
    }

    final Tensor[] several(Function<TensorImpl[], TensorImpl[]> operation, Tensor... others) {
        return Calls.several(operation, joined(others));
    }

    private Tensor[] joined(Tensor... others) {
        Tensor[] all = new Tensor[others.length + 1];
        all[0] = self();
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    final <T> T read(Function<TensorImpl, T> operation) {
        try {
            return operation.apply(impl());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    final Tensor change(Consumer<TensorImpl> operation) {
        try {
            operation.accept(impl());
            return self();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    final Tensor changeBy(Tensor other, BiConsumer<TensorImpl, TensorImpl> operation) {
        try {
            operation.accept(impl(), other.impl());
            return self();
        } finally {
            Reference.reachabilityFence(this);
            Reference.reachabilityFence(other);
        }
    }
}
