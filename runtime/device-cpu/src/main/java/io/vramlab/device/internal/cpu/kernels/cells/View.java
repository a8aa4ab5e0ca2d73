package io.vramlab.device.internal.cpu.kernels.cells;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import java.lang.foreign.MemorySegment;

/**
 * An operand as one row-major sequence of elements, whatever its strides and dtype. Adjacent dimensions that are
 * walked as one are merged at construction, so a contiguous operand has a single run.
 *
 * <p>
 * Immutable; any number of threads may read disjoint or equal ranges, and write disjoint ones. Whoever reads or writes a
 * tile or more at a time is stopped by an interrupt.
 */
public final class View {

    public final MemorySegment memory;
    public final DType dtype;
    public final long count;
    /** Where the first element lies: not at the beginning where strides go back. */
    private final long first;
    private final long[] sizes;
    private final long[] strides;
    private final long inner;
    private final long innerStride;

    private View(MemorySegment memory, long first, DType dtype, long[] sizes, long[] strides, int rank) {
        this.memory = memory;
        this.first = first;
        this.dtype = dtype;
        this.sizes = new long[rank - 1];
        this.strides = new long[rank - 1];
        System.arraycopy(sizes, 0, this.sizes, 0, rank - 1);
        System.arraycopy(strides, 0, this.strides, 0, rank - 1);
        this.inner = sizes[rank - 1];
        this.innerStride = strides[rank - 1];
        long n = inner;
        for (long s : this.sizes) {
            n *= s;
        }
        this.count = n;
    }

    /** The operand in its own order. */
    public static View of(HostAccess host, Operand operand) {
        return of(host, operand.address(), operand.dtype(), operand.shape(), operand.strides());
    }

    /** The operand with its dimensions in another order: dimension {@code i} of the view is {@code order[i]}. */
    public static View permuted(HostAccess host, Operand operand, int[] order) {
        long[] shape = new long[order.length];
        long[] strides = new long[order.length];
        for (int d = 0; d < order.length; d++) {
            shape[d] = operand.shape()[order[d]];
            strides[d] = operand.strides()[order[d]];
        }
        return of(host, operand.address(), operand.dtype(), shape, strides);
    }

    /** Elements of {@code dtype} at {@code address}, of the given shape and strides (in elements). */
    public static View of(HostAccess host, long address, DType dtype, long[] shape, long[] stride) {
        long[] sizes = new long[shape.length + 1];
        long[] strides = new long[shape.length + 1];
        int rank = 0;
        long span = 1;
        long before = 0;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == 0) {
                return new View(MemorySegment.NULL, 0, dtype, new long[]{0}, new long[]{1}, 1);
            }
            if (shape[d] == 1) {
                continue;
            }
            long reach = (shape[d] - 1) * stride[d];
            span += Math.abs(reach);
            before -= Math.min(reach, 0);
            if (rank > 0 && strides[rank - 1] == stride[d] * shape[d]) {
                sizes[rank - 1] *= shape[d];
                strides[rank - 1] = stride[d];
            } else {
                sizes[rank] = shape[d];
                strides[rank++] = stride[d];
            }
        }
        if (rank == 0) {
            sizes[0] = 1;
            strides[0] = 1;
            rank = 1;
        }
        return new View(host.at(address - before * dtype.bytes(), span * dtype.bytes()), before, dtype, sizes, strides,
                rank);
    }

    /** True when the elements lie one after another. */
    public boolean contiguous() {
        return sizes.length == 0 && innerStride == 1;
    }

    /** The number of merged dimensions. */
    public int rank() {
        return sizes.length + 1;
    }

    /** The size of a merged dimension, outermost first. */
    public long size(int d) {
        return d == sizes.length ? inner : sizes[d];
    }

    /** The stride, in elements, of a merged dimension, outermost first. */
    public long stride(int d) {
        return d == sizes.length ? innerStride : strides[d];
    }

    /** Where an element lies, in elements from the start of {@link #memory}. */
    public long offset(long index) {
        long at = first + (index % inner) * innerStride;
        long rest = index / inner;
        for (int d = sizes.length - 1; d >= 0; d--) {
            at += (rest % sizes[d]) * strides[d];
            rest /= sizes[d];
        }
        return at;
    }

    /** Copies {@code n} elements from number {@code start} on into the beginning of {@code to}. */
    public void read(long start, int n, float[] to) {
        read(start, n, to, 0);
    }

    /** Copies {@code n} elements from number {@code start} on into {@code to}, from {@code at} on. */
    public void read(long start, int n, float[] to, int at) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            FloatCells.read(memory, dtype, offset(start + done), innerStride, to, at + done, run);
            done += run;
        }
    }

    /** As {@link #read(long, int, float[])}, in double. */
    public void read(long start, int n, double[] to) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            DoubleCells.read(memory, dtype, offset(start + done), innerStride, to, done, run);
            done += run;
        }
    }

    /** As {@link #read(long, int, float[])}, in long. */
    public void read(long start, int n, long[] to) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            LongCells.read(memory, dtype, offset(start + done), innerStride, to, done, run);
            done += run;
        }
    }

    /** Stores the first {@code n} of {@code from} as the elements from number {@code start} on. */
    public void write(long start, int n, float[] from) {
        write(start, n, from, 0);
    }

    /** Stores {@code n} of {@code from}, from {@code at} on, as the elements from number {@code start} on. */
    public void write(long start, int n, float[] from, int at) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            FloatCells.write(memory, dtype, offset(start + done), innerStride, from, at + done, run);
            done += run;
        }
    }

    /** As {@link #write(long, int, float[])}, in double. */
    public void write(long start, int n, double[] from) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            DoubleCells.write(memory, dtype, offset(start + done), innerStride, from, done, run);
            done += run;
        }
    }

    /** As {@link #write(long, int, float[])}, in long. */
    public void write(long start, int n, long[] from) {
        for (int done = 0; done < n;) {
            int run = run(start + done, n - done);
            LongCells.write(memory, dtype, offset(start + done), innerStride, from, done, run);
            done += run;
        }
    }

    private int run(long index, int wanted) {
        if (wanted >= Tiles.TILE) {
            Interruptible.check();
        }
        return sizes.length == 0 ? wanted : (int) Math.min(wanted, inner - index % inner);
    }

    /** One element as a double. */
    public double getDouble(long index) {
        double[] one = new double[1];
        DoubleCells.read(memory, dtype, offset(index), 1, one, 0, 1);
        return one[0];
    }

    /** One element as a long. */
    public long getLong(long index) {
        long[] one = new long[1];
        LongCells.read(memory, dtype, offset(index), 1, one, 0, 1);
        return one[0];
    }

    /** Stores one element. */
    public void set(long index, double value) {
        DoubleCells.write(memory, dtype, offset(index), 1, new double[]{value}, 0, 1);
    }

    /** Stores one element. */
    public void set(long index, long value) {
        LongCells.write(memory, dtype, offset(index), 1, new long[]{value}, 0, 1);
    }
}
