package io.vramlab.device;

import java.util.Arrays;

/**
 * What makes the driver take addresses for itself, once in a process or a thread, and how many MiB, one after another; read from the
 * driver's own calls on an H100 (docs/plan.md, "Where segments lie").
 */
public enum DriverStep {

    /** Any kernel is launched. */
    KERNEL(2),
    /** A kernel that wants more of a stack: the local memory of all threads goes, and comes again larger. */
    STACK(504, 2),
    /** A kernel that checks what it does, as those that index, reduce or convert: the heap that its message would need, 8.3 MiB. */
    CHECK(10),
    /** A number is read back, or anything else small needs memory of the host that the device sees. */
    HOST(2),
    /** A thread multiplies with cuBLAS. */
    PRODUCTS(64),
    /** The same in autograd's thread. */
    PRODUCTS_BACKWARD(64),
    /** A thread works with cuDNN. */
    NETWORKS(2, 2, 2, 2, 2),
    /** The same in autograd's thread. */
    NETWORKS_BACKWARD(2, 2, 2, 2),
    /** A stream is asked for: PyTorch makes 32 at once. */
    STREAMS(streams());

    private static final int STREAM_MIB = 2;
    private static final int POOL = 32;
    private static final long MIB = 1L << 20;

    private final int[] mebibytes;

    DriverStep(int... mebibytes) {
        this.mebibytes = mebibytes;
    }

    private static int[] streams() {
        int[] each = new int[POOL];
        Arrays.fill(each, STREAM_MIB);
        return each;
    }

    /** {@return what is taken, in bytes, in order} */
    public long[] taken() {
        return Arrays.stream(mebibytes).mapToLong(m -> m * MIB).toArray();
    }
}
