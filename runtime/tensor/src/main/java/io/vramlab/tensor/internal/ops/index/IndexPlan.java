package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where each element of an indexed tensor lies. */
final class IndexPlan {

    private final TensorImpl a;
    private final List<TensorImpl> indices = new ArrayList<>();
    private final List<Integer> dims = new ArrayList<>();
    private final List<TensorImpl> masks = new ArrayList<>();
    private final long[] shape;
    private final int at;
    private final long[] common;

    IndexPlan(Temps t, TensorImpl a, TensorImpl... tensors) {
        this.a = a;
        for (int d = 0; d < tensors.length; d++) {
            TensorImpl index = tensors[d];
            if (index == null) {
                continue;
            }
            Launch.device("index", a, index);
            if (index.dtype() == DType.BOOL || index.dtype() == DType.UINT8) {
                mask(t, index, d);
            } else {
                indices.add(index.dtype() == DType.INT64
                        ? index
                        : t.own(Launch.unary(ElementOp.COPY, index, DType.INT64)));
                dims.add(d);
            }
        }
        long[] together = indices.getFirst().shape();
        for (TensorImpl index : indices) {
            together = broadcast(together, index.shape());
        }
        common = together;
        boolean adjacent = dims.getLast() - dims.getFirst() == dims.size() - 1;
        at = adjacent ? dims.getFirst() : 0;
        shape = new long[a.rank() - dims.size() + common.length];
        int to = 0;
        for (int d = 0; d <= a.rank(); d++) {
            if (to == at && (adjacent ? d == at : d == 0)) {
                for (long size : common) {
                    shape[to++] = size;
                }
            }
            if (d < a.rank() && !dims.contains(d)) {
                shape[to++] = a.shape()[d];
            }
        }
    }

    private static long[] broadcast(long[] x, long[] y) {
        try {
            return Shape.broadcast(x, y, "index");
        } catch (TensorException e) {
            throw new TensorException(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes "
                            + Shape.text(x) + " and " + Shape.text(y) + ".");
        }
    }

    private void mask(Temps t, TensorImpl mask, int d) {
        for (int k = 0; k < mask.rank(); k++) {
            if (mask.shape()[k] != a.shape()[d + k]) {
                throw new TensorException("The shape of the mask " + Shape.text(mask.shape()) + " at index " + k
                        + " does not match the shape of the indexed tensor " + Shape.text(a.shape()) + " at index "
                        + (d + k) + ".");
            }
        }
        TensorImpl where = t.own(NonZero.of(mask));
        masks.add(where);
        for (int k = 0; k < mask.rank(); k++) {
            indices.add(t.own(where.alias(new long[]{where.shape()[0]}, new long[]{where.strides()[0]},
                    where.offset() + k * where.strides()[1])));
            dims.add(d + k);
        }
    }

    /** Positions of masks are not looked at again. */
    void dropMasks(Temps t) {
        if (!masks.isEmpty()) {
            List<TensorImpl> views = List.copyOf(indices);
            masks.forEach(m -> views.stream().filter(v -> v.storage() == m.storage()).forEach(t::free));
            masks.forEach(t::free);
            masks.clear();
        }
    }

    long[] shape() {
        return shape;
    }

    int many() {
        return indices.size();
    }

    long size(int k) {
        return a.shape()[dims.get(k)];
    }

    /** How far one step of an index is among the indexed dimensions, the last the nearest. */
    long step(int k) {
        long step = 1;
        for (int j = k + 1; j < many(); j++) {
            step *= size(j);
        }
        return step;
    }

    long positions() {
        return step(0) * size(0);
    }

    /** An index seen in the common shape. */
    TensorImpl flat(Temps t, int k) {
        TensorImpl index = indices.get(k);
        return Arrays.equals(index.shape(), common)
                ? index
                : t.own(index.alias(common, index.expandedStrides(common), index.offset()));
    }

    /** The tensor in the result's shape, still where an index is 0. */
    Operand spread() {
        long[] strides = new long[shape.length];
        int to = 0;
        for (int d = 0; d < a.rank(); d++) {
            if (to == at) {
                to += common.length;
            }
            if (!dims.contains(d)) {
                strides[to++] = a.strides()[d];
            }
        }
        Operand o = a.operand();
        return new Operand(o.address(), o.dtype(), shape, strides);
    }

    Operand[] indices() {
        Operand[] all = new Operand[many()];
        for (int k = 0; k < all.length; k++) {
            TensorImpl index = indices.get(k);
            long[] seen = index.expandedStrides(common);
            long[] strides = new long[shape.length];
            System.arraycopy(seen, 0, strides, at, common.length);
            all[k] = new Operand(index.operand().address(), DType.INT64, shape, strides);
        }
        return all;
    }

    long[] sizes() {
        return dims.stream().mapToLong(d -> a.shape()[d]).toArray();
    }

    long[] strides() {
        return dims.stream().mapToLong(d -> a.strides()[d]).toArray();
    }

    /** Values in the result's shape. */
    TensorImpl fit(TensorImpl values) {
        long[] whole;
        try {
            whole = Shape.broadcast(shape, values.shape(), "index_put");
        } catch (TensorException e) {
            whole = null;
        }
        if (!Arrays.equals(whole, shape)) {
            throw new TensorException("shape mismatch: value tensor of shape " + Shape.text(values.shape())
                    + " cannot be broadcast to indexing result of shape " + Shape.text(shape) + ".");
        }
        return values.alias(shape, values.expandedStrides(shape), values.offset());
    }

    /** Adds values at positions among the indexed dimensions. */
    void add(TensorImpl values, TensorImpl position) {
        List<Integer> order = new ArrayList<>(dims);
        for (int d = 0; d < a.rank(); d++) {
            if (!dims.contains(d)) {
                order.add(d);
            }
        }
        long[] sizes = order.stream().mapToLong(d -> a.shape()[d]).toArray();
        long[] steps = order.stream().mapToLong(d -> a.strides()[d]).toArray();
        long[] rows = new long[1 + sizes.length - many()];
        rows[0] = positions();
        System.arraycopy(sizes, many(), rows, 1, rows.length - 1);
        long[] merged = merged(sizes, steps, rows);
        if (merged == null) {
            a.driver().kernels().indexPut(ScatterOp.ADD, spread(), values.operand(), indices(), sizes(), strides(),
                    a.stream());
            return;
        }
        // the values with the dimensions of the index first
        long[] from = new long[shape.length];
        long[] fromSteps = new long[shape.length];
        int to = 0;
        for (int k = 0; k < common.length; k++) {
            from[to] = shape[at + k];
            fromSteps[to++] = values.strides()[at + k];
        }
        for (int d = 0; d < shape.length; d++) {
            if (d < at || d >= at + common.length) {
                from[to] = shape[d];
                fromSteps[to++] = values.strides()[d];
            }
        }
        Operand v = new Operand(values.operand().address(), values.dtype(), from, fromSteps);
        a.driver().kernels().indexAdd(new Operand(a.operand().address(), a.dtype(), rows, merged),
                position.operand(), v, a.stream());
    }

    /** Strides of the indexed dimensions as one, and of the others; null if they are none. */
    private long[] merged(long[] sizes, long[] steps, long[] rows) {
        long[] first = Strides.view(Arrays.copyOf(sizes, many()), Arrays.copyOf(steps, many()),
                new long[]{rows[0]});
        if (first == null) {
            return null;
        }
        long[] out = new long[rows.length];
        out[0] = first[0];
        System.arraycopy(steps, many(), out, 1, rows.length - 1);
        return out;
    }
}
