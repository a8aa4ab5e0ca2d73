package io.vramlab.device.internal.cuda;

import io.vramlab.device.Operand;
import java.util.Optional;

/** Matrix products: cuBLAS where there is one and the operands lie as it wants them, else a kernel of our own. */
final class MatmulKernels {

    private static final int BLOCK = 256;
    private static final int TILE = 128;
    private static final int PLAIN_TILE = 16;

    private final Launcher launcher;
    private final PtxModule module;
    private final Optional<CuBlas> cublas;

    MatmulKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("matmul");
        this.cublas = CuBlas.find(context);
    }

    Optional<CuBlas> cublas() {
        return cublas;
    }

    void run(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
        if (c.count() == 0) {
            return;
        }
        int rank = c.shape().length;
        int k = Math.toIntExact(a.shape()[rank - 1]);
        Batch batch = Batch.of(c, a, b);
        if (cublas.isPresent() && c.dtype().isFloatingPoint() && k > 0 && batch != null
                && product(cublas.get(), c, a, b, batch, alpha, beta, stream)) {
            launcher.settle("matmul");
            return;
        }
        long count = c.count() / (c.shape()[rank - 2] * c.shape()[rank - 1]);
        for (long i = 0; i < count; i++) {
            own(c, a, b, k, leading(c, i), leading(a, i), leading(b, i), alpha, beta, stream);
        }
    }

    /** How far apart the matrices of a batch lie, in elements. */
    private record Batch(int count, long c, long a, long b) {

        /** Null if the leading dimensions do not merge into one. */
        static Batch of(Operand c, Operand a, Operand b) {
            long count = 1;
            long[] step = new long[3];
            Operand[] all = {c, a, b};
            for (int d = c.shape().length - 3; d >= 0; d--) {
                long size = c.shape()[d];
                if (size == 1) {
                    continue;
                }
                for (int o = 0; o < 3; o++) {
                    long stride = all[o].strides()[d];
                    if (count == 1) {
                        step[o] = stride;
                    } else if (stride != step[o] * count) {
                        return null;
                    }
                }
                count *= size;
            }
            return new Batch(Math.toIntExact(count), step[0], step[1], step[2]);
        }
    }

    /** False if an operand has no dimension whose elements are neighbours. */
    private static boolean product(CuBlas cublas, Operand c, Operand a, Operand b, Batch batch, double alpha,
            double beta, long stream) {
        int rank = c.shape().length;
        int m = Math.toIntExact(c.shape()[rank - 2]);
        int n = Math.toIntExact(c.shape()[rank - 1]);
        int k = Math.toIntExact(a.shape()[rank - 1]);
        // a row-major c is its transpose column by column: c' = b' a'
        CuBlas.Columns to = columns(c, batch.c);
        CuBlas.Columns x = columns(b, batch.b);
        CuBlas.Columns y = columns(a, batch.a);
        if (to == null || x == null || y == null) {
            return false;
        }
        if (to.transposed()) {
            // c lies column by column: the product as it stands
            cublas.multiply(c.dtype(), m, n, k, batch.count, flipped(y), flipped(x), flipped(to), alpha, beta, stream);
        } else {
            cublas.multiply(c.dtype(), n, m, k, batch.count, x, y, to, alpha, beta, stream);
        }
        return true;
    }

    private static CuBlas.Columns flipped(CuBlas.Columns x) {
        return new CuBlas.Columns(x.address(), !x.transposed(), x.leading(), x.batch());
    }

    /** The transpose of a row-major matrix as columns; null if neither dimension's elements are neighbours. */
    private static CuBlas.Columns columns(Operand o, long batch) {
        int rank = o.shape().length;
        long rows = o.shape()[rank - 2];
        long width = o.shape()[rank - 1];
        long rowStride = o.strides()[rank - 2];
        long columnStride = o.strides()[rank - 1];
        boolean byRow = (columnStride == 1 || width == 1) && (rows == 1 || rowStride >= width);
        boolean byColumn = (rowStride == 1 || rows == 1) && (width == 1 || columnStride >= rows);
        if (byRow) {
            return new CuBlas.Columns(o.address(), false, Math.toIntExact(rows == 1 ? width : rowStride), batch);
        }
        return byColumn
                ? new CuBlas.Columns(o.address(), true, Math.toIntExact(width == 1 ? rows : columnStride), batch)
                : null;
    }

    private void own(Operand c, Operand a, Operand b, int k, long cAt, long aAt, long bAt, double alpha, double beta,
            long stream) {
        int rank = c.shape().length;
        int m = Math.toIntExact(c.shape()[rank - 2]);
        int n = Math.toIntExact(c.shape()[rank - 1]);
        ComputeType type = ComputeType.of(c.dtype());
        int tile = type == ComputeType.F ? TILE : PLAIN_TILE;
        Launcher.Arguments args = launcher.arguments().add(at(c, cAt)).add(at(a, aAt)).add(at(b, bAt))
                .add(c.strides()[rank - 2]).add(c.strides()[rank - 1]).add(a.strides()[rank - 2])
                .add(a.strides()[rank - 1]).add(b.strides()[rank - 2]).add(b.strides()[rank - 1]).add(alpha).add(beta)
                .add(m).add(n).add(k).add(c.dtype().ordinal());
        launcher.launch(module.function(type.of("matmul")), (n + tile - 1) / tile, (m + tile - 1) / tile, 1, BLOCK, 0,
                stream, args);
    }

    private static long at(Operand o, long elements) {
        return o.address() + elements * o.dtype().bytes();
    }

    private static long leading(Operand o, long index) {
        long at = 0;
        long rest = index;
        for (int d = o.shape().length - 3; d >= 0; d--) {
            at += rest % o.shape()[d] * o.strides()[d];
            rest /= o.shape()[d];
        }
        return at;
    }
}
