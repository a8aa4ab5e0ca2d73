package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Masks as torch.nn makes and reads them: what is added to the scores, or bool, true where <em>no</em> attention is paid. */
final class AttentionMasks {

    private AttentionMasks() {
    }

    /** Additive, in a new tensor if it is bool, else itself; null for null. PyTorch's _canonical_mask. */
    static Tensor additive(Tensor mask, String name, DType dtype) {
        if (mask == null || mask.dtype().isFloatingPoint()) {
            return mask;
        }
        if (mask.dtype() != DType.BOOL) {
            throw new TensorException(
                    name + " of dtype " + mask.dtype() + " was given: only bool and floating types of "
                            + name + " are supported. Make it bool with a comparison, such as ne(0).");
        }
        Tensor out = Tensor.zeros(TensorOptions.of(dtype).device(mask.device()), mask.shape());
        out.maskedFill_(mask, Double.NEGATIVE_INFINITY);
        return out;
    }

    /** Minus infinity above the diagonal, zero elsewhere, [n, n]. */
    static Tensor squareSubsequent(long n, Device device, DType dtype) {
        try (Tensor all = Tensor.full(TensorOptions.of(dtype).device(device), Double.NEGATIVE_INFINITY, n, n)) {
            return all.triu(1);
        }
    }

    /**
     * The hint, or without one whether the mask is the causal one of that size, which takes looking at it.
     *
     * @throws io.vramlab.device.DeviceException
     *             without a hint, on a device that has no values
     */
    static boolean isCausal(Tensor mask, Boolean hint, long size) {
        if (hint != null || mask == null) {
            return hint != null && hint;
        }
        try (Tensor causal = squareSubsequent(size, mask.device(), mask.dtype())) {
            return Arrays.equals(mask.shape(), causal.shape()) && same(mask, causal);
        }
    }

    private static boolean same(Tensor a, Tensor b) {
        Tensor all;
        try (Tensor equal = a.eq(b)) {
            all = equal.all();
        }
        try (all) {
            return all.itemBoolean();
        }
    }
}
