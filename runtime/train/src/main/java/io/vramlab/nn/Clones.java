package io.vramlab.nn;

import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.Map;
import java.util.function.Supplier;

/** Modules made after another: what copy.deepcopy does of a layer. */
final class Clones {

    private Clones() {
    }

    /** A new module with the values of that one, on its device, in its dtype and mode. */
    static <M extends Module> M like(M module, Supplier<M> form) {
        Map<String, Tensor> values = module.stateDict();
        Tensor first = values.values().iterator().next();
        Device before = Device.current();
        Device.set(first.device());
        try {
            for (Buffer each : module.buffers()) {
                // Tensor.__deepcopy__ makes a scalar for a moment, to give it the copied storage
                each.newEmpty().close();
            }
            M made = form.get();
            if (made.stateDict().values().iterator().next().dtype() != first.dtype()) {
                made.to(first.dtype());
            }
            try (GradMode.State off = GradMode.enter(false)) {
                made.stateDict().forEach((name, t) -> t.copy_(values.get(name)));
            }
            made.train(module.isTraining());
            return made;
        } finally {
            Device.set(before);
        }
    }
}
