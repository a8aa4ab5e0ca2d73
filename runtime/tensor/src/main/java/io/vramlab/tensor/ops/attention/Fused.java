package io.vramlab.tensor.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.tensor.core.TensorImpl;

/** Attention by the device's own kernels, where it has them and they can. */
final class Fused {

    private Fused() {
    }

    /**
     * Computes it.
     *
     * @param logarithms
     *            null where nobody will ask for them
     * @return false if the device cannot; then nothing was written
     */
    static boolean forward(TensorImpl out, TensorImpl logarithms, TensorImpl query, TensorImpl key, TensorImpl value,
            Kernels.Attention how) {
        FusedAttention fused = query.driver().kernels().fusedAttention().orElse(null);
        if (fused == null
                || !fused.computes(out.operand(), query.operand(), key.operand(), value.operand(), how)) {
            return false;
        }
        fused.forward(out.operand(), logarithms == null ? null : logarithms.operand(), query.operand(), key.operand(),
                value.operand(), how, query.stream());
        return true;
    }

    /**
     * Computes the gradients of queries, keys and values.
     *
     * @param working
     *            address of a float32 for each row of queries
     * @return false if the device cannot; then nothing was written
     */
    static boolean backward(TensorImpl[] grads, long working, TensorImpl gradOut, TensorImpl out,
            TensorImpl logarithms, TensorImpl query, TensorImpl key, TensorImpl value, Kernels.Attention how) {
        FusedAttention fused = query.driver().kernels().fusedAttention().orElse(null);
        if (fused == null || !fused.takes(gradOut.operand()) || !fused.takes(out.operand())
                || !fused.takes(grads[0].operand()) || !fused.takes(grads[1].operand())
                || !fused.takes(grads[2].operand())) {
            return false;
        }
        Operand sums = new Operand(working, DType.FLOAT32, logarithms.shape(), logarithms.strides());
        fused.backward(grads[0].operand(), grads[1].operand(), grads[2].operand(), sums, gradOut.operand(),
                out.operand(), logarithms.operand(), query.operand(), key.operand(), value.operand(), how,
                query.stream());
        return true;
    }
}
