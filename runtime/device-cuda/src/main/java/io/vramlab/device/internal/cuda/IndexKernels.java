package io.vramlab.device.internal.cuda;

import io.vramlab.device.Operand;

/** Gathering and scattering by index, sorting, ranges, triangles. */
final class IndexKernels {

    private static final int BLOCK = 256;
    private static final int MAX_GRID_Y = 65_535;

    private final Launcher launcher;
    private final PtxModule module;

    IndexKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("index");
    }

    void gather(Operand out, Operand in, int dim, Operand index, long stream) {
        if (out.count() == 0) {
            return;
        }
        long n = Dimensions.size(index, dim);
        Launcher.Arguments a = launcher.arguments().add(last(out, dim)).add(last(narrowed(in, index, dim), dim))
                .add(last(index, dim)).add(index.count() / n).add(n).add(Dimensions.size(in, dim)).add(0L);
        launcher.launch(module.function("gather"), launcher.blocks(index.count(), BLOCK), BLOCK, stream, a);
    }

    void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
        if (index.count() == 0) {
            return;
        }
        long n = Dimensions.size(index, dim);
        long rows = index.count() / n;
        Operand from = new Operand(in.address(), in.dtype(), index.shape(), in.strides());
        Launcher.Arguments a = launcher.arguments().add(last(narrowed(out, index, dim), dim)).add(last(from, dim))
                .add(last(index, dim)).add(rows).add(n).add(Dimensions.size(out, dim)).add(0L);
        launcher.launch(module.function(ComputeType.of(out.dtype()).of("scatter_add")), launcher.blocks(rows, 64), 64,
                stream, a);
    }

    void indexSelect(Operand out, Operand in, Operand index, long stream) {
        if (out.count() == 0) {
            return;
        }
        long n = index.count();
        Launcher.Arguments a = launcher.arguments().add(out).add(in).add(index).add(1L).add(n).add(in.shape()[0])
                .add(out.count() / n);
        launcher.launch(module.function("index_select"), launcher.blocks(out.count(), BLOCK), BLOCK, stream, a);
    }

    void indexAdd(Operand out, Operand index, Operand in, long stream) {
        if (in.count() == 0) {
            return;
        }
        long n = index.count();
        Launcher.Arguments a = launcher.arguments().add(out).add(in).add(index).add(1L).add(n).add(out.shape()[0])
                .add(in.count() / n);
        launcher.launch(module.function(ComputeType.of(out.dtype()).of("index_add")), Math.min(n, 1 << 16), BLOCK,
                stream, a);
    }

    void topk(Operand values, Operand indices, Operand in, boolean largest, long stream) {
        if (values.count() == 0) {
            return;
        }
        int rank = in.shape().length;
        long length = rank == 0 ? 1 : in.shape()[rank - 1];
        long k = rank == 0 ? 1 : values.shape()[rank - 1];
        long rows = in.count() / length;
        Launcher.Arguments a = launcher.arguments().add(values).add(indices).add(in).add(rows).add(length).add(k)
                .add(largest ? 1 : 0);
        launcher.launch(module.function("topk"), (length + BLOCK - 1) / BLOCK, (int) Math.min(rows, MAX_GRID_Y), 1,
                BLOCK, 0, stream, a);
    }

    void arange(Operand out, double start, double step, long stream) {
        boolean floating = out.dtype().isFloatingPoint() || start != (long) start || step != (long) step;
        sequence("arange", out, null, start, step, 0, 0, 0, false, floating, stream);
    }

    void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
        int rank = out.shape().length;
        sequence("triangle", out, in, 0, 0, out.shape()[rank - 2], out.shape()[rank - 1], diagonal, upper, false,
                stream);
    }

    private void sequence(String name, Operand out, Operand in, double start, double step, long height, long width,
            long diagonal, boolean upper, boolean floating, long stream) {
        long n = out.count();
        if (n == 0) {
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(out).addOrNone(in).add(n).add(start).add(step).add(height)
                .add(width).add(diagonal).add(upper ? 1 : 0).add(floating ? 1 : 0);
        launcher.launch(module.function(name), launcher.blocks(n, BLOCK), BLOCK, stream, a);
    }

    private static Operand last(Operand o, int dim) {
        return o.shape().length == 0 ? o : Dimensions.last(o, dim);
    }

    /** The part of the operand that an index of smaller shape reaches: all of {@code dim}, else the index's sizes. */
    private static Operand narrowed(Operand o, Operand index, int dim) {
        long[] shape = index.shape().clone();
        if (shape.length > 0) {
            shape[dim] = o.shape()[dim];
        }
        return new Operand(o.address(), o.dtype(), shape, o.strides());
    }
}
