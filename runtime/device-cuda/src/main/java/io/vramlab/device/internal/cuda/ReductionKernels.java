package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;

/**
 * Reductions. Rows are shared by the threads of a block, and long ones by several blocks whose results a second launch
 * combines; where the kept dimensions are the neighbours in memory, threads take neighbouring columns instead.
 */
final class ReductionKernels {

    private static final int BLOCK = 256;
    private static final int COLUMNS = 32;
    private static final int MAX_CHUNKS = 2048;
    private static final long CHUNK = 1 << 15;

    private final Launcher launcher;
    private final PtxModule module;
    private final Workspaces workspaces;
    private final int processors;

    private final RowNorms sums;

    ReductionKernels(CudaContext context, Launcher launcher, Workspaces workspaces, RowNorms sums) {
        this.sums = sums;
        this.launcher = launcher;
        this.workspaces = workspaces;
        this.module = context.module("reduce");
        this.processors = context.properties().multiProcessorCount();
    }

    void reduce(ReduceOp op, Operand out, Operand in, long stream) {
        if (op == ReduceOp.ARGMAX || op == ReduceOp.ARGMIN) {
            withIndex(op == ReduceOp.ARGMAX, null, out, in, stream);
            return;
        }
        long outputs = out.count();
        if (outputs == 0) {
            return;
        }
        long length = in.count() / outputs;
        if (op == ReduceOp.VAR) {
            launcher.launch(module.function("variance"), blocks(outputs), BLOCK, stream,
                    arguments(out, reducedLast(out, in), 0, outputs, length, length, 1, op));
            return;
        }
        ComputeType type = type(op, out);
        boolean columns = byColumns(out, in) && outputs >= COLUMNS;
        Operand matrix = columns ? Dimensions.chosenLast(in, d -> out.shape()[d] == in.shape()[d]) : in;
        if (columns && (op == ReduceOp.SUM || op == ReduceOp.MEAN) && sums.fitsColumns(out, matrix, outputs)) {
            sums.columnSums(out, matrix, outputs, op == ReduceOp.MEAN ? 1.0 / length : 1, stream);
        } else if (columns) {
            columns(type, op, out, in, outputs, length, stream);
        } else {
            rows(type, op, out, in, outputs, length, stream);
        }
    }

    private static ComputeType type(ReduceOp op, Operand out) {
        boolean integers = op == ReduceOp.SUM || op == ReduceOp.PROD || op == ReduceOp.MAX || op == ReduceOp.MIN;
        ComputeType type = ComputeType.of(out.dtype());
        return type == ComputeType.L && (!integers || out.dtype() == DType.BOOL) ? ComputeType.D : type;
    }

    private void rows(ComputeType type, ReduceOp op, Operand out, Operand in, long outputs, long length, long stream) {
        Operand from = reducedLast(out, in);
        int chunks = chunks(type, outputs, length, outputs);
        // whole quads per chunk, so that the fast kernel's loads stay aligned
        long chunk = (length + chunks - 1) / Math.max(1, chunks) + 3 & ~3L;
        boolean plain = isSum(op, type, from) && from.address() % 16 == 0 && length % 4 == 0;
        String name = plain ? "sum_rows_contiguous" : type.of("reduce_rows");
        int block = length / chunks >= 16 * BLOCK
                ? 2 * BLOCK
                : length / chunks >= 4 * BLOCK ? BLOCK : length <= 64 ? 32 : 128;
        launch(name, type, op, out, from, outputs, length, chunk, chunks, blocks(outputs), block, stream);
    }

    private void columns(ComputeType type, ReduceOp op, Operand out, Operand in, long outputs, long length,
            long stream) {
        long strips = (outputs + COLUMNS - 1) / COLUMNS;
        int chunks = (int) Math.min(chunks(type, outputs, length * COLUMNS, strips),
                Math.max(1, length / 64));
        long chunk = (length + chunks - 1) / chunks;
        Operand from = Dimensions.chosenLast(in, d -> out.shape()[d] == in.shape()[d]);
        boolean plain = isSum(op, type, from);
        launch(plain ? "sum_columns_contiguous" : type.of("reduce_columns"), type, op, out, from, outputs, length,
                chunk, chunks, strips, BLOCK, stream);
    }

    /** True for what the kernels for contiguous float32 can do. */
    private static boolean isSum(ReduceOp op, ComputeType type, Operand from) {
        return (op == ReduceOp.SUM || op == ReduceOp.MEAN) && type == ComputeType.F && from.dtype() == DType.FLOAT32
                && from.isContiguous();
    }

    /** Enough blocks to fill the device, if the workspace holds their results. */
    private int chunks(ComputeType type, long outputs, long length, long blocks) {
        int bytes = type == ComputeType.F ? 4 : 8;
        long wanted = Math.min((8L * processors + blocks - 1) / blocks, (length + CHUNK - 1) / CHUNK);
        return (int) Math.max(1, Math.min(Math.min(wanted, MAX_CHUNKS), Workspaces.BYTES / bytes / outputs));
    }

    private void launch(String name, ComputeType type, ReduceOp op, Operand out, Operand from, long outputs,
            long length, long chunk, int chunks, long gridX, int block, long stream) {
        long parts = chunks > 1 ? workspaces.of(stream) : 0;
        launcher.launch(module.function(name), gridX, chunks, 1, block, 0, stream,
                arguments(out, from, parts, outputs, length, chunk, chunks, op));
        if (chunks > 1) {
            launcher.launch(module.function(type.of("reduce_chunks")), blocks(outputs), 128, stream,
                    arguments(out, from, parts, outputs, length, chunk, chunks, op));
        }
    }

    private Launcher.Arguments arguments(Operand out, Operand in, long parts, long outputs, long length, long chunk,
            int chunks, ReduceOp op) {
        return launcher.arguments().add(out).add(in).add(parts).add(outputs).add(length).add(chunk).add(chunks)
                .add(op.ordinal());
    }

    void withIndex(boolean largest, Operand values, Operand indices, Operand in, long stream) {
        long outputs = indices.count();
        if (outputs == 0 || in.count() == 0) {
            return;
        }
        long length = in.count() / outputs;
        Launcher.Arguments a = launcher.arguments().addOrNone(values).add(indices).add(reducedLast(indices, in))
                .add(outputs).add(length).add(largest ? 1 : 0).add(values == null ? 0 : 1);
        launcher.launch(module.function(ComputeType.of(in.dtype()).of("arg")), blocks(outputs),
                length <= 64 ? 32 : BLOCK, stream, a);
    }

    private static Operand reducedLast(Operand out, Operand in) {
        return Dimensions.chosenLast(in, d -> out.shape()[d] != in.shape()[d]);
    }

    /** True if neighbours in memory belong to different outputs. */
    private static boolean byColumns(Operand out, Operand in) {
        boolean columns = false;
        for (int d = 0; d < in.shape().length; d++) {
            if (in.shape()[d] > 1 && in.strides()[d] == 1) {
                columns = out.shape()[d] == in.shape()[d];
            }
        }
        return columns;
    }

    private static long blocks(long outputs) {
        return Math.min(outputs, 1 << 20);
    }
}
