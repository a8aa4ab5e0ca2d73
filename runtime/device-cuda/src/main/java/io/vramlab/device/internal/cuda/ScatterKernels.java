package io.vramlab.device.internal.cuda;

import io.vramlab.device.Operand;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;

/** Scattering with other operations than a sum, several indices at once, and scans. */
final class ScatterKernels {

    private static final int BLOCK = 256;
    private static final int ROWS = 64;
    private static final int MOST_INDICES = 4;

    private final Launcher launcher;
    private final PtxModule module;

    ScatterKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("scatter");
    }

    void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value, long stream) {
        if (index.count() == 0) {
            return;
        }
        long n = Dimensions.size(index, dim);
        long rows = index.count() / n;
        long[] reached = index.shape().clone();
        if (reached.length > 0) {
            reached[dim] = out.shape()[dim];
        }
        Operand to = new Operand(out.address(), out.dtype(), reached, out.strides());
        Operand from = in == null ? null : new Operand(in.address(), in.dtype(), index.shape(), in.strides());
        Launcher.Arguments a = launcher.arguments().add(last(to, dim)).addOrNone(from == null ? null : last(from, dim))
                .add(last(index, dim)).add(rows).add(n).add(Dimensions.size(out, dim)).add(value).add(op.ordinal())
                .add(in == null ? 1 : 0);
        launcher.launch(module.function(ComputeType.of(out.dtype()).of("scatter")), launcher.blocks(rows, ROWS), ROWS,
                stream, a);
    }

    void indexGet(Operand out, Operand in, Operand[] at, long[] sizes, long[] strides, long stream) {
        many("index_get", null, out, in, at, sizes, strides, stream);
    }

    void indexPut(ScatterOp op, Operand out, Operand in, Operand[] at, long[] sizes, long[] strides, long stream) {
        String name = op == ScatterOp.SET ? "index_set" : ComputeType.of(out.dtype()).of("index_put");
        many(name, op, out, in, at, sizes, strides, stream);
    }

    private void many(String name, ScatterOp op, Operand out, Operand in, Operand[] at, long[] sizes, long[] strides,
            long stream) {
        long n = at[0].count();
        if (n == 0) {
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(out).add(in);
        for (int k = 0; k < MOST_INDICES; k++) {
            a.addOrNone(k < at.length ? at[k] : null);
        }
        for (int k = 0; k < MOST_INDICES; k++) {
            a.add(k < at.length ? sizes[k] : 0L);
        }
        for (int k = 0; k < MOST_INDICES; k++) {
            a.add(k < at.length ? strides[k] : 0L);
        }
        a.add(n).add(at.length).add(op == null ? 0 : op.ordinal());
        launcher.launch(module.function(name), launcher.blocks(n, BLOCK), BLOCK, stream, a);
    }

    void scan(ScanOp op, Operand out, Operand at, Operand in, int dim, long stream) {
        if (out.count() == 0) {
            return;
        }
        long n = Dimensions.size(out, dim);
        long rows = out.count() / n;
        Launcher.Arguments a = launcher.arguments().add(last(out, dim)).addOrNone(at == null ? null : last(at, dim))
                .add(last(in, dim)).add(rows).add(n).add(op.ordinal()).add(at == null ? 0 : 1);
        launcher.launch(module.function(ComputeType.of(out.dtype()).of("scan")), launcher.blocks(rows, ROWS), ROWS,
                stream, a);
    }

    private static Operand last(Operand o, int dim) {
        return o.shape().length == 0 ? o : Dimensions.last(o, dim);
    }
}
