package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.footprint.SolverScratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What PyTorch's calls of cuSOLVER and cuBLAS take besides their results; docs/footprint.md, "Linear algebra". */
final class Scratchpad {

    private static final int LOOPED_BATCH = 8;
    private static final int LOOPED_SIDE = 64;

    private Scratchpad() {
    }

    /** Takes these blocks one after the other, then gives them back. */
    static void pass(TensorImpl beside, long... bytes) {
        try (Temps t = new Temps()) {
            for (long each : bytes) {
                block(t, beside, each);
            }
        }
    }

    static TensorImpl block(Temps t, TensorImpl beside, long bytes) {
        return t.own(TensorImpl.empty(beside.device(), DType.UINT8, bytes));
    }

    static int element(TensorImpl a) {
        return a.dtype().bytes();
    }

    /** A workspace of cuSOLVER's for each of so many calls. */
    static void solver(TensorImpl a, String operation, long calls) {
        for (long i = 0; i < calls; i++) {
            pass(a, SolverScratch.square(operation, element(a), 1,
                    Math.min(Matrices.rows(a), Matrices.columns(a))));
        }
    }

    /** Solving with a triangle: for many matrices, or small ones, two arrays of pointers; for few large ones nothing. */
    static void triangular(TensorImpl a, long side, long many) {
        if (many > LOOPED_BATCH || side < LOOPED_SIDE) {
            pass(a, Long.BYTES * many, Long.BYTES * many);
        }
    }

    /** Whether any of the factorizations failed: what {@code torch._linalg_check_errors} takes, and its error. */
    static void check(TensorImpl info, String name, String what) {
        if (info.rank() == 0) {
            pass(info, 1, 1);
        } else {
            pass(info, 1);
        }
        if (Matrices.isIdle(info)) {
            return;
        }
        long[] failed = HostValues.longs(info);
        if (Arrays.stream(failed).allMatch(each -> each == 0)) {
            return;
        }
        int at = 0;
        while (failed[at] == 0) {
            at++;
        }
        throw new TensorException(name + ": " + (info.rank() == 0 ? "" : "(Batch element " + at + "): ")
                + what.formatted(failed[at]));
    }
}
