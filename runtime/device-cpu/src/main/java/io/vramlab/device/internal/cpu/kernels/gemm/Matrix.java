package io.vramlab.device.internal.cpu.kernels.gemm;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.FloatCells;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.lang.foreign.MemorySegment;

/**
 * A two-dimensional piece of memory with any strides.
 *
 * @param memory
 *            where it lies
 * @param dtype
 *            element type
 * @param first
 *            its element (0, 0), in elements from the start of {@code memory}
 * @param rowStride
 *            elements from one row to the next
 * @param columnStride
 *            elements from one column to the next
 */
public record Matrix(MemorySegment memory, DType dtype, long first, long rowStride, long columnStride) {

    /** A row-major array. */
    public static Matrix of(float[] array, long first, long columns) {
        return new Matrix(MemorySegment.ofArray(array), DType.FLOAT32, first, columns, 1);
    }

    /** The last two dimensions of an operand, at the start of its leading ones. */
    public static Matrix of(HostAccess host, Operand operand) {
        int rank = operand.shape().length;
        long span = 1;
        for (int d = 0; d < rank; d++) {
            span += Math.max(0, operand.shape()[d] - 1) * operand.strides()[d];
        }
        return new Matrix(host.at(operand.address(), span * operand.dtype().bytes()), operand.dtype(), 0,
                operand.strides()[rank - 2], operand.strides()[rank - 1]);
    }

    /** The same shape, this many elements further on. */
    Matrix plus(long elements) {
        return new Matrix(memory, dtype, first + elements, rowStride, columnStride);
    }

    /** Rows for columns. */
    public Matrix transposed() {
        return new Matrix(memory, dtype, first, columnStride, rowStride);
    }

    /** Reads {@code n} elements of a row. */
    void readRow(long row, long column, float[] to, int at, int n) {
        FloatCells.read(memory, dtype, first + row * rowStride + column * columnStride, columnStride, to, at, n);
    }

    /** Reads {@code n} elements of a column. */
    void readColumn(long row, long column, float[] to, int at, int n) {
        FloatCells.read(memory, dtype, first + row * rowStride + column * columnStride, rowStride, to, at, n);
    }

    /** Stores {@code n} elements of a row. */
    void writeRow(long row, long column, float[] from, int at, int n) {
        FloatCells.write(memory, dtype, first + row * rowStride + column * columnStride, columnStride, from, at, n);
    }
}
