package io.vramlab.optim;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Parameters that share their settings, by PyTorch's names: {@code lr}, {@code momentum}, {@code weight_decay}, … Those
 * a group does not set are its optimizer's defaults.
 */
public final class ParamGroup extends Owner {

    private final List<Tensor> params;
    private final Map<String, Double> settings = new TreeMap<>();
    private final Set<String> own = new HashSet<>();

    /**
     * A group of those parameters, in order.
     *
     * @param params
     *            leaves, in order; held, and not closed
     */
    public ParamGroup(List<? extends Tensor> params) {
        this.params = new ArrayList<>(params);
    }

    /** {@return the parameters, in order} */
    public List<Tensor> params() {
        Lifetimes.shows(this, params);
        return List.copyOf(params);
    }

    /**
     * {@return the value of a setting}
     *
     * @param name
     *            PyTorch's, for instance {@code lr}
     * @throws IllegalArgumentException
     *             if there is none of that name
     */
    public double get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("The setting \"" + name
                + "\" was asked of a parameter group that has " + settings.keySet() + ": name one of these."));
    }

    /**
     * {@return the value of a setting, if there is one}
     *
     * @param name
     *            PyTorch's, for instance {@code momentum}
     */
    public Optional<Double> find(String name) {
        return Optional.ofNullable(settings.get(name));
    }

    /**
     * Gives a setting a value.
     *
     * @param name
     *            PyTorch's, for instance {@code weight_decay}
     * @param value
     *            truth values are 1 and 0; not checked
     * @return this
     */
    public ParamGroup set(String name, double value) {
        settings.put(name, value);
        own.add(name);
        return this;
    }

    /**
     * {@return the learning rate that it has now}
     *
     * @throws IllegalArgumentException
     *             if it has none of its own and no optimizer yet
     */
    public double lr() {
        return get("lr");
    }

    /**
     * Learning rate.
     *
     * @param value
     *            0 or more; not checked
     * @return this
     */
    public ParamGroup lr(double value) {
        return set("lr", value);
    }

    /**
     * Sets the group's own weight decay.
     *
     * @param value
     *            0 or more
     * @return this
     */
    public ParamGroup weightDecay(double value) {
        return set("weight_decay", value);
    }

    /**
     * Sets the group's own momentum.
     *
     * @param value
     *            0 or more
     * @return this
     */
    public ParamGroup momentum(double value) {
        return set("momentum", value);
    }

    /**
     * Sets what the group adds to denominators.
     *
     * @param value
     *            0 or more
     * @return this
     */
    public ParamGroup eps(double value) {
        return set("eps", value);
    }

    /**
     * Sets how much of the group's averages stays.
     *
     * @param beta1
     *            of the gradients', in [0, 1)
     * @param beta2
     *            of their squares', in [0, 1)
     * @return this
     */
    public ParamGroup betas(double beta1, double beta2) {
        return set("beta1", beta1).set("beta2", beta2);
    }

    Map<String, Double> settings() {
        return settings;
    }

    /** What an optimizer was given: groups, or parameters, which are one. */
    static List<ParamGroup> of(List<?> params) {
        List<ParamGroup> groups = new ArrayList<>();
        List<Tensor> loose = new ArrayList<>();
        for (Object each : params) {
            switch (each) {
                case ParamGroup group -> groups.add(group);
                case Tensor tensor -> loose.add(tensor);
                case null, default -> throw new IllegalArgumentException("An optimizer was given "
                        + (each == null ? "null" : "a " + each.getClass().getSimpleName())
                        + " among its parameters: give it tensors, as model.parameters() does, or groups of them, new ParamGroup(tensors).");
            }
        }
        if (!groups.isEmpty() && !loose.isEmpty()) {
            throw new IllegalArgumentException("An optimizer was given " + loose.size() + " tensors and "
                    + groups.size()
                    + " groups: it takes either. Put the tensors into a group, new ParamGroup(tensors).");
        }
        return groups.isEmpty() ? List.of(new ParamGroup(loose)) : groups;
    }

    void byDefault(String name, double value) {
        if (!own.contains(name)) {
            settings.put(name, value);
        }
    }

    void defaults(Map<String, Double> defaults) {
        defaults.forEach(settings::putIfAbsent);
    }

    @Override
    public String toString() {
        return "ParamGroup(" + params.size() + " parameters, " + settings + ")";
    }
}
