package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Pads with what lies at the other end: an unfilled result, into which parts are copied, as PyTorch does. */
public final class CircularPads {

    private CircularPads() {
    }

    public static TensorImpl pad(TensorImpl a, long... pads) {
        int dims = pads.length / 2;
        if (pads.length % 2 != 0 || dims == 0 || dims > a.rank()) {
            throw new TensorException("circular padding of " + java.util.Arrays.toString(pads)
                    + " was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": give two numbers for each of the last dimensions.");
        }
        long[] shape = a.shape().clone();
        for (int k = 0; k < dims; k++) {
            int d = a.rank() - 1 - k;
            long size = a.shape()[d];
            shape[d] = size + pads[2 * k] + pads[2 * k + 1];
            if (pads[2 * k] > size || pads[2 * k + 1] > size || shape[d] < 0) {
                throw new TensorException(
                        "Padding value causes wrapping around more than once: " + pads[2 * k] + " and "
                                + pads[2 * k + 1] + " at dimension " + d + " of size " + size + ".");
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl inner = t.own(out.retain());
            TensorImpl from = t.own(a.retain());
            for (int k = 0; k < dims; k++) {
                int d = a.rank() - 1 - k;
                long before = Math.max(pads[2 * k], 0);
                long after = Math.max(pads[2 * k + 1], 0);
                inner = t.own(Views.slice(inner, d, before, shape[d] - after, 1));
                from = t.own(Views.slice(from, d, Math.max(-pads[2 * k], 0),
                        a.shape()[d] - Math.max(-pads[2 * k + 1], 0), 1));
            }
            InPlace.copy(inner, from, false);
            for (int k = 0; k < dims; k++) {
                int d = a.rank() - 1 - k;
                long before = pads[2 * k];
                long after = pads[2 * k + 1];
                if (before > 0) {
                    copy(t, out, d, 0, before, shape[d] - before - Math.max(after, 0));
                }
                if (after > 0) {
                    copy(t, out, d, shape[d] - after, after, Math.max(before, 0));
                }
            }
            return t.give(out);
        }
    }

    private static void copy(Temps t, TensorImpl out, int d, long to, long length, long from) {
        TensorImpl target = t.own(Views.slice(out, d, to, to + length, 1));
        TensorImpl source = t.own(Views.slice(out, d, from, from + length, 1));
        InPlace.copy(target, source, false);
    }
}
