package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Cells;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import io.vramlab.device.internal.cpu.kernels.reduce.Gathering;
import java.util.Arrays;

/** Gathering and scattering by index, single elements and whole rows. Sums run in the order of the index. */
public final class Indexing {

    private final HostAccess host;

    public Indexing(HostAccess host) {
        this.host = host;
    }

    public void gather(Operand out, Operand in, int dim, Operand index) {
        if (out.count() == 0) {
            return;
        }
        long[] at = Indices.checked(host, along(index, dim), size(in, dim), "gather");
        if (at == null) {
            return;
        }
        OperandRows to = OperandRows.along(host, out, dim);
        OperandRows from = OperandRows.along(host, narrowed(in, index, dim), dim);
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            for (long i = a * to.length(); i < b * to.length(); i++) {
                Interruptible.check(i);
                Cells.copy(from.view(), i / to.length() * from.length() + at[(int) i], to.view(), i);
            }
        });
    }

    public void scatterAdd(Operand out, int dim, Operand index, Operand in) {
        if (index.count() == 0) {
            return;
        }
        long[] at = Indices.checked(host, along(index, dim), size(out, dim), "scatter_add");
        if (at == null) {
            return;
        }
        OperandRows to = OperandRows.along(host, narrowed(out, index, dim), dim);
        OperandRows from = OperandRows.along(host, new Operand(in.address(), in.dtype(), index.shape(), in.strides()),
                dim);
        int n = from.length();
        boolean integers = !out.dtype().isFloatingPoint();
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            for (long r = a; r < b; r++) {
                if (integers) {
                    for (int i = 0; i < n; i++) {
                        Interruptible.check(i);
                        long cell = r * to.length() + at[(int) (r * n + i)];
                        to.view().set(cell, to.view().getLong(cell) + from.view().getLong(r * n + i));
                    }
                } else {
                    scatterRow(to, from, r, at);
                }
            }
        });
    }

    private static void scatterRow(OperandRows to, OperandRows from, long r, long[] at) {
        double[] sums = new double[to.length()];
        double[] values = new double[from.length()];
        to.read(r, sums);
        from.read(r, values);
        for (int i = 0; i < values.length; i++) {
            sums[(int) at[(int) (r * values.length + i)]] += values[i];
        }
        to.write(r, sums);
    }

    public void indexSelect(Operand out, Operand in, Operand index) {
        if (out.count() == 0) {
            return;
        }
        long[] at = Indices.checked(host, index, in.shape()[0], "index_select");
        if (at == null) {
            return;
        }
        View to = View.of(host, out);
        View from = View.of(host, in);
        long width = out.count() / at.length;
        long bytes = width * out.dtype().bytes();
        boolean whole = row(out).isContiguous() && row(in).isContiguous();
        Parallel.range(at.length, Math.max(1, Elementwise.GRAIN / width), (a, b) -> {
            for (long i = a; i < b; i++) {
                long source = at[(int) i] * width;
                if (whole) {
                    Interruptible.copy(to.memory.asSlice(to.offset(i * width) * out.dtype().bytes(), bytes),
                            from.memory.asSlice(from.offset(source) * out.dtype().bytes(), bytes));
                } else {
                    for (long j = 0; j < width; j++) {
                        Interruptible.check(j);
                        Cells.copy(from, source + j, to, i * width + j);
                    }
                }
            }
        });
    }

    public void indexAdd(Operand out, Operand index, Operand in) {
        if (in.count() == 0) {
            return;
        }
        int targets = Math.toIntExact(out.shape()[0]);
        long[] at = Indices.checked(host, index, targets, "index_add");
        if (at == null) {
            return;
        }
        int[] ends = new int[targets + 1];
        for (long t : at) {
            ends[(int) t + 1]++;
        }
        for (int t = 0; t < targets; t++) {
            ends[t + 1] += ends[t];
        }
        // counting sort: the sources of each target, in their order
        int[] sources = new int[at.length];
        int[] next = ends.clone();
        for (int i = 0; i < at.length; i++) {
            sources[next[(int) at[i]]++] = i;
        }
        View to = View.of(host, out);
        View from = View.of(host, in);
        int width = Math.toIntExact(in.count() / at.length);
        boolean integers = !out.dtype().isFloatingPoint();
        Parallel.range(targets, Math.max(1, Elementwise.GRAIN / width), (a, b) -> {
            for (int t = (int) a; t < b; t++) {
                if (ends[t] < ends[t + 1] && integers) {
                    addLongs(to, from, t, width, sources, ends[t], ends[t + 1]);
                } else if (ends[t] < ends[t + 1]) {
                    addDoubles(to, from, t, width, sources, ends[t], ends[t + 1]);
                }
            }
        });
    }

    private static void addDoubles(View to, View from, long target, int width, int[] sources, int first, int end) {
        double[] sums = new double[width];
        double[] row = new double[width];
        to.read(target * width, width, sums);
        for (int s = first; s < end; s++) {
            from.read((long) sources[s] * width, width, row);
            for (int j = 0; j < width; j++) {
                sums[j] += row[j];
            }
        }
        to.write(target * width, width, sums);
    }

    private static void addLongs(View to, View from, long target, int width, int[] sources, int first, int end) {
        long[] sums = new long[width];
        long[] row = new long[width];
        to.read(target * width, width, sums);
        for (int s = first; s < end; s++) {
            from.read((long) sources[s] * width, width, row);
            for (int j = 0; j < width; j++) {
                sums[j] += row[j];
            }
        }
        to.write(target * width, width, sums);
    }

    private static Operand row(Operand operand) {
        int rank = operand.shape().length;
        return new Operand(operand.address(), operand.dtype(),
                Arrays.copyOfRange(operand.shape(), 1, rank),
                Arrays.copyOfRange(operand.strides(), 1, rank));
    }

    /** The operand with {@code dim} last, so that its elements come in the order of {@link OperandRows}. */
    private static Operand along(Operand operand, int dim) {
        int rank = operand.shape().length;
        if (rank == 0) {
            return operand;
        }
        long[] shape = new long[rank];
        long[] strides = new long[rank];
        int at = 0;
        for (int d = 0; d < rank; d++) {
            int place = d == dim ? rank - 1 : at++;
            shape[place] = operand.shape()[d];
            strides[place] = operand.strides()[d];
        }
        return new Operand(operand.address(), operand.dtype(), shape, strides);
    }

    /** The part of the operand that an index of smaller shape reaches: all of {@code dim}, else the index's sizes. */
    private static Operand narrowed(Operand operand, Operand index, int dim) {
        long[] shape = index.shape().clone();
        if (shape.length > 0) {
            shape[dim] = operand.shape()[dim];
        }
        return new Operand(operand.address(), operand.dtype(), shape, operand.strides());
    }

    private static long size(Operand operand, int dim) {
        return operand.shape().length == 0 ? 1 : operand.shape()[dim];
    }
}
