package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.footprint.Footprint;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What PyTorch's calls of cuSOLVER and cuBLAS take besides their results; docs/footprint.md, "Linear algebra". */
final class Scratchpad {

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

    /** Takes and gives back what a footprint tells. */
    static void pass(TensorImpl beside, Footprint footprint) {
        Scratch.pass(beside, device -> footprint);
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
