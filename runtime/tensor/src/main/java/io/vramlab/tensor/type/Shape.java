package io.vramlab.tensor.type;

import io.vramlab.device.DType;
import java.util.Arrays;

/** Arithmetic on sizes and strides. Sizes are counts of elements per dimension, outermost first. */
public final class Shape {

    /** The shape of one number. */
    public static final long[] SCALAR = {};

    private Shape() {
    }

    /**
     * The number of elements.
     *
     * @param shape
     *            sizes
     * @return their product; 1 for {@link #SCALAR}
     * @throws TensorException
     *             for a negative size, or more elements than a long counts
     */
    public static long count(long[] shape) {
        long n = 1;
        boolean empty = false;
        for (long s : shape) {
            if (s < 0) {
                throw new TensorException("A tensor of shape " + text(shape) + " was asked for, but the size " + s
                        + " is negative: sizes are 0 or more.");
            }
            empty |= s == 0;
        }
        if (empty) {
            return 0;
        }
        for (long s : shape) {
            long high = Math.multiplyHigh(n, s);
            n *= s;
            if (high != 0 || n < 0) {
                throw new TensorException("A tensor of shape " + text(shape)
                        + " was asked for: that is more than 2^63 - 1 elements. Ask for smaller sizes.");
            }
        }
        return n;
    }

    /**
     * Bytes of a contiguous tensor.
     *
     * @param shape
     *            sizes
     * @param dtype
     *            of the elements
     * @return elements times their size
     * @throws TensorException
     *             for a negative size, or more bytes than a long counts
     */
    public static long bytes(long[] shape, DType dtype) {
        long n = count(shape);
        if (Math.multiplyHigh(n, dtype.bytes()) != 0 || n * dtype.bytes() < 0) {
            throw new TensorException("A " + dtype + " tensor of shape " + text(shape)
                    + " was asked for: that is more than 2^63 - 1 bytes. Ask for smaller sizes.");
        }
        return n * dtype.bytes();
    }

    /**
     * Row-major strides.
     *
     * @param shape
     *            sizes
     * @return how many elements lie between neighbours in each dimension
     */
    public static long[] contiguous(long[] shape) {
        long[] strides = new long[shape.length];
        long step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= Math.max(shape[d], 1);
        }
        return strides;
    }

    /**
     * The shape that two broadcast to, by NumPy's rule.
     *
     * @param a
     *            sizes
     * @param b
     *            sizes
     * @param what
     *            the operation's name, for the error
     * @return sizes; may be {@code a} itself
     * @throws TensorException
     *             if they do not
     */
    public static long[] broadcast(long[] a, long[] b, String what) {
        if (Arrays.equals(a, b)) {
            return a;
        }
        long[] out = new long[Math.max(a.length, b.length)];
        for (int i = 1; i <= out.length; i++) {
            long x = i <= a.length ? a[a.length - i] : 1;
            long y = i <= b.length ? b[b.length - i] : 1;
            if (x != y && x != 1 && y != 1) {
                throw new TensorException(what + " was asked of shapes " + text(a) + " and " + text(b)
                        + ", but the size " + x + " must match the size " + y + " at dimension " + (out.length - i)
                        + ": make them equal, or one of them 1.");
            }
            out[out.length - i] = x == 1 ? y : x;
        }
        return out;
    }

    /**
     * A dimension counted from the front.
     *
     * @param dim
     *            from -rank to rank - 1
     * @param rank
     *            how many dimensions there are; 0 counts as 1
     * @return from 0 to rank - 1
     * @throws TensorException
     *             if out of that range
     */
    public static int dim(int dim, int rank) {
        int n = Math.max(rank, 1);
        if (dim < -n || dim >= n) {
            throw new TensorException("Dimension " + dim + " was asked for, but the tensor has " + rank
                    + ": give one from " + -n + " to " + (n - 1) + ".");
        }
        return dim < 0 ? dim + n : dim;
    }

    /**
     * As PyTorch prints it.
     *
     * @param shape
     *            sizes
     * @return for instance {@code [2, 3]}
     */
    public static String text(long[] shape) {
        return Arrays.toString(shape);
    }
}
