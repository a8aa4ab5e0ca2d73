package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Which dimensions a reduction takes away, and how what is left of a tensor stands beside it. */
public final class ReducedDims {

    private ReducedDims() {
    }

    /** With a dimension of one for each that went, as part of the graph; the one of everything stays a scalar. */
    static TensorImpl unsqueezed(TensorImpl a, boolean[] reduced, boolean keep) {
        TensorImpl out = a.retain();
        for (int d = 0; d < reduced.length && !keep && a.rank() > 0; d++) {
            if (reduced[d]) {
                TensorImpl before = out;
                out = Views.unsqueeze(before, d);
                before.release();
            }
        }
        return out;
    }

    static int[] dims(boolean... reduced) {
        return IntStream.range(0, reduced.length).filter(d -> reduced[d]).toArray();
    }

    public static double inputs(long[] shape, boolean[] reduced) {
        double n = 1;
        for (int d = 0; d < shape.length; d++) {
            n *= reduced[d] ? shape[d] : 1;
        }
        return n;
    }

    public static TensorImpl keepDims(TensorImpl a, long[] shape, boolean[] reduced, boolean keep) {
        if (keep) {
            return a.retain();
        }
        if (Graph.wanted(a)) {
            return unsqueezed(a, reduced, false);
        }
        long[] sizes = shape.clone();
        long[] strides = new long[shape.length];
        int from = 0;
        for (int d = 0; d < shape.length; d++) {
            sizes[d] = reduced[d] ? 1 : shape[d];
            strides[d] = reduced[d] ? 1 : a.strides()[from++];
        }
        return a.alias(sizes, strides, a.offset());
    }

    public static long[] resultShape(TensorImpl a, boolean[] reduced, boolean keep) {
        return shape(a.shape(), reduced, keep);
    }

    /** All dimensions by name where none is named: amax shares gradients in another way than max. */
    public static int[] named(TensorImpl a, int... dims) {
        return dims.length > 0 ? dims : IntStream.range(0, a.rank()).toArray();
    }

    /** Which dimensions go; none named means all. */
    public static boolean[] mask(TensorImpl a, int[] dims) {
        boolean[] reduced = new boolean[a.rank()];
        if (dims.length == 0) {
            Arrays.fill(reduced, true);
            return reduced;
        }
        for (int dim : dims) {
            int d = Shape.dim(dim, a.rank());
            if (a.rank() > 0) {
                if (reduced[d]) {
                    throw new TensorException("dim " + d + " appears multiple times in the list of dims "
                            + Arrays.toString(dims) + ": name each once.");
                }
                reduced[d] = true;
            }
        }
        return reduced;
    }

    static long[] shape(long[] in, boolean[] reduced, boolean keep) {
        long[] out = new long[in.length];
        int n = 0;
        for (int d = 0; d < in.length; d++) {
            if (!reduced[d] || keep) {
                out[n++] = reduced[d] ? 1 : in[d];
            }
        }
        return Arrays.copyOf(out, n);
    }
}
