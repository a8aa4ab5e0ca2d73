package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Function;

/**
 * From handles to what they hold and back: how the public functions call the operations. Arguments stay reachable until
 * the operation has ended; null stands for an absent one.
 */
final class Calls {

    private Calls() {
    }

    static TensorImpl[] impls(Tensor... arguments) {
        TensorImpl[] impls = new TensorImpl[arguments.length];
        for (int i = 0; i < impls.length; i++) {
            impls[i] = arguments[i] == null ? null : arguments[i].impl();
        }
        return impls;
    }

    /** What stands between Python's brackets, as operations take it: each tensor as what it holds. */
    public static Object[] items(Object... items) {
        if (items == null) {
            // index(null): javac takes a lone null for the array
            return new Object[]{null};
        }
        return Arrays.stream(items).map(item -> item instanceof Tensor t ? t.impl() : item).toArray();
    }

    /** One result, in whatever dtype the arguments have. */
    public static Tensor call(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        try {
            return Tensor.wrap(operation.apply(impls(arguments)));
        } finally {
            Reference.reachabilityFence(arguments);
        }
    }

    /** {@link #call}, on autocast's list of operations in lower precision. */
    public static Tensor lower(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        return call(a -> AutocastMode.lower(operation, a), arguments);
    }

    /** {@link #call}, on autocast's list of operations in float32. */
    public static Tensor full(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        return call(a -> AutocastMode.full(operation, a), arguments);
    }

    /** Several results. */
    public static Tensor[] several(Function<TensorImpl[], TensorImpl[]> operation, Tensor... arguments) {
        try {
            return Arrays.stream(operation.apply(impls(arguments))).map(Tensor::wrap).toArray(Tensor[]::new);
        } finally {
            Reference.reachabilityFence(arguments);
        }
    }
}
