package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Batches of matrices: their sizes, their numbers on the host, and tensors that libraries fill column by column. */
final class Matrices {

    private Matrices() {
    }

    static long rows(TensorImpl a) {
        return a.size(-2);
    }

    static long columns(TensorImpl a) {
        return a.size(-1);
    }

    /** The sizes before the last two. */
    static long[] batch(TensorImpl a) {
        return Arrays.copyOf(a.shape(), a.rank() - 2);
    }

    static long many(TensorImpl a) {
        return Arrays.stream(batch(a)).reduce(1, (x, y) -> x * y);
    }

    static long[] shape(long[] batch, long... last) {
        long[] all = Arrays.copyOf(batch, batch.length + last.length);
        System.arraycopy(last, 0, all, batch.length, last.length);
        return all;
    }

    static void requireMatrices(String name, TensorImpl a) {
        if (a.rank() < 2 || !a.dtype().isFloatingPoint()) {
            throw new TensorException(name
                    + ": The input tensor A must have at least 2 dimensions and a floating type, but is "
                    + a.dtype() + " of shape " + Shape.text(a.shape()) + ". Give one matrix or a batch of them.");
        }
        if (a.dtype() != DType.FLOAT32 && a.dtype() != DType.FLOAT64) {
            throw new TensorException(name + ": Low precision dtypes not supported. Got " + a.dtype()
                    + ". Convert with toFloat() first; libraries factor float32 and float64 alone.");
        }
    }

    static void requireSquare(String name, TensorImpl a) {
        requireMatrices(name, a);
        if (rows(a) != columns(a)) {
            throw new TensorException(name + ": A must be batches of square matrices, but they are " + rows(a) + " by "
                    + columns(a) + " matrices. Give square ones, or lstsq or pinv for others.");
        }
    }

    /** Unfilled, each matrix lying column by column. */
    static TensorImpl byColumns(TensorImpl like, long[] batch, long rows, long columns) {
        long[] shape = shape(batch, rows, columns);
        long[] strides = new long[shape.length];
        long stride = rows * columns;
        for (int d = batch.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= Math.max(1, batch[d]);
        }
        strides[shape.length - 2] = 1;
        strides[shape.length - 1] = Math.max(1, rows);
        return TensorImpl.emptyStrided(like.device(), like.dtype(), shape, strides);
    }

    static TensorImpl empty(TensorImpl like, DType dtype, long... shape) {
        return TensorImpl.empty(like.device(), dtype, shape);
    }

    /** Whether its values are there to be computed with. */
    static boolean isIdle(TensorImpl a) {
        return !a.driver().holdsValues() || a.count() == 0;
    }

    /** Each matrix row by row. */
    static double[][] fetch(TensorImpl a) {
        return split(HostValues.doubles(a), Math.toIntExact(many(a)));
    }

    static double[][] split(double[] all, int parts) {
        double[][] each = new double[parts][];
        int size = parts == 0 ? 0 : all.length / parts;
        for (int i = 0; i < parts; i++) {
            each[i] = Arrays.copyOfRange(all, i * size, (i + 1) * size);
        }
        return each;
    }

    /** Fills a dense tensor with values given row by row. */
    static void put(TensorImpl out, double[]... each) {
        if (out.count() == 0) {
            return;
        }
        double[] flat = new double[Math.toIntExact(out.count())];
        long[] index = new long[out.rank()];
        long place = 0;
        for (double[] values : each) {
            for (double value : values) {
                flat[(int) place] = value;
                for (int d = index.length - 1; d >= 0; d--) {
                    place += out.strides()[d];
                    if (++index[d] < out.shape()[d]) {
                        break;
                    }
                    place -= out.shape()[d] * out.strides()[d];
                    index[d] = 0;
                }
            }
        }
        Sorts.send(out, flat);
    }

    /** A gradient in the shape of what it is of; owned by the formula either way. */
    static TensorImpl summed(Temps t, TensorImpl owned, long... shape) {
        return Arrays.equals(owned.shape(), shape) ? owned : t.own(Sums.sumTo(owned.retain(), shape));
    }

    static double[] transposed(double[] a, int rows, int columns) {
        double[] t = new double[a.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                t[j * rows + i] = a[i * columns + j];
            }
        }
        return t;
    }
}
