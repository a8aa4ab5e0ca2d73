package io.vramlab.tensor.internal.ops.view;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Tensors joined after they were given as many dimensions as that takes. */
public final class Stacks {

    private Stacks() {
    }

    public static boolean isXy(String indexing) {
        if (!indexing.equals("xy") && !indexing.equals("ij")) {
            throw new TensorException(
                    "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: " + indexing
                            + ".");
        }
        return indexing.equals("xy");
    }

    static TensorImpl[] atLeast(int dims, TensorImpl... parts) {
        return Arrays.stream(parts).map(p -> MoreViews.atLeast(p, dims)).toArray(TensorImpl[]::new);
    }

    /** One after another along a dimension, each of at least so many. */
    public static TensorImpl joined(int dim, int dims, TensorImpl... parts) {
        try (Temps t = new Temps()) {
            TensorImpl[] all = atLeast(dims, parts);
            for (TensorImpl each : all) {
                t.own(each);
            }
            return Joins.cat(dim, all);
        }
    }

    public static TensorImpl side(TensorImpl... parts) {
        try (Temps t = new Temps()) {
            TensorImpl[] all = atLeast(1, parts);
            for (TensorImpl each : all) {
                t.own(each);
            }
            return Joins.cat(all[0].rank() == 1 ? 0 : 1, all);
        }
    }

    public static TensorImpl columns(TensorImpl... parts) {
        try (Temps t = new Temps()) {
            TensorImpl[] all = new TensorImpl[parts.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = t.own(parts[i].rank() <= 1
                        ? Views.reshape(parts[i], parts[i].count(), 1)
                        : parts[i].retain());
            }
            return Joins.cat(1, all);
        }
    }

    /** All combinations, as rows. */
    public static TensorImpl cartesian(TensorImpl... vectors) {
        if (vectors.length == 1) {
            return vectors[0].retain();
        }
        try (Temps t = new Temps()) {
            TensorImpl[] grids = MoreViews.meshgrid(false, vectors);
            TensorImpl[] flat = new TensorImpl[grids.length];
            for (int i = 0; i < grids.length; i++) {
                flat[i] = t.own(Views.flatten(t.own(grids[i]), 0, -1));
            }
            return Joins.stack(1, flat);
        }
    }
}
