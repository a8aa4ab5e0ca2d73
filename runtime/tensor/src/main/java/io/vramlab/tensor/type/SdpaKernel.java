package io.vramlab.tensor.type;

import io.vramlab.footprint.AttentionBackend;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Allows only some kernels of attention while it is open, as torch.nn.attention.sdpa_kernel:
 *
 * <pre>{@code
 * try (SdpaKernel math = new SdpaKernel(AttentionBackend.MATH)) {
 *     y = Functional.scaledDotProductAttention(q, k, v);
 * }
 * }</pre>
 */
public final class SdpaKernel implements AutoCloseable {

    private static volatile Set<AttentionBackend> allowed = EnumSet.allOf(AttentionBackend.class);

    private final Set<AttentionBackend> before;

    /**
     * These alone, in all threads, until it is closed.
     *
     * @param backends
     *            what may be used; with none, attention throws {@link TensorException}
     */
    public SdpaKernel(AttentionBackend... backends) {
        before = allowed;
        Set<AttentionBackend> now = EnumSet.noneOf(AttentionBackend.class);
        now.addAll(List.of(backends));
        allowed = now;
    }

    /** {@return what may be used now; not to be changed} */
    public static Set<AttentionBackend> allowed() {
        return allowed;
    }

    /** Allows again what was allowed before. */
    @Override
    public void close() {
        allowed = before;
    }
}
