package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A module's state: what of it is stored and loaded, and the hooks around both. */
abstract sealed class StoredMembers extends ListedMembers permits ConvertibleMembers {

    /** The name under which {@link #getExtraState} stands in a state. */
    static final String EXTRA = "_extra_state";

    private List<StateDictPreHook> stateBefore = List.of();
    private List<StateDictHook> stateAfter = List.of();
    private List<LoadStateDictPreHook> loadBefore = List.of();
    private List<LoadStateDictPostHook> loadAfter = List.of();

    /** Before a module's state is put together; see {@link #registerStateDictPreHook}. */
    @FunctionalInterface
    public interface StateDictPreHook {
        /**
         * Called before the module's members are put into a state.
         *
         * @param module
         *            the one whose state is asked for
         * @param prefix
         *            what stands before its names there: empty, or a path and a dot
         */
        void accept(Module module, String prefix);
    }

    /** After a module's state was put together; see {@link #registerStateDictPostHook}. */
    @FunctionalInterface
    public interface StateDictHook {
        /**
         * Called when the module's members, and those of all modules inside it, are in a state.
         *
         * @param module
         *            the one whose state is asked for
         * @param state
         *            so far; may be changed
         * @param prefix
         *            what stands before its names there: empty, or a path and a dot
         */
        void accept(Module module, Map<String, Tensor> state, String prefix);
    }

    /** Before a module is loaded; see {@link #registerLoadStateDictPreHook}. */
    @FunctionalInterface
    public interface LoadStateDictPreHook {
        /**
         * Called before the module takes its values out of a state.
         *
         * @param module
         *            the one that is to be loaded
         * @param state
         *            all of it, a copy of the map that was given: names may be changed here
         * @param prefix
         *            what stands before the module's names there: empty, or a path and a dot
         */
        void accept(Module module, Map<String, Tensor> state, String prefix);
    }

    /** After a module was loaded; see {@link #registerLoadStateDictPostHook}. */
    @FunctionalInterface
    public interface LoadStateDictPostHook {
        /**
         * Called when the module, and all inside it, have taken their values.
         *
         * @param module
         *            the one that was loaded
         * @param keys
         *            what did not agree so far; may be changed
         */
        void accept(Module module, IncompatibleKeys keys);
    }

    private Module self() {
        return (Module) this;
    }

    /**
     * {@return parameters, persistent buffers and extra states by path} Parameters and buffers are {@link Tensor#detach}ed, as in
     * PyTorch: tensors of their own on the members' memory, outside the graph, which keep that memory when the module goes. Where nobody
     * counts, whoever asked closes them, his {@link io.vramlab.tensor.Scope} or the collector. A module that is used in several places
     * stands there several times, as a tied parameter does.
     */
    public final Map<String, Tensor> stateDict() {
        return stateDict("");
    }

    /**
     * {@return parameters, persistent buffers and extra states by path, detached}
     *
     * @param prefix
     *            before every path, as it stands: end it with a dot
     */
    public final Map<String, Tensor> stateDict(String prefix) {
        return stateDict(prefix, false);
    }

    /**
     * {@return parameters, persistent buffers and extra states by path}
     *
     * @param prefix
     *            before every path, as it stands: end it with a dot
     * @param keepVars
     *            true gives the parameters and buffers themselves, borrowed, and not detached tensors on their memory
     */
    public final Map<String, Tensor> stateDict(String prefix, boolean keepVars) {
        Map<String, Tensor> state = new LinkedHashMap<>();
        if (store(state, prefix, keepVars)) {
            // a hook may have kept what it saw, or the map
            state.values().forEach(Lifetimes::escape);
        }
        return state;
    }

    /** Whether a hook saw the state. */
    private boolean store(Map<String, Tensor> state, String prefix, boolean keepVars) {
        List.copyOf(stateBefore).forEach(hook -> hook.accept(self(), prefix));
        own().forEach((name, t) -> state.put(prefix + name, keepVars ? t : detached(t)));
        Tensor extra = getExtraState();
        if (extra != null) {
            // nobody counts what a map of ours holds
            Lifetimes.escape(extra);
            state.put(prefix + EXTRA, extra);
        }
        boolean seen = !stateAfter.isEmpty();
        for (Map.Entry<String, Module> each : namedChildren().entrySet()) {
            seen |= ((StoredMembers) each.getValue()).store(state, prefix + each.getKey() + ".", keepVars);
        }
        List.copyOf(stateAfter).forEach(hook -> hook.accept(self(), state, prefix));
        return seen;
    }

    private static Tensor detached(Tensor member) {
        Tensor made = member.detach();
        Lifetimes.offer(made);
        return made;
    }

    /** Own parameters and persistent buffers by name. */
    final Map<String, Tensor> own() {
        Map<String, Tensor> own = new LinkedHashMap<>(Members.of(self(), Parameter.class));
        Members.of(self(), Buffer.class).forEach((name, b) -> {
            if (b.isPersistent()) {
                own.put(name, b);
            }
        });
        return own;
    }

    /**
     * Copies values into parameters and buffers, from whatever device and dtype.
     *
     * @param values
     *            by path, as {@link #stateDict} names them; borrowed
     * @return two empty lists
     * @throws IllegalArgumentException
     *             if names or shapes differ; then nothing is changed, unless there are hooks after loading
     */
    public final IncompatibleKeys loadStateDict(Map<String, ? extends Tensor> values) {
        return loadStateDict(values, true);
    }

    /**
     * Copies values into parameters and buffers, from whatever device and dtype.
     *
     * @param values
     *            by path, as {@link #stateDict} names them; borrowed
     * @param strict
     *            false copies what agrees in its name and leaves the rest; shapes must agree all the same
     * @return the names that the one or the other lacks
     * @throws IllegalArgumentException
     *             if shapes, or when strict names, differ; then nothing is changed, unless there are hooks after loading
     */
    public final IncompatibleKeys loadStateDict(Map<String, ? extends Tensor> values, boolean strict) {
        return loadStateDict(values, strict, false);
    }

    /**
     * Copies or takes values for parameters and buffers.
     *
     * @param values
     *            by path, as {@link #stateDict} names them; borrowed
     * @param strict
     *            false loads what agrees in its name and leaves the rest; shapes must agree all the same
     * @param assign
     *            true lets the members have the given tensors' memory, with its device and dtype, instead of a copy of the values;
     *            their own goes
     * @return the names that the one or the other lacks
     * @throws IllegalArgumentException
     *             if shapes, or when strict names, differ; then nothing is changed, unless there are hooks after loading
     */
    public final IncompatibleKeys loadStateDict(Map<String, ? extends Tensor> values, boolean strict, boolean assign) {
        return new StateDict(self(), values, strict, assign).load();
    }

    /**
     * {@return what else belongs to the module's state, as a tensor; null, as here, for nothing} It stands in {@link #stateDict} as
     * {@code _extra_state}. To be overridden together with {@link #setExtraState}.
     */
    public Tensor getExtraState() {
        return null;
    }

    /**
     * Takes what {@link #getExtraState} gave, out of a state that is loaded. To be overridden together with it.
     *
     * @param state
     *            borrowed
     * @throws UnsupportedOperationException
     *             here, where there is none
     */
    public void setExtraState(Tensor state) {
        throw new UnsupportedOperationException("An extra state was loaded into a " + getClass().getSimpleName()
                + ", which has none. Override setExtraState where getExtraState is overridden.");
    }

    /** Whether the module's class takes an extra state. */
    final boolean takesExtraState() {
        try {
            Class<?> by = getClass().getMethod("setExtraState", Tensor.class).getDeclaringClass();
            return by != StoredMembers.class && by != Module.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs a hook before the module's members are put into a state. PyTorch's {@code register_state_dict_pre_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerStateDictPreHook(StateDictPreHook hook) {
        return ModuleHooks.add(stateBefore = own(stateBefore), hook);
    }

    /**
     * Runs a hook when the members of the module, and of all inside it, are in a state. PyTorch's
     * {@code register_state_dict_post_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerStateDictPostHook(StateDictHook hook) {
        return ModuleHooks.add(stateAfter = own(stateAfter), hook);
    }

    /**
     * Runs a hook before the module takes its values out of a state: the place to rename what older states named otherwise. PyTorch's
     * {@code register_load_state_dict_pre_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerLoadStateDictPreHook(LoadStateDictPreHook hook) {
        return ModuleHooks.add(loadBefore = own(loadBefore), hook);
    }

    /**
     * Runs a hook when the module, and all inside it, have taken their values. PyTorch's
     * {@code register_load_state_dict_post_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerLoadStateDictPostHook(LoadStateDictPostHook hook) {
        return ModuleHooks.add(loadAfter = own(loadAfter), hook);
    }

    private static <H> List<H> own(List<H> hooks) {
        return hooks.isEmpty() ? new ArrayList<>() : hooks;
    }

    final List<LoadStateDictPreHook> loadBefore() {
        return List.copyOf(loadBefore);
    }

    final List<LoadStateDictPostHook> loadAfter() {
        return List.copyOf(loadAfter);
    }
}
