package io.vramlab.conformance;

import io.vramlab.conformance.RecordedOperation.Argument;
import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Writing tables of operations tersely. */
abstract class OperationTable {

    /**
     * The three sizes of which the recorders make their arguments, by the names that a recording's {@code _meta} gives
     * them, and the element type of those that have no other.
     */
    record Sizes(long n, long k, long m, DType dtype) {

        /** What the recorder takes if nothing is said. */
        static final Sizes USUAL = new Sizes(640, 384, 256, DType.FLOAT32);
    }

    final long n;
    final long k;
    final long m;
    private final DType dtype;

    private final Map<String, RecordedOperation> all = new HashMap<>();

    OperationTable(Sizes sizes) {
        n = sizes.n();
        k = sizes.k();
        m = sizes.m();
        dtype = sizes.dtype();
    }

    final Map<String, RecordedOperation> all() {
        return all;
    }

    /** An argument of the recording's dtype that may require gradients. */
    final Argument s(long... sizes) {
        return new Argument(sizes, dtype, true);
    }

    /** An argument of another dtype; integers and truth values never require gradients. */
    static Argument s(DType dtype, long... sizes) {
        return new Argument(sizes, dtype, dtype.isFloatingPoint());
    }

    /** An argument of the recording's dtype that never requires gradients. */
    final Argument constant(long... sizes) {
        return new Argument(sizes, dtype, false);
    }

    /** One class or row number per batch element. */
    final Argument classes() {
        return s(DType.INT64, n);
    }

    final void add(String name, Function<Tensor[], Tensor> function, Argument... arguments) {
        all.put(name, new RecordedOperation(arguments, function));
    }

    /** The next step of an expression, after which its intermediate result is dropped. */
    static Tensor then(Tensor intermediate, Function<Tensor, Tensor> next) {
        try (intermediate) {
            return next.apply(intermediate);
        }
    }

    /** The same for an operation with several results. */
    static Tensor of(Tensor[] parts, Function<Tensor[], Tensor> next) {
        try {
            return next.apply(parts);
        } finally {
            for (Tensor p : parts) {
                p.close();
            }
        }
    }

    /** The first of several results; the others are dropped. */
    static Tensor first(Tensor... results) {
        for (int i = 1; i < results.length; i++) {
            results[i].close();
        }
        return results[0];
    }
}
