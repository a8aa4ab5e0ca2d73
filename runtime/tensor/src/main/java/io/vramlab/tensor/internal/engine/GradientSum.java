package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Shape;

/** How two gradients that flow into the same result are summed. */
public final class GradientSum {

    private GradientSum() {
    }

    /**
     * The sum; takes over both holds. The first is added to in place if it is the only tensor on its storage and nobody
     * else holds it, as PyTorch's can_accumulate_inplace says, and no graph is recorded.
     */
    static TensorImpl of(TensorImpl first, TensorImpl second) {
        try {
            if (first.isSparse()) {
                return ofSparse(second, first);
            }
            if (!GradMode.isEnabled() && first.holders() == 1 && first.storage().holders() == 1 && first.isDense()
                    && first.dtype() == Promotion.of(first, second)) {
                if (second.isSparse()) {
                    SparseSums.addInto(first, second, 1);
                } else {
                    Launch.accumulate(first, second, 1);
                }
                return first.retain();
            }
            if (second.isSparse()) {
                return SparseSums.add(first, second, 1);
            }
            return Elementwise.add(first, second, 1);
        } finally {
            first.release();
            second.release();
        }
    }

    /** As PyTorch turns it round: what came later is what is added to, in place if it is dense and nobody else's. */
    private static TensorImpl ofSparse(TensorImpl later, TensorImpl sparse) {
        if (!later.isSparse() && !GradMode.isEnabled() && later.holders() == 1 && later.storage().holders() == 1
                && later.isDense()) {
            SparseSums.addInto(later, sparse, 1);
            return later.retain();
        }
        return SparseSums.add(later, sparse, 1);
    }

    /** Brings a gradient to the form of the result it belongs to, summing what was broadcast; takes over the hold. */
    static TensorImpl fit(TensorImpl gradient, Node.Form form, String from) {
        TensorImpl g = gradient;
        if (!java.util.Arrays.equals(g.shape(), form.shape())) {
            if (!expandable(form.shape(), g.shape())) {
                String has = Shape.text(g.shape());
                g.release();
                throw new AutogradException("Function " + from + " returned an invalid gradient: got " + has
                        + " but expected shape compatible with " + Shape.text(form.shape()) + ".");
            }
            g = Sums.sumTo(g, form.shape());
        }
        if (g.dtype() != form.dtype() || g.device() != form.device()) {
            try {
                return Copies.to(g, form.device(), form.dtype());
            } finally {
                g.release();
            }
        }
        return g;
    }

    private static boolean expandable(long[] small, long[] large) {
        int lead = large.length - small.length;
        for (int d = 0; d < small.length; d++) {
            if (lead < 0 || small[d] != 1 && small[d] != large[lead + d]) {
                return false;
            }
        }
        return lead >= 0;
    }
}
