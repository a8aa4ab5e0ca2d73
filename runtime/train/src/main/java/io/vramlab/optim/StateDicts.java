package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An optimizer's state as PyTorch's {@code state_dict()}: by the parameters' numbers, and the groups' settings. */
final class StateDicts {

    private static final String STATE = "state";
    private static final String GROUPS = "param_groups";
    private static final String PARAMS = "params";

    private StateDicts() {
    }

    static Map<String, Object> of(Optimizer optimizer) {
        Map<Integer, Map<String, Object>> states = new LinkedHashMap<>();
        List<Map<String, Object>> groups = new ArrayList<>();
        int number = 0;
        for (ParamGroup group : optimizer.paramGroups()) {
            List<Integer> numbers = new ArrayList<>();
            for (Tensor p : group.params()) {
                ParamState state = optimizer.state(p);
                if (state.step() > 0 || !state.isEmpty()) {
                    states.put(number, new ParamStateDict(state));
                }
                numbers.add(number++);
            }
            Map<String, Object> settings = new LinkedHashMap<>(group.settings());
            settings.put(PARAMS, numbers);
            groups.add(settings);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(STATE, states);
        all.put(GROUPS, groups);
        return all;
    }

    static void load(Optimizer optimizer, Map<String, ?> dict) {
        List<ParamGroup> groups = optimizer.paramGroups();
        List<Map<?, ?>> given = list(dict.get(GROUPS));
        if (given.size() != groups.size()) {
            throw new IllegalArgumentException("An optimizer with " + groups.size()
                    + " parameter groups was given a state of " + given.size()
                    + ": loaded state dict has a different number of parameter groups.");
        }
        for (int i = 0; i < given.size(); i++) {
            int count = list(given.get(i).get(PARAMS)).size();
            if (count != groups.get(i).params().size()) {
                throw new IllegalArgumentException("Group " + i + " has " + groups.get(i).params().size()
                        + " parameters, the state given has " + count
                        + ": loaded state dict contains a parameter group "
                        + "that doesn't match the size of optimizer's group.");
            }
        }
        Map<?, ?> states = (Map<?, ?>) dict.get(STATE);
        Map<Tensor, Map<String, Object>> loaded = new LinkedHashMap<>();
        try {
            for (int i = 0; i < given.size(); i++) {
                List<?> numbers = list(given.get(i).get(PARAMS));
                for (int k = 0; k < numbers.size(); k++) {
                    if (states.get(numbers.get(k)) instanceof Map<?, ?> one) {
                        Tensor param = groups.get(i).params().get(k);
                        take(one, param, loaded.computeIfAbsent(param, p -> new LinkedHashMap<>()));
                    }
                }
            }
            // after the new state is there, as in PyTorch: what is given may be this optimizer's own
            optimizer.forget();
            for (int i = 0; i < given.size(); i++) {
                ParamGroup group = groups.get(i);
                given.get(i).forEach((name, value) -> {
                    if (value instanceof Number number) {
                        group.set((String) name, number.doubleValue());
                    }
                });
            }
            loaded.forEach((param, values) -> fill(optimizer.state(param), values));
        } finally {
            loaded.values().forEach(values -> values.values().forEach(value -> {
                if (value instanceof Tensor moved) {
                    moved.close();
                }
            }));
        }
    }

    /** Each tensor where its parameter is and in its dtype, the same memory where it is so already. */
    private static void take(Map<?, ?> values, Tensor param, Map<String, Object> taken) {
        values.forEach((name, value) -> {
            if (value instanceof Tensor t) {
                boolean follows = !ParamStateDict.STEP.equals(name) && t.dtype().isFloatingPoint();
                taken.put((String) name, t.to(param.device(), follows ? param.dtype() : t.dtype()));
            } else {
                taken.put((String) name, value);
            }
        });
    }

    private static void fill(ParamState state, Map<String, Object> values) {
        values.forEach((name, value) -> {
            if (ParamStateDict.PRODUCT.equals(name) && value instanceof Number product) {
                state.product(product.doubleValue());
            } else if (value instanceof Number steps) {
                state.step(steps.longValue());
            } else if (value instanceof Tensor t) {
                state.set(name, t);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static <T> List<T> list(Object value) {
        if (!(value instanceof List<?> list)) {
            throw new IllegalArgumentException("A state without a list of \"" + GROUPS + "\" or of their \"" + PARAMS
                    + "\" was given: give what stateDict() gave.");
        }
        return (List<T>) list;
    }
}
