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

    /** A copy is made anew, and only of the library's own classes is it known how. */
    static void isExactly(Module module, Class<? extends Module> known) {
        if (module.getClass() != known) {
            throw new IllegalArgumentException("Copies were asked for of a " + module.getClass().getSimpleName()
                    + ", which extends " + known.getSimpleName() + ": only a " + known.getSimpleName()
                    + " itself can be copied, because a class of your own may hold what nobody else knows how to make."
                    + " Make as many layers as you need, and call them one after the other in a module of your own.");
        }
    }

    /** A new module with the values of that one, on its device, in its dtype and mode. */
    static <M extends Module> M like(M module, Supplier<M> form) {
        Map<String, Tensor> values = module.stateDict("", true);
        Tensor first = values.values().iterator().next();
        Device before = Device.current();
        Device.set(first.device());
        try {
            for (Buffer each : module.buffers()) {
                // Tensor.__deepcopy__ makes a scalar for a moment, to give it the copied storage
                each.newEmpty().close();
            }
            M made = form.get();
            Map<String, Tensor> members = made.stateDict("", true);
            if (members.values().iterator().next().dtype() != first.dtype()) {
                made.to(first.dtype());
            }
            try (GradMode.State off = GradMode.enter(false)) {
                members.forEach((name, t) -> t.copy_(values.get(name)));
            }
            made.train(module.isTraining());
            return made;
        } finally {
            Device.set(before);
        }
    }
}
