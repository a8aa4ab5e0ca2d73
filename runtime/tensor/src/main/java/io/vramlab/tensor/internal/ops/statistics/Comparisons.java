package io.vramlab.tensor.internal.ops.statistics;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.NonZero;
import java.util.Arrays;

/** Whole tensors compared. The answer is the host's: the device is waited for. */
public final class Comparisons {

    private Comparisons() {
    }

    public static boolean allclose(TensorImpl a, TensorImpl b, double rtol, double atol) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl close = t.own(SpecialFunctions.isclose(a, b, rtol, atol));
            return whole(close);
        }
    }

    public static boolean equal(TensorImpl a, TensorImpl b) {
        if (!Arrays.equals(a.shape(), b.shape())) {
            return false;
        }
        Launch.device("equal", a, b);
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            return whole(t.own(Elementwise.compare(ElementOp.EQ, a, b)));
        }
    }

    private static boolean whole(TensorImpl truth) {
        try (Temps t = new Temps()) {
            TensorImpl all = t.own(Reductions.truth(truth, true, Reductions.ALL, false));
            NonZero.requireValues(all, "a comparison of whole tensors");
            return Elements.truth(Elements.only(all));
        }
    }

    /** Where an element is one of those. PyTorch compares all with all where there are few of them, as here. */
    public static TensorImpl isin(TensorImpl a, TensorImpl elements) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), DType.BOOL, a.shape()));
            if (elements.count() == 0) {
                Launch.into(ElementOp.FILL, new double[]{0}, out);
                return t.give(out);
            }
            TensorImpl wide = t.own(Views.unsqueeze(a, -1));
            TensorImpl flat = t.own(Views.reshape(elements, elements.count()));
            TensorImpl equal = t.own(Elementwise.compare(ElementOp.EQ, wide, flat));
            TensorImpl any = t.own(Reductions.truth(equal, false, new int[]{-1}, false));
            Launch.into(ElementOp.COPY, Launch.NONE, out, any);
            return t.give(out);
        }
    }
}
