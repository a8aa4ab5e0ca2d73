package io.vramlab.tensor.internal.ops.sparse;

import io.vramlab.device.ElementOp;
import io.vramlab.footprint.SparseScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import java.util.Arrays;

/**
 * Rows that are there several times become one, in order: PyTorch's coalesce_sparse_cuda. How many there will be is known on the
 * host before the values can be made, in PyTorch as here. See docs/footprint.md, "Sparse gradients".
 */
public final class Coalescing {

    private Coalescing() {
    }

    /** The tensor itself, held once more, if it is merged; else a new one. */
    public static TensorImpl of(TensorImpl a) {
        if (a.isCoalesced() || a.entries() < 2) {
            return a.isCoalesced() ? a.retain() : marked(a);
        }
        NonZero.requireValues(a.indices(), "coalesce");
        long entries = a.entries();
        try (Temps t = new Temps()) {
            TensorImpl sorted = t.own(whole(a, entries));
            TensorImpl origins = t.own(whole(a, entries));
            TensorImpl begins = t.own(whole(a, entries));
            Scratch.pass(a.indices(), device -> SparseScratch.sorting(entries));
            Scratch.pass(a.indices(), device -> SparseScratch.merging(entries));
            long[] rows = HostValues.longs(a.indices());
            long[] distinct = Arrays.stream(rows).sorted().distinct().toArray();
            NonZero.send(sorted, Arrays.copyOf(distinct, rows.length));
            long[] width = a.values().shape().clone();
            width[0] = distinct.length;
            TensorImpl values = t.own(TensorImpl.empty(a.device(), a.dtype(), width));
            Launch.into(ElementOp.FILL, new double[]{0}, values);
            NonZero.send(origins, Arrays.stream(rows).map(r -> Arrays.binarySearch(distinct, r)).toArray());
            if (values.count() > 0) {
                TensorImpl given = t.own(Copies.contiguous(a.values()));
                values.driver().kernels().indexAdd(values.operand(), origins.operand(), given.operand(),
                        values.stream());
            }
            TensorImpl indices = t.own(sorted.alias(new long[]{1, distinct.length},
                    new long[]{distinct.length, 1}, 0));
            t.free(begins);
            t.free(origins);
            t.free(sorted);
            return TensorImpl.sparse(a.shape(), t.give(indices), t.give(values), true);
        }
    }

    private static TensorImpl whole(TensorImpl a, long entries) {
        return TensorImpl.empty(a.device(), a.indices().dtype(), entries);
    }

    /** One entry or none is in order as it is. */
    private static TensorImpl marked(TensorImpl a) {
        return TensorImpl.sparse(a.shape(), a.indices().retain(), a.values().retain(), true);
    }
}
