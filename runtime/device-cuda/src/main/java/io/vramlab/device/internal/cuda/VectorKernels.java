package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;

/** Copies of vectors of 16 bytes between any orders in memory, and sums of float32 with 16-bit elements: {@code vectors.cu}. */
final class VectorKernels {

    private static final int BYTES = 16;
    private static final int OCTET = 8;
    private static final int BLOCK = 256;

    private final Launcher launcher;
    private final PtxModule module;

    VectorKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("vectors");
    }

    /** Whether what is copied consists of whole vectors on both sides: rows apart, turned, or one row again and again. */
    static boolean copies(Operand out, Operand in) {
        return out.dtype() == in.dtype() && BYTES % out.dtype().bytes() == 0 && out.shape().length > 0
                && areVectors(out) && areVectors(in) && out.count() * out.dtype().bytes() / BYTES < Integer.MAX_VALUE;
    }

    private static boolean areVectors(Operand o) {
        int per = BYTES / o.dtype().bytes();
        int last = o.shape().length - 1;
        boolean whole = o.shape()[last] % per == 0 && o.strides()[last] == 1 && o.address() % BYTES == 0;
        for (int d = 0; d < last; d++) {
            whole &= o.shape()[d] == 1 || o.strides()[d] % per == 0;
        }
        return whole;
    }

    void copy(Operand out, Operand in, long stream) {
        long n = out.count() * out.dtype().bytes() / BYTES;
        Launcher.Arguments a = launcher.arguments();
        add(a, out);
        add(a, in);
        launcher.launch(module.function("copy_vectors"), launcher.blocks(n, BLOCK), BLOCK, stream, a.add(n));
    }

    private static void add(Launcher.Arguments a, Operand o) {
        int per = BYTES / o.dtype().bytes();
        long[] shape = o.shape().clone();
        long[] strides = o.strides().clone();
        int last = shape.length - 1;
        shape[last] /= per;
        for (int d = 0; d < last; d++) {
            strides[d] /= per;
        }
        a.add(o, shape, strides);
    }

    private static boolean isHalf(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    }

    private static boolean isPlain(Operand o) {
        return o.isContiguous() && o.address() % BYTES == 0;
    }

    /** Whether one is float32, the other a 16-bit type, and all lie alike. */
    static boolean adds(Operand out, Operand x, Operand y) {
        boolean mixed = x.dtype() == DType.FLOAT32 && isHalf(y.dtype())
                || isHalf(x.dtype()) && y.dtype() == DType.FLOAT32;
        return mixed && out.dtype() == DType.FLOAT32 && out.count() % OCTET == 0 && isPlain(out) && isPlain(x)
                && isPlain(y);
    }

    /** {@code out = x + by y}. */
    void add(Operand out, Operand x, Operand y, double by, long stream) {
        boolean first = x.dtype() == DType.FLOAT32;
        Operand wide = first ? x : y;
        Operand narrow = first ? y : x;
        long octets = out.count() / OCTET;
        launcher.launch(module.function("add_mixed_" + narrow.dtype().name()), (octets + BLOCK - 1) / BLOCK, BLOCK,
                stream,
                launcher.arguments().add(out.address()).add(wide.address()).add(narrow.address()).add(octets)
                        .add(first ? 1f : (float) by).add(first ? (float) by : 1f));
    }
}
