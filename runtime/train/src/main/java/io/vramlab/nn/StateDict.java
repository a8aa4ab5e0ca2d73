package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Loading of saved values into a module, in {@code load_state_dict}'s order. What is to be done is looked up first, so that a
 * state that does not fit changes nothing; hooks after loading must see the loaded module and may pardon what did not agree, so
 * with them errors come at the end, as in PyTorch.
 */
final class StateDict {

    private final Module module;
    private final Map<String, Tensor> values;
    private final boolean strict;
    private final boolean assign;
    private final IncompatibleKeys keys = new IncompatibleKeys(new ArrayList<>(), new ArrayList<>());
    private final List<String> errors = new ArrayList<>();
    private final List<Runnable> copies = new ArrayList<>();
    private final List<Runnable> after = new ArrayList<>();

    StateDict(Module module, Map<String, ? extends Tensor> values, boolean strict, boolean assign) {
        this.module = module;
        this.values = new LinkedHashMap<>(values);
        this.strict = strict;
        this.assign = assign;
    }

    IncompatibleKeys load() {
        TreeSet<String> taken = new TreeSet<>();
        look(module, "", taken);
        values.keySet().stream().filter(name -> !taken.contains(name)).forEach(keys.unexpectedKeys()::add);
        if (after.isEmpty()) {
            check();
        }
        try (GradMode.State off = GradMode.enter(false)) {
            copies.forEach(Runnable::run);
        }
        after.forEach(Runnable::run);
        check();
        return keys;
    }

    private void look(Module each, String prefix, TreeSet<String> taken) {
        each.loadBefore().forEach(hook -> hook.accept(each, values, prefix));
        each.own().forEach((name, target) -> {
            Tensor given = values.get(prefix + name);
            taken.add(prefix + name);
            if (given == null) {
                keys.missingKeys().add(prefix + name);
            } else if (!Arrays.equals(given.shape(), target.shape())) {
                errors.add("size mismatch for " + prefix + name + ": copying a param with shape "
                        + Arrays.toString(given.shape()) + ", the shape in the model is "
                        + Arrays.toString(target.shape()) + ".");
            } else {
                copies.add(assign ? () -> target.setData(given) : () -> target.copy_(given));
            }
        });
        if (each.takesExtraState()) {
            String name = prefix + StoredMembers.EXTRA;
            taken.add(name);
            if (values.containsKey(name)) {
                Tensor extra = values.get(name);
                copies.add(() -> each.setExtraState(extra));
            } else {
                keys.missingKeys().add(name);
            }
        }
        each.namedChildren().forEach((name, m) -> look(m, prefix + name + ".", taken));
        each.loadAfter().forEach(hook -> after.add(() -> hook.accept(each, keys)));
    }

    private void check() {
        List<String> all = new ArrayList<>();
        if (strict && !keys.isEmpty()) {
            all.add("missing keys " + keys.missingKeys() + ", unexpected keys " + keys.unexpectedKeys()
                    + ". Give exactly the names of its stateDict(), or load it with strict false.");
        }
        all.addAll(errors);
        if (!all.isEmpty()) {
            throw new IllegalArgumentException("Error(s) in loading state_dict for "
                    + module.getClass().getSimpleName() + ": " + String.join(" ", all));
        }
    }
}
