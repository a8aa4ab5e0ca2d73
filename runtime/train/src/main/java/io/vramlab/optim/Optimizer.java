package io.vramlab.optim;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Turns gradients into new parameter values. {@link #step} changes the parameters that have a gradient;
 * {@link #zeroGrad} drops the gradients. Closing gives the state's memory back; a dropped optimizer's state goes when
 * the collector finds it.
 */
public abstract class Optimizer extends Owner implements AutoCloseable {

    private final Map<String, Double> defaults = new TreeMap<>();
    private final List<ParamGroup> groups = new ArrayList<>();
    private final Map<Tensor, ParamState> states = new IdentityHashMap<>();
    private Form form = Form.AUTOMATIC;
    private TensorImpl gradScale;
    private TensorImpl foundInf;

    /**
     * An optimizer of those parameters.
     *
     * @param params
     *            leaves, in order; or {@link ParamGroup}s of them; held, and not closed
     * @param defaults
     *            settings by PyTorch's names, for groups that do not set them
     * @throws IllegalArgumentException
     *             if there are none, one is no leaf, or one is named twice
     */
    protected Optimizer(List<?> params, Map<String, Double> defaults) {
        this.defaults.putAll(defaults);
        if (params.isEmpty()) {
            throw new IllegalArgumentException(
                    "An optimizer was made with an empty parameter list: give it model.parameters() of a model that has some.");
        }
        ParamGroup.of(params).forEach(this::addParamGroup);
    }

    /**
     * Adds parameters with settings of their own; what the group does not set is the optimizer's default.
     *
     * @param group
     *            from now on one of the optimizer's; gets the defaults that it does not set
     * @throws IllegalArgumentException
     *             if one of its parameters is no leaf or belongs to a group already
     */
    public final void addParamGroup(ParamGroup group) {
        Map<Tensor, Boolean> seen = new IdentityHashMap<>();
        groups.forEach(g -> g.params().forEach(p -> seen.put(p, true)));
        for (Tensor p : group.params()) {
            if (!p.isLeaf()) {
                throw new IllegalArgumentException("An optimizer was given " + p.describe()
                        + ", a result of " + p.gradFn()
                        + ": it can't optimize a non-leaf tensor. Give it the leaf it was made of.");
            }
            if (seen.put(p, true) != null) {
                throw new IllegalArgumentException("An optimizer was given " + p.describe()
                        + " twice: each parameter belongs to one group, once.");
            }
        }
        group.defaults(defaults);
        groups.add(group);
    }

    /** {@return the groups, in order} */
    public final List<ParamGroup> paramGroups() {
        Lifetimes.shows(this, groups);
        return List.copyOf(groups);
    }

    /**
     * {@return what is remembered of a parameter; empty before its first step}
     *
     * @param param
     *            one of the optimizer's, the very same tensor
     */
    public final ParamState state(Tensor param) {
        ParamState state = states.computeIfAbsent(param, p -> new ParamState());
        Lifetimes.shows(this, List.of(state));
        return state;
    }

    /**
     * Gives a setting a value as default, and in all groups that were not given one of their own.
     *
     * @param name
     *            PyTorch's, for instance {@code momentum}
     * @param value
     *            truth values are 1 and 0; the caller has checked it
     */
    protected final void setting(String name, double value) {
        defaults.put(name, value);
        groups.forEach(g -> g.byDefault(name, value));
    }

    /** {@return the form asked for} */
    public final Form form() {
        return form;
    }

    /**
     * Chooses the form.
     *
     * @param wanted
     *            {@link Form#AUTOMATIC} until then
     */
    protected final void choose(Form wanted) {
        form = wanted;
    }

    /**
     * {@return whether {@link #step} itself divides gradients by a scale and skips after an overflow: the fused form
     * does}
     */
    public final boolean takesGradScale() {
        return form == Form.FUSED;
    }

    /**
     * One step in which gradients count divided by {@code scale}, and that is skipped if {@code found} is not zero; for
     * {@link #takesGradScale() fused} forms.
     *
     * @param scale
     *            float32 scalar, or null if the gradients are divided already
     * @param found
     *            float32 scalar
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room for state or temporaries
     */
    public final void step(Tensor scale, Tensor found) {
        gradScale = scale == null ? null : scale.impl();
        foundInf = found.impl();
        try {
            step();
        } finally {
            gradScale = null;
            foundInf = null;
            Reference.reachabilityFence(scale);
            Reference.reachabilityFence(found);
        }
    }

    /**
     * Changes every parameter that has a gradient. State is made at a parameter's first step; see the subclass for
     * its size and for what a step takes.
     *
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room for state or temporaries
     */
    public final void step() {
        for (ParamGroup group : groups) {
            LaunchGroup batch = new LaunchGroup();
            for (Tensor p : group.params()) {
                TensorImpl grad = p.impl().grad();
                if (grad != null) {
                    takes(grad);
                    ParamState state = state(p);
                    batch.add(p.impl(), grad, state);
                    init(group, p.impl(), state);
                }
            }
            if (batch.size() > 0) {
                step(group, batch);
            }
            Reference.reachabilityFence(group);
        }
    }

    /** What an optimizer says to a gradient that it does not take; SGD and Adagrad take all, SparseAdam only sparse ones. */
    void takes(TensorImpl grad) {
        if (grad.isSparse()) {
            throw new IllegalStateException(getClass().getSimpleName()
                    + " does not support sparse gradients, and one of "
                    + "its parameters has a " + grad.describe()
                    + ": please consider SparseAdam instead, or SGD or Adagrad, or make the embedding without sparse(true).");
        }
    }

    private void step(ParamGroup group, LaunchGroup batch) {
        switch (resolve(batch)) {
            case FUSED -> batch.byDeviceAndDtype().forEach(part -> fused(group, part, gradScale, foundInf));
            case FOREACH -> batch.byDeviceAndDtype().forEach(part -> foreach(group, part));
            default -> forLoop(group, batch);
        }
    }

    private Form resolve(LaunchGroup batch) {
        if (form != Form.AUTOMATIC) {
            return form;
        }
        return batch.params.stream().allMatch(p -> p.device().isCuda() && p.dtype().isFloatingPoint())
                ? Form.FOREACH
                : Form.FOR_LOOP;
    }

    /**
     * Makes the state of a parameter if this is its first step.
     *
     * @param group
     *            whose settings count
     * @param param
     *            the parameter, borrowed
     * @param state
     *            what is remembered of it; empty before its first step
     */
    abstract void init(ParamGroup group, TensorImpl param, ParamState state);

    abstract void forLoop(ParamGroup group, LaunchGroup batch);

    abstract void foreach(ParamGroup group, LaunchGroup batch);

    abstract void fused(ParamGroup group, LaunchGroup batch, TensorImpl scale, TensorImpl found);

    /** Drops the gradients. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /**
     * Drops the gradients, or keeps their memory and fills it with zeros.
     *
     * @param setToNone
     *            true, the default, drops them; false keeps their memory
     */
    public final void zeroGrad(boolean setToNone) {
        List<TensorImpl> kept = new ArrayList<>();
        for (ParamGroup group : groups) {
            for (Tensor p : group.params()) {
                TensorImpl grad = p.impl().grad();
                if (grad != null && setToNone) {
                    p.impl().grad(null);
                } else if (grad != null) {
                    kept.add(grad);
                }
            }
        }
        kept.forEach(g -> Foreach.zero_(List.of(g)));
    }

    /**
     * {@return what is remembered, by PyTorch's names: {@code state}, by the parameters' numbers, the step and the
     * tensors, borrowed; and {@code param_groups}, the settings and the numbers of the parameters} A parameter's state there is the
     * optimizer's own, as in PyTorch: it shows what later steps make of it.
     */
    public final Map<String, Object> stateDict() {
        return StateDicts.of(this);
    }

    /**
     * Remembers what another optimizer's {@link #stateDict} gave. A tensor that is on its parameter's device and of its dtype is
     * shared, as in PyTorch; others are converted.
     *
     * @param state
     *            as {@link #stateDict} gives it; its tensors stay the caller's too
     * @throws IllegalArgumentException
     *             if groups or their sizes differ; then nothing is changed
     */
    public final void loadStateDict(Map<String, ?> state) {
        StateDicts.load(this, state);
    }

    /** As {@link #close}, but what woven code still has of the state, as a state dict, stays. */
    final void forget() {
        List<ParamState> old = ordered();
        states.clear();
        old.forEach(Lifetimes.isCounting() ? ParamState::forget : ParamState::close);
    }

    /** Gives the state's memory back, in the parameters' order: the same program frees in the same order in every run. */
    @Override
    public final void close() {
        List<ParamState> all = ordered();
        states.clear();
        all.forEach(ParamState::close);
    }

    private List<ParamState> ordered() {
        Set<ParamState> all = new LinkedHashSet<>();
        groups.stream().flatMap(group -> group.params().stream()).map(states::get).filter(Objects::nonNull)
                .forEach(all::add);
        all.addAll(states.values());
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + groups;
    }
}
