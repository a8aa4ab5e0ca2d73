package io.vramlab.amp;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.ParamGroup;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.sparse.Coalescing;
import io.vramlab.tensor.internal.ops.train.Fused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gradients of one optimizer between two updates of the scale: whether they are divided by it, and where infinities were found. */
final class Unscaling {

    /** How far the optimizer's round has come. */
    enum Stage {
        READY, UNSCALED, STEPPED
    }

    private Stage stage = Stage.READY;
    /** On each device with gradients a scalar: not 0 if one of them is infinite or not a number. */
    private final Map<Device, Tensor> found = new LinkedHashMap<>();

    Stage stage() {
        return stage;
    }

    void reached(Stage next) {
        stage = next;
    }

    /** Whether any gradient was looked at. */
    boolean hasLooked() {
        return !found.isEmpty();
    }

    /** Whether one was infinite or not a number; waits for the devices. */
    boolean overflowed() {
        return found.values().stream().anyMatch(Unscaling::isOverflow);
    }

    /**
     * Multiplies the gradients, and notes what is infinite.
     *
     * @param optimizer
     *            whose gradients they are
     * @param inverse
     *            the factor, a scalar
     * @param zero
     *            what is found before anything is: a scalar of 0, copied for each device
     * @param allowHalf
     *            whether float16 is allowed
     * @throws IllegalArgumentException
     *             if a gradient is float16 and that is not allowed
     */
    void unscale(Optimizer optimizer, Tensor inverse, Tensor zero, boolean allowHalf) {
        Map<Device, Map<DType, List<TensorImpl>>> grads = gradients(optimizer, allowHalf);
        grads.forEach((device, byType) -> {
            // PyTorch copies both scalars once per device, also to the one they are on
            try (Ref<Tensor> copy = new Ref<>()) {
                byType.forEach((dtype, list) -> {
                    Tensor here = found.computeIfAbsent(device, d -> Scope.release(copyTo(zero, d)));
                    if (copy.get() == null) {
                        copy.set(copyTo(inverse, device));
                    }
                    Fused.unscale(list, here.impl(), copy.get().impl());
                });
            }
        });
    }

    private static Map<Device, Map<DType, List<TensorImpl>>> gradients(Optimizer optimizer, boolean allowHalf) {
        Map<Device, Map<DType, List<TensorImpl>>> grads = new LinkedHashMap<>();
        for (ParamGroup group : optimizer.paramGroups()) {
            for (Tensor p : group.params()) {
                TensorImpl grad = p.impl().grad();
                if (grad == null) {
                    continue;
                }
                if (grad.isSparse()) {
                    grad = rows(p, grad);
                }
                if (!allowHalf && grad.dtype() == DType.FLOAT16) {
                    throw new IllegalArgumentException("Attempting to unscale FP16 gradients. The parameter is "
                            + p.describe() + ": keep parameters float32 (no model.half()) and let Autocast convert.");
                }
                grads.computeIfAbsent(grad.device(), d -> new LinkedHashMap<>())
                        .computeIfAbsent(grad.dtype(), d -> new ArrayList<>()).add(grad);
            }
        }
        return grads;
    }

    /** What of a sparse gradient is unscaled: its rows, merged where sums of halves could overflow. */
    private static TensorImpl rows(Tensor p, TensorImpl grad) {
        if (grad.dtype() == DType.FLOAT16) {
            p.impl().grad(Coalescing.of(grad));
        }
        return p.impl().grad().values();
    }

    private static Tensor copyTo(Tensor t, Device device) {
        return t.device() == device ? t.clone() : t.to(device);
    }

    /** The findings of all devices together, on one of them: a tensor of its own. */
    Tensor sum(Device device) {
        try (Ref<Tensor> sum = new Ref<>()) {
            for (Tensor t : found.values()) {
                try (Tensor here = t.to(device)) {
                    sum.set(sum.get() == null ? here.add(0) : sum.get().add(here));
                }
            }
            return sum.take();
        }
    }

    /** A device that has shapes and no values has no infinities either. */
    private static boolean isOverflow(Tensor found) {
        return found.device().kind() != Device.Kind.SHAPES_ONLY && found.item() != 0;
    }

    /** Gives the findings back. */
    void close() {
        found.values().forEach(Tensor::close);
    }
}
