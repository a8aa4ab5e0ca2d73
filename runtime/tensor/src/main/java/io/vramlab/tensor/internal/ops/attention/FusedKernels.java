package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Attention in one piece, where the device has somebody who can. */
final class FusedKernels {

    static final FusedAttention.Working NO_MEMORY = new FusedAttention.Working(0, 0);

    private FusedKernels() {
    }

    /** The library first, if it is asked for; then the device's own kernels. */
    private static Stream<FusedAttention> whoCan(TensorImpl on, boolean library) {
        Kernels kernels = on.driver().kernels();
        return Stream.of(library ? kernels.attentionLibrary() : Optional.<FusedAttention>empty(),
                kernels.fusedAttention()).flatMap(Optional::stream);
    }

    /**
     * Computes it.
     *
     * @param logarithms
     *            null where nobody will ask for them
     * @return false if nobody can; then nothing was written
     */
    static boolean forward(boolean library, TensorImpl out, TensorImpl logarithms, TensorImpl query, TensorImpl key,
            TensorImpl value, Kernels.Attention how, FusedAttention.Working working) {
        Operand kept = logarithms == null ? null : logarithms.operand();
        return whoCan(query, library).anyMatch(fused -> fused.forward(out.operand(), kept, query.operand(),
                key.operand(), value.operand(), how, working, query.stream()));
    }

    /** Computes the gradients of queries, keys and values; false as in {@link #forward}. */
    static boolean backward(boolean library, TensorImpl[] grads, TensorImpl gradOut, TensorImpl out,
            TensorImpl logarithms, TensorImpl query, TensorImpl key, TensorImpl value, Kernels.Attention how,
            FusedAttention.Working working) {
        Operand[] into = Arrays.stream(grads).map(TensorImpl::operand).toArray(Operand[]::new);
        return whoCan(query, library).anyMatch(fused -> fused.backward(into, gradOut.operand(), out.operand(),
                logarithms.operand(), query.operand(), key.operand(), value.operand(), how, working,
                query.stream()));
    }
}
