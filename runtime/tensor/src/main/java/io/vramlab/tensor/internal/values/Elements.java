package io.vramlab.tensor.internal.values;

import io.vramlab.device.DriverStep;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Single elements as Java numbers. Reading one allocates nothing on any device. */
public final class Elements {

    private static final long EXACT = 1L << 53;

    private Elements() {
    }

    /** The one element of a tensor. */
    public static Peek only(TensorImpl a) {
        if (a.count() != 1) {
            throw new TensorException("item() was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": a Tensor with " + a.count() + " elements cannot be converted to Scalar. Reduce it first, or "
                    + "read get(...) or toArray().");
        }
        a.driver().step(DriverStep.HOST);
        return new Peek(a, 0);
    }

    /** The element of those indices, one for each dimension, counted from the back when negative. */
    public static Peek at(TensorImpl a, long... index) {
        if (index.length != a.rank()) {
            throw new TensorException("get" + tuple(index) + " was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": an element has " + a.rank() + (a.rank() == 1 ? " index" : " indices") + ". Give "
                    + (a.rank() == 0 ? "none" : a.rank() == 1 ? "one" : "all of them")
                    + ", or take the part of the tensor with select(dim, index).");
        }
        long place = 0;
        for (int d = 0; d < index.length; d++) {
            long size = a.shape()[d];
            if (index[d] < -size || index[d] >= size) {
                throw new TensorException("get" + tuple(index) + " was asked of a tensor of shape "
                        + Shape.text(a.shape()) + ": index " + index[d] + " is out of bounds for dimension " + d
                        + " with size " + size + ". "
                        + (size == 0
                                ? "It has no elements."
                                : "Indices go from 0 to " + (size - 1) + ", or from -" + size + " to -1."));
            }
            place += (index[d] < 0 ? index[d] + size : index[d]) * a.strides()[d];
        }
        a.driver().step(DriverStep.HOST);
        return new Peek(a, place);
    }

    private static String tuple(long... index) {
        String list = Arrays.toString(index);
        return "(" + list.substring(1, list.length() - 1) + ")";
    }

    /** As a double; whole numbers that no double holds are refused. */
    public static double real(Peek one) {
        if (one.isReal()) {
            return one.real(0);
        }
        long value = one.whole(0);
        if (Math.abs(value) > EXACT && ((long) (double) value != value || value == Long.MAX_VALUE)) {
            throw new TensorException("The value " + value + " was asked for as a double: the nearest one is "
                    + Decimals.fixed(value, 0) + ". Read it with itemLong() or getLong(...).");
        }
        return value;
    }

    /** As a whole number: a fraction is cut off, NaN and infinities are refused. */
    public static long whole(Peek one) {
        return one.isReal() ? Values.whole(one.real(0)) : one.whole(0);
    }

    /** As a truth value: false for zero only, as Python's {@code bool}. */
    public static boolean truth(Peek one) {
        return one.isReal() ? one.real(0) != 0 : one.whole(0) != 0;
    }
}
