package io.vramlab.amp;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.GradMode;

/**
 * A region in which matrix products on GPUs run in float16 or bfloat16, and losses, norms, exponentials and logarithms in
 * float32: {@code try (var cast = new Autocast()) { … }}. For forward only; backward follows the dtypes of forward.
 */
public final class Autocast implements AutoCloseable {

    private final GradMode.State before;

    /** In float16. */
    public Autocast() {
        this(DType.FLOAT16);
    }

    /**
     * In that dtype.
     *
     * @param dtype
     *            float16, the default, or bfloat16
     * @throws IllegalArgumentException
     *             if it is neither float16 nor bfloat16
     */
    public Autocast(DType dtype) {
        if (dtype != DType.FLOAT16 && dtype != DType.BFLOAT16) {
            throw new IllegalArgumentException("Autocast was asked for with dtype " + dtype
                    + ": it supports float16 and bfloat16.");
        }
        before = AutocastMode.enter(dtype);
    }

    private Autocast(GradMode.State before) {
        this.before = before;
    }

    /** {@return a region without autocast inside one with it} */
    public static Autocast off() {
        return new Autocast(AutocastMode.enter(null));
    }

    /** Ends the region; the outermost one lets the lower copies of parameters go. */
    @Override
    public void close() {
        before.close();
    }
}
