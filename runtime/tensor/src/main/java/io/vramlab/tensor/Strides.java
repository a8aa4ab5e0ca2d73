package io.vramlab.tensor;

import java.util.Arrays;

/** How a strided array lies in memory. */
final class Strides {

    private Strides() {
    }

    /** Dimensions from the fastest (smallest stride) to the slowest; the later one first among equals. */
    static Integer[] order(long[] shape, long[] strides) {
        Integer[] order = new Integer[shape.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = order.length - 1 - i;
        }
        Arrays.sort(order, (a, b) -> Long.compare(strides[a], strides[b]));
        return order;
    }

    /**
     * Strides of a new dense tensor whose dimensions lie in the order of {@code like}'s, as PyTorch's element-wise
     * operations and clone preserve them; row-major if {@code like} is not dense.
     */
    static long[] preserving(TensorImpl like) {
        if (like.isContiguous() || !like.isDense()) {
            return Shape.contiguous(like.shape());
        }
        return like.strides().clone();
    }

    /**
     * Strides for a view of another shape, or null when only a copy can have it.
     */
    static long[] view(long[] shape, long[] strides, long[] wanted) {
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
