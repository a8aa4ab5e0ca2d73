package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.ops.index.Creation;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s making of patterns: numbers in a row, identities, triangles, windows. Each takes elements times
 * their size; without options on the current device.
 */
abstract sealed class SequenceMethods extends CreatingMethods permits RandomMethods {

    /**
     * 0, 1, … end - 1. int64 on the current device. As {@code torch.arange}.
     *
     * @param end
     *            how many
     * @return a new int64 vector
     * @throws TensorException
     *             for a negative end
     */
    public static Tensor arange(long end) {
        return arange(TensorOptions.of(DType.INT64), 0, end, 1);
    }

    /**
     * start, start + 1, … end - 1. int64. As {@code torch.arange}.
     *
     * @param start
     *            first number
     * @param end
     *            bound, not reached
     * @return a new int64 vector
     * @throws TensorException
     *             if the step is 0 or leads away from the end
     */
    public static Tensor arange(long start, long end) {
        return Tensor.arange(TensorOptions.of(DType.INT64), start, end, 1);
    }

    /**
     * start, start + step, … below end. int64. As {@code torch.arange}.
     *
     * @param start
     *            first number
     * @param end
     *            bound, not reached
     * @param step
     *            from each to the next, not 0, in the direction of the end; 1 by default
     * @return a new int64 vector
     * @throws TensorException
     *             if the step is 0 or leads away from the end
     */
    public static Tensor arange(long start, long end, long step) {
        return Tensor.arange(TensorOptions.of(DType.INT64), start, end, step);
    }

    /**
     * start, start + step, … below end. As {@code torch.arange}.
     *
     * @param start
     *            first number
     * @param end
     *            bound, not reached
     * @param step
     *            from each to the next, not 0, in the direction of the end
     * @return a new float32 vector
     * @throws TensorException
     *             if the step is 0 or leads away from the end
     */
    public static Tensor arange(double start, double end, double step) {
        return Tensor.arange(TensorOptions.defaults(), start, end, step);
    }

    /**
     * start, start + step, … below end. As {@code torch.arange}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param start
     *            first number
     * @param end
     *            bound, not reached
     * @param step
     *            from each to the next, not 0, in the direction of the end
     * @return a new vector of ceil((end - start) / step) elements
     * @throws TensorException
     *             if the step is 0 or leads away from the end
     */
    public static Tensor arange(TensorOptions options, double start, double end, double step) {
        return Tensor.make(options, p -> Factories.arange(p.device(), p.dtype(), start, end, step));
    }

    /**
     * So many numbers from start to end, both among them. As {@code torch.linspace}.
     *
     * @param start
     *            first number
     * @param end
     *            last number
     * @param steps
     *            how many, at least 0
     * @return a new vector
     * @throws TensorException
     *             for a negative number
     */
    public static Tensor linspace(double start, double end, long steps) {
        return linspace(TensorOptions.defaults(), start, end, steps);
    }

    /**
     * So many numbers from start to end, both among them. As {@code torch.linspace}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param start
     *            first number
     * @param end
     *            last number
     * @param steps
     *            how many, at least 0
     * @return a new vector
     * @throws TensorException
     *             for a negative number
     */
    public static Tensor linspace(TensorOptions options, double start, double end, long steps) {
        return Tensor.make(options, p -> Creation.linspace(p.device(), p.dtype(), start, end, steps));
    }

    /**
     * So many powers of 10 from 10 to the start to 10 to the end. As {@code torch.logspace}.
     *
     * @param start
     *            exponent of the first
     * @param end
     *            exponent of the last
     * @param steps
     *            how many, at least 0
     * @return a new vector
     * @throws TensorException
     *             for a negative number
     */
    public static Tensor logspace(double start, double end, long steps) {
        return logspace(TensorOptions.defaults(), start, end, steps, 10);
    }

    /**
     * So many powers of a base. As {@code torch.logspace}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param start
     *            exponent of the first
     * @param end
     *            exponent of the last
     * @param steps
     *            how many, at least 0
     * @param base
     *            of the powers; 10 by default
     * @return a new vector
     * @throws TensorException
     *             for a negative number
     */
    public static Tensor logspace(TensorOptions options, double start, double end, long steps, double base) {
        return Tensor.make(options, p -> Creation.logspace(p.device(), p.dtype(), start, end, steps, base));
    }

    /**
     * The identity matrix. As {@code torch.eye}.
     *
     * @param n
     *            rows and columns
     * @return a new float32 tensor [n, n]
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor eye(long n) {
        return eye(TensorOptions.defaults(), n, n);
    }

    /**
     * Ones on the diagonal. As {@code torch.eye}.
     *
     * @param rows
     *            how many
     * @param columns
     *            how many
     * @return a new tensor [rows, columns], zeros beside them
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor eye(long rows, long columns) {
        return eye(TensorOptions.defaults(), rows, columns);
    }

    /**
     * Ones on the diagonal. As {@code torch.eye}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param rows
     *            how many
     * @param columns
     *            how many
     * @return a new tensor [rows, columns], zeros beside them
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor eye(TensorOptions options, long rows, long columns) {
        return Tensor.make(options, p -> Creation.eye(p.device(), p.dtype(), rows, columns));
    }

    /**
     * Row and column numbers of the lower triangle, [2, many] of int64. As {@code torch.tril_indices}.
     *
     * @param rows
     *            of the matrix
     * @param columns
     *            of the matrix
     * @return a new int64 tensor [2, how many]: rows, then columns, in row-major order
     */
    public static Tensor trilIndices(long rows, long columns) {
        return trilIndices(rows, columns, 0);
    }

    /**
     * Row and column numbers of the lower triangle up to a diagonal. As {@code torch.tril_indices}.
     *
     * @param rows
     *            of the matrix
     * @param columns
     *            of the matrix
     * @param offset
     *            of the diagonal: 0 the main one, 1 the one above it; 0 by default
     * @return a new int64 tensor [2, how many]: rows, then columns, in row-major order
     */
    public static Tensor trilIndices(long rows, long columns, long offset) {
        return Tensor.make(TensorOptions.of(DType.INT64),
                p -> Creation.triangle(p.device(), rows, columns, offset, false));
    }

    /**
     * Row and column numbers of the upper triangle, [2, many] of int64. As {@code torch.triu_indices}.
     *
     * @param rows
     *            of the matrix
     * @param columns
     *            of the matrix
     * @return a new int64 tensor [2, how many]: rows, then columns, in row-major order
     */
    public static Tensor triuIndices(long rows, long columns) {
        return triuIndices(rows, columns, 0);
    }

    /**
     * Row and column numbers of the upper triangle from a diagonal. As {@code torch.triu_indices}.
     *
     * @param rows
     *            of the matrix
     * @param columns
     *            of the matrix
     * @param offset
     *            of the diagonal: 0 the main one, 1 the one above it; 0 by default
     * @return a new int64 tensor [2, how many]: rows, then columns, in row-major order
     */
    public static Tensor triuIndices(long rows, long columns, long offset) {
        return Tensor.make(TensorOptions.of(DType.INT64),
                p -> Creation.triangle(p.device(), rows, columns, offset, true));
    }

    /**
     * 0.5 - 0.5 cos(2 pi i / length). As {@code torch.hann_window}.
     *
     * @param length
     *            how many; periodic, as for a spectrum
     * @return a new float32 vector, the first of a memory for one more
     */
    public static Tensor hannWindow(long length) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Creation.cosineWindow(p.device(), p.dtype(), length, true, 0.5));
    }

    /**
     * 0.54 - 0.46 cos(2 pi i / length). As {@code torch.hamming_window}.
     *
     * @param length
     *            how many; periodic, as for a spectrum
     * @return a new float32 vector, the first of a memory for one more
     */
    public static Tensor hammingWindow(long length) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Creation.cosineWindow(p.device(), p.dtype(), length, true, 0.54));
    }
}
