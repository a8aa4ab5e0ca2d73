package io.vramlab.nn;

import java.util.Arrays;

/** The windows that pools share. */
abstract class Pooling extends Module {

    final long[] kernel;
    final long[] stride;
    final long[] padding;
    final long[] dilation;
    final boolean ceilMode;

    Pooling(int dims, long[] kernel, PoolOptions o) {
        this.kernel = kernel.clone();
        this.stride = o.stride == null ? kernel.clone() : o.stride;
        this.padding = o.padding;
        this.dilation = o.dilation;
        this.ceilMode = o.ceilMode;
        for (long[] given : new long[][]{kernel, stride, padding, dilation}) {
            if (given.length != 1 && given.length != dims) {
                throw new IllegalArgumentException("A pool over " + dims + " dimensions was given "
                        + Arrays.toString(given) + ": give 1 or " + dims + " numbers.");
            }
        }
    }

    /** As Python prints what was given: one number, or a tuple. */
    static String text(long[] given) {
        return given.length == 1 ? Long.toString(given[0]) : Numbers.tuple(given);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + text(kernel) + ", stride=" + text(stride) + ", padding=" + text(padding);
    }
}
