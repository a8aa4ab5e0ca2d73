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
        return like.isDense() ? like.strides().clone() : dense(like.shape(), like.strides());
    }

    /** PyTorch's infer_dense_strides: dense, in the order of these; where one is 0, in the order of the dimensions. */
    private static long[] dense(long[] shape, long[] strides) {
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

    private static int compare(long[] shape, long[] strides, int a, int b) {
        if (strides[a] == 0 || strides[b] == 0) {
            return 0;
        }
        int compared = Long.compare(strides[a], strides[b]);
        return compared != 0 ? compared : shape[a] > shape[b] ? 1 : 0;
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
