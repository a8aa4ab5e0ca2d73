package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;

/** Loading of saved values into a module. */
final class StateDict {

    private StateDict() {
    }

    static void copy(Module module, Map<String, Tensor> own, Map<String, ? extends Tensor> values) {
        check(module, own, values);
        try (GradMode.State off = GradMode.enter(false)) {
            own.forEach((name, target) -> target.copy_(values.get(name)));
        }
    }

    private static void check(Module module, Map<String, Tensor> own, Map<String, ? extends Tensor> values) {
        TreeSet<String> missing = new TreeSet<>(own.keySet());
        missing.removeAll(values.keySet());
        TreeSet<String> unexpected = new TreeSet<>(values.keySet());
        unexpected.removeAll(own.keySet());
        if (!missing.isEmpty() || !unexpected.isEmpty()) {
            throw new IllegalArgumentException("Error(s) in loading state_dict for " + module.getClass().getSimpleName()
                    + ": missing keys " + missing + ", unexpected keys " + unexpected
                    + ". Give exactly the names of its stateDict().");
        }
        own.forEach((name, target) -> {
            long[] given = values.get(name).shape();
            if (!Arrays.equals(given, target.shape())) {
                throw new IllegalArgumentException("size mismatch for " + name + ": copying a param with shape "
                        + Arrays.toString(given) + ", the shape in the model is " + Arrays.toString(target.shape())
                        + ".");
            }
        });
    }
}
