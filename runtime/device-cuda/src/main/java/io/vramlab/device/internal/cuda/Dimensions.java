package io.vramlab.device.internal.cuda;

import io.vramlab.device.Operand;
import java.util.function.IntPredicate;

/** Operands with their dimensions in another order. */
final class Dimensions {

    private Dimensions() {
    }

    /** The dimensions that are not chosen first, then the chosen ones, each group in its own order. */
    static Operand chosenLast(Operand o, IntPredicate chosen) {
        int rank = o.shape().length;
        int[] order = new int[rank];
        int at = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < rank; d++) {
                if (chosen.test(d) == (pass == 1)) {
                    order[at++] = d;
                }
            }
        }
        return ordered(o, order);
    }

    /** One dimension last. */
    static Operand last(Operand o, int dim) {
        return chosenLast(o, d -> d == dim);
    }

    /** The first two dimensions exchanged: channels first. */
    static Operand channelsFirst(Operand o) {
        int[] order = new int[o.shape().length];
        for (int d = 0; d < order.length; d++) {
            order[d] = d == 0 ? 1 : d == 1 ? 0 : d;
        }
        return ordered(o, order);
    }

    private static Operand ordered(Operand o, int[] order) {
        long[] shape = new long[order.length];
        long[] strides = new long[order.length];
        for (int d = 0; d < order.length; d++) {
            shape[d] = o.shape()[order[d]];
            strides[d] = o.strides()[order[d]];
        }
        return new Operand(o.address(), o.dtype(), shape, strides);
    }

    /** The size of a dimension; 1 for a scalar. */
    static long size(Operand o, int dim) {
        return o.shape().length == 0 ? 1 : o.shape()[dim];
    }
}
