package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Each slice of a dimension several times, one after the other: an expanded view, copied. */
public final class RepeatInterleave {

    private RepeatInterleave() {
    }

    public static TensorImpl of(TensorImpl a, long times, int dim) {
        if (times < 0) {
            throw new TensorException("repeatInterleave with " + times + " repeats was asked of "
                    + Shape.text(a.shape()) + ": repeats must not be negative.");
        }
        int d = Shape.dim(dim, a.rank());
        try (Temps t = new Temps()) {
            TensorImpl one = t.own(Views.unsqueeze(a, d + 1));
            long[] shape = one.shape().clone();
            shape[d + 1] = times;
            TensorImpl wide = t.own(Views.expand(one, shape));
            TensorImpl copy = t.own(wide.isContiguous() ? Copies.clone(wide) : Copies.contiguous(wide));
            return Views.flatten(copy, d, d + 1);
        }
    }
}
