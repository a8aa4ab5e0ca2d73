package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.Shape;
import java.util.Arrays;

/** How a strided array lies in memory. */
public final class Strides {

    private Strides() {
    }

    /** Dimensions from the fastest (smallest stride) to the slowest; the later one first among equals. */
    public static Integer[] order(long[] shape, long[] strides) {
        Integer[] order = new Integer[shape.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = order.length - 1 - i;
        }
        Arrays.sort(order, (a, b) -> Long.compare(strides[a], strides[b]));
        return order;
    }

    /**
     * Strides of a new dense tensor whose dimensions lie in the order of {@code like}'s, as PyTorch's element-wise
     * operations and clone preserve them.
     */
    public static long[] preserving(TensorImpl like) {
        if (like.isContiguous()) {
            return Shape.contiguous(like.shape());
        }
        return like.isDense() ? like.strides().clone() : dense(like.shape(), new long[][]{like.strides()});
    }

    /**
     * As {@link #preserving}, with strides of sizes of 1 as they are: PyTorch's {@code empty_like}, {@code clone} and {@code to}
     * keep them, its element-by-element operations do not.
     */
    public static long[] like(TensorImpl a) {
        return a.isDense() ? a.strides().clone() : preserving(a);
    }

    /**
     * Strides of an element-by-element result, as PyTorch's TensorIterator has them: the dimensions lie in the order of the first
     * input that tells, one in which neither of two is broadcast.
     */
    static long[] of(long[] shape, TensorImpl... inputs) {
        TensorImpl first = inputs[0];
        if (first.rank() == shape.length && first.count() == Shape.count(shape) && first.isDense()) {
            return preserving(first);
        }
        long[][] strides = new long[inputs.length][shape.length];
        for (int i = 0; i < inputs.length; i++) {
            int lead = shape.length - inputs[i].rank();
            for (int d = lead; d < shape.length; d++) {
                boolean isBroadcast = inputs[i].shape()[d - lead] == 1 && shape[d] != 1;
                strides[i][d] = isBroadcast ? 0 : inputs[i].strides()[d - lead];
            }
        }
        return dense(shape, strides);
    }

    /** PyTorch's infer_dense_strides: dense, in the order of these; where one is 0, in the order of the dimensions. */
    private static long[] dense(long[] shape, long[][] strides) {
        int[] order = new int[shape.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = order.length - 1 - i;
        }
        for (int i = 1; i < order.length; i++) {
            int at = i;
            for (int before = i - 1; before >= 0; before--) {
                int compared = compare(shape, strides, order[before], order[at]);
                if (compared < 0) {
                    break;
                }
                if (compared > 0) {
                    int d = order[before];
                    order[before] = order[at];
                    order[at] = d;
                    at = before;
                }
            }
        }
        long[] out = new long[shape.length];
        long stride = 1;
        for (int d : order) {
            out[d] = stride;
            stride *= Math.max(1, shape[d]);
        }
        return out;
    }

    private static int compare(long[] shape, long[][] strides, int a, int b) {
        for (long[] each : strides) {
            if (each[a] != 0 && each[b] != 0) {
                int compared = Long.compare(each[a], each[b]);
                if (compared != 0 || shape[a] > shape[b]) {
                    return compared != 0 ? compared : 1;
                }
            }
        }
        return 0;
    }

    /**
     * Strides for a view of another shape, or null when only a copy can have it.
     */
    public static long[] view(long[] shape, long[] strides, long[] wanted) {
        if (Shape.count(shape) == 0) {
            return Arrays.equals(shape, wanted) ? strides : Shape.contiguous(wanted);
        }
        long[] out = new long[wanted.length];
        int viewDim = wanted.length - 1;
        long chunkBase = shape.length == 0 ? 1 : strides[strides.length - 1];
        long count = 1;
        long viewCount = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            count *= shape[d];
            if (d == 0 || shape[d - 1] != 1 && strides[d - 1] != count * chunkBase) {
                while (viewDim >= 0 && (viewCount < count || wanted[viewDim] == 1)) {
                    out[viewDim] = viewCount * chunkBase;
                    viewCount *= wanted[viewDim];
                    viewDim--;
                }
                if (viewCount != count) {
                    return null;
                }
                if (d > 0) {
                    chunkBase = strides[d - 1];
                    count = 1;
                    viewCount = 1;
                }
            }
        }
        while (viewDim >= 0) {
            out[viewDim] = 1;
            viewDim--;
        }
        return out;
    }
}
