package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;

/**
 * Layer norm of contiguous rows of 8 to 2048 elements, and sums of the columns of 16-bit matrices: the kernels of
 * {@code rownorm.cu}. Whoever asks has asked first whether they fit.
 */
final class RowNorms {

    private static final int WARPS = 4;
    private static final int OCTET = 8;
    private static final int SMALL = 1024;
    private static final int LARGEST = 2048;
    /** Columns of a block of partial sums. */
    private static final int COLUMNS = 256;
    private static final int VECTOR_BYTES = 16;
    private static final int BLOCK = 256;
    /** Rows that a block of partial sums has at least. */
    private static final int FEWEST_ROWS = 32;

    private final Launcher launcher;
    private final PtxModule module;
    private final Workspaces workspaces;
    private final int processors;

    RowNorms(CudaContext context, Launcher launcher, Workspaces workspaces) {
        this.launcher = launcher;
        this.module = context.module("rownorm");
        this.workspaces = workspaces;
        this.processors = context.properties().multiProcessorCount();
    }

    /** Whether an operand is null, or of that dtype and in vectors one after another. */
    static boolean isPlain(DType dtype, Operand o) {
        return o == null || o.dtype() == dtype && o.isContiguous() && o.address() % VECTOR_BYTES == 0;
    }

    private static boolean isOf16Or32Bits(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    }

    private static boolean areRows(Operand in) {
        long length = in.shape()[in.shape().length - 1];
        return isOf16Or32Bits(in.dtype()) && isPlain(in.dtype(), in) && length % OCTET == 0 && length <= LARGEST
                && in.count() / length < Integer.MAX_VALUE;
    }

    /** Statistics are float32; weight and bias are of one dtype, float32 or the rows'. */
    static boolean fits(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias) {
        DType given = weight != null ? weight.dtype() : bias != null ? bias.dtype() : in.dtype();
        return areRows(in) && isPlain(in.dtype(), out) && isPlain(DType.FLOAT32, mean)
                && isPlain(DType.FLOAT32, rstd) && (given == in.dtype() || given == DType.FLOAT32)
                && isPlain(given, weight) && isPlain(given, bias);
    }

    private void rows(String name, Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias,
            Operand gradOut, double eps, long stream) {
        int length = (int) in.shape()[in.shape().length - 1];
        long rows = in.count() / length;
        Operand given = weight != null ? weight : bias;
        Launcher.Arguments a = launcher.arguments().add(address(out)).add(address(mean)).add(address(rstd))
                .add(address(in)).add(address(weight)).add(address(bias)).add(address(gradOut)).add(rows).add(length)
                .add(given != null && given.dtype() == DType.FLOAT32 ? 1 : 0).add(mean == null ? 1 : 0)
                .add((float) eps);
        launcher.launch(module.function(name + (length <= SMALL ? "_4_" : "_8_") + in.dtype().name()),
                (rows + WARPS - 1) / WARPS, 32 * WARPS, stream, a);
    }

    private static long address(Operand o) {
        return o == null ? 0 : o.address();
    }

    void forward(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
        rows("row_norm", out, mean, rstd, in, weight, bias, null, eps, stream);
    }

    void inputGradient(Operand gradIn, Operand mean, Operand rstd, Operand in, Operand weight, Operand gradOut,
            long stream) {
        rows("row_norm_input", gradIn, mean, rstd, in, weight, null, gradOut, 0, stream);
    }

    /** Gradients of weight and bias, either of which may be null. */
    void weightGradients(Operand gradWeight, Operand gradBias, Operand mean, Operand rstd, Operand in, Operand gradOut,
            long stream) {
        int length = (int) in.shape()[in.shape().length - 1];
        sums(gradWeight, gradBias, mean, rstd, gradWeight == null ? null : in, gradOut, in.count() / length, length, 1,
                stream);
    }

    /** Whether the sums of a matrix's columns fit. */
    boolean fitsColumns(Operand out, Operand matrix, long columns) {
        boolean half = matrix.dtype() == DType.FLOAT16 || matrix.dtype() == DType.BFLOAT16;
        return half && isPlain(matrix.dtype(), matrix) && columns % OCTET == 0 && out.dtype().isFloatingPoint()
                && out.isContiguous() && 2L * Float.BYTES * columns <= Workspaces.BYTES && columns < Integer.MAX_VALUE;
    }

    /** Sums of the columns, times {@code by}. */
    void columnSums(Operand out, Operand matrix, long columns, double by, long stream) {
        sums(null, out, null, null, null, matrix, matrix.count() / columns, Math.toIntExact(columns), by, stream);
    }

    private void sums(Operand weight, Operand bias, Operand mean, Operand rstd, Operand in, Operand grad, long rows,
            int length, double by, long stream) {
        int strips = (length + COLUMNS - 1) / COLUMNS;
        long most = Workspaces.BYTES / (2L * Float.BYTES * length);
        long wanted = Math.min(3L * processors / strips + 1, (rows + FEWEST_ROWS - 1) / FEWEST_ROWS);
        int chunk = Math.toIntExact((rows - 1) / Math.clamp(wanted, 1, most) + 1);
        int chunks = Math.toIntExact((rows - 1) / chunk + 1);
        long parts = workspaces.of(stream);
        launcher.launch(module.function("norm_parts_" + grad.dtype().name()), strips, chunks, 1, BLOCK, 0, stream,
                launcher.arguments().add(parts).add(address(mean)).add(address(rstd)).add(address(in))
                        .add(address(grad)).add(rows).add(length).add(chunk));
        Operand one = weight != null ? weight : bias;
        launcher.launch(module.function("norm_totals"), (length + 31) / 32, BLOCK, stream,
                launcher.arguments().add(parts).add(address(weight)).add(address(bias)).add(length).add(chunks)
                        .add(one.dtype().ordinal()).add((float) by));
    }
}
