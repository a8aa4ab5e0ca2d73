package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A layer, or a model made of layers; see the package comment. Members are found through fields of the types
 * {@link Parameter}, {@link Buffer} and {@link Module}, and through lists, arrays and maps of these; or given by name:
 * {@link #registerBuffer}, {@link #registerParameter}, {@link #registerModule}.
 *
 * <p>
 * Constructors make parameters on the current device, as float32, and fail as any tensor does if it has no room.
 */
public abstract non-sealed class Module extends ConvertibleMembers implements AutoCloseable {

    private boolean training = true;
    private ModuleHooks hooks;
    private final Map<String, Parametrization> parametrizations = new LinkedHashMap<>();
    private final Map<Tensor, Parametrization> computed = new IdentityHashMap<>();

    /** In training mode, without members yet. */
    protected Module() {
        // members are the subclass's fields
    }

    /** Before a module is called; see {@link #registerForwardPreHook}. */
    @FunctionalInterface
    public interface ForwardPreHook {
        /**
         * {@return another input, or null for the one that is given}
         *
         * @param module
         *            the one that is called
         * @param input
         *            borrowed
         */
        Tensor apply(Module module, Tensor input);
    }

    /** After a module was called; see {@link #registerForwardHook}. */
    @FunctionalInterface
    public interface ForwardHook {
        /**
         * {@return another output, or null for the one that is given}
         *
         * @param module
         *            the one that was called
         * @param input
         *            borrowed
         * @param output
         *            borrowed
         */
        Tensor apply(Module module, Tensor input, Tensor output);
    }

    /** Before a module's backward; see {@link #registerFullBackwardPreHook}. */
    @FunctionalInterface
    public interface BackwardPreHook {
        /**
         * {@return another gradient of the output, or null for the one that is given}
         *
         * @param module
         *            the one that was called
         * @param gradOutput
         *            borrowed
         */
        Tensor apply(Module module, Tensor gradOutput);
    }

    /** After a module's backward; see {@link #registerFullBackwardHook}. */
    @FunctionalInterface
    public interface BackwardHook {
        /**
         * {@return another gradient of the input, or null for the one that is given, which is null where the input
         * wants none}
         *
         * @param module
         *            the one that was called
         * @param gradInput
         *            borrowed, or null
         * @param gradOutput
         *            borrowed
         */
        Tensor apply(Module module, Tensor gradInput, Tensor gradOutput);
    }

    /**
     * Computes the output. Called by {@link #call}, in a scope that lets go what is not returned.
     *
     * @param input
     *            borrowed
     * @return the output; it may be the input itself
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input's shape, dtype or device is none that the module takes
     * @throws UnsupportedOperationException
     *             if the module has none, as one that takes several tensors
     */
    public Tensor forward(Tensor input) {
        throw new UnsupportedOperationException("Module [" + getClass().getSimpleName()
                + "] is missing the required \"forward\" function of one tensor: call(x) was asked of it, which runs that. Give it one, or "
                + "call what it has: a module of several tensors gives itself a call of its own.");
    }

    /**
     * {@link #forward} in a scope of its own; what PyTorch writes as {@code model(x)}.
     *
     * @param input
     *            borrowed; the caller goes on owning it
     * @return what {@link #forward}, or the last hook, gave
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input's shape, dtype or device is none that the module takes
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room for the output or for what is needed on the way
     */
    public final Tensor call(Tensor input) {
        Lifetimes.enters(this);
        try {
            return called(input);
        } finally {
            Lifetimes.leaves(this);
        }
    }

    private Tensor called(Tensor input) {
        if (Lifetimes.isForwardWoven(this)) {
            boolean given = Lifetimes.isCalledByWoven(Lifetimes.ANY);
            // held during the call, as by the arguments of torch.nn.Module.__call__
            Lifetimes.hold(input);
            Tensor output = null;
            try {
                output = hooks == null ? wovenForward(input) : hooks.around(this, input, this::wovenForward);
                // it may be the input itself, which goes below
                Lifetimes.hold(output);
                return output;
            } finally {
                Lifetimes.dropParameter(input, given);
                Lifetimes.unhold(output);
            }
        }
        try (Scope scope = Scope.inner()) {
            return scope.keep(hooks == null ? forward(input) : hooks.around(this, input, this::forward));
        }
    }

    private Tensor wovenForward(Tensor input) {
        Lifetimes.calling(Lifetimes.ANY);
        return forward(input);
    }

    /**
     * Runs a hook before each {@link #call} of one tensor; it may give another input. What a hook makes is its own: the module lets
     * none of it go. PyTorch's {@code register_forward_pre_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerForwardPreHook(ForwardPreHook hook) {
        return ModuleHooks.add(hooks().before, hook);
    }

    /**
     * Runs a hook after each {@link #call} of one tensor; it may give another output. To keep the output, keep {@code output.detach()}
     * or {@code clone()}: the output itself is let go when the caller lets it go. PyTorch's
     * {@code register_forward_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerForwardHook(ForwardHook hook) {
        return ModuleHooks.add(hooks().after, hook);
    }

    /**
     * Runs a hook when the gradient of the output of a {@link #call} is known, before the module's own backward.
     * PyTorch's {@code register_full_backward_pre_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerFullBackwardPreHook(BackwardPreHook hook) {
        // the graph holds it then
        Lifetimes.escape(this);
        return ModuleHooks.add(hooks().backwardBefore, hook);
    }

    /**
     * Runs a hook when the gradient of the input of a {@link #call} is known; where the input wants none, when that of the output
     * is. It may give another gradient of the input. The gradients are borrowed. PyTorch's
     * {@code register_full_backward_hook}.
     *
     * @param hook
     *            called in the order of registration
     * @return the handle that takes it off again
     */
    public final RemovableHandle registerFullBackwardHook(BackwardHook hook) {
        // the graph holds it then
        Lifetimes.escape(this);
        return ModuleHooks.add(hooks().backward, hook);
    }

    private ModuleHooks hooks() {
        if (hooks == null) {
            hooks = new ModuleHooks();
        }
        return hooks;
    }

    /**
     * {@return a parameter as {@link #forward} is to read it: what a parametrization makes of it, see
     * {@link Parametrizations}, or itself}
     *
     * @param parameter
     *            one of this module's own, or null
     */
    protected final Tensor parametrized(Parameter parameter) {
        Parametrization by = computed.isEmpty() ? null : computed.get(parameter);
        return by == null ? parameter : by.value();
    }

    final Map<String, Parametrization> parametrizations() {
        return parametrizations;
    }

    final void parametrize(String name, Parameter parameter, Parametrization by) {
        parametrizations.put(name, by);
        computed.put(parameter, by);
        by.train(training);
    }

    final Parameter unparametrize(String name) {
        Parametrization gone = parametrizations.remove(name);
        Tensor parameter = computed.entrySet().stream().filter(e -> e.getValue() == gone).findFirst().orElseThrow()
                .getKey();
        computed.remove(parameter);
        return (Parameter) parameter;
    }

    /** {@return the same as {@link #isTraining}, by PyTorch's name} */
    public final boolean training() {
        return training;
    }

    /** {@return true in training (the default), false after {@link #eval}} */
    public final boolean isTraining() {
        return training;
    }

    /**
     * Training behaviour, for this module and all inside it: dropout drops, batch norm uses the batch's statistics.
     *
     * @return this
     */
    public final Module train() {
        return train(true);
    }

    /**
     * Training or inference behaviour, for this module and all inside it.
     *
     * @param on
     *            true for training, false for inference
     * @return this
     */
    public final Module train(boolean on) {
        modules().forEach(m -> m.training = on);
        return this;
    }

    /**
     * Inference behaviour, for this module and all inside it.
     *
     * @return this
     */
    public final Module eval() {
        return train(false);
    }

    /**
     * Calls something with this module and all inside it, the inner ones first.
     *
     * @param action
     *            called once per module
     * @return this
     */
    public final Module apply(Consumer<Module> action) {
        List<Module> all = new ArrayList<>(modules());
        Collections.reverse(all);
        all.forEach(action);
        return this;
    }

    /** {@return the number of elements of all parameters; times 4 it is their bytes in float32} */
    public final long parameterCount() {
        return parameters().stream().mapToLong(Tensor::numel).sum();
    }

    /** Drops the gradients of all parameters. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /**
     * Drops or clears the gradients of all parameters.
     *
     * @param setToNone
     *            true gives their memory back; false fills them with zeros where they lie
     */
    public final void zeroGrad(boolean setToNone) {
        for (Parameter p : parameters()) {
            if (setToNone) {
                p.grad(null);
            } else {
                try (Tensor grad = p.grad(); GradMode.State off = GradMode.enter(false)) {
                    if (grad != null) {
                        grad.requiresGrad_(false).zero_();
                    }
                }
            }
        }
    }

    /**
     * Whether all parameters collect gradients.
     *
     * @param wanted
     *            false freezes the module
     * @return this
     */
    public final Module requiresGrad_(boolean wanted) {
        parameters().forEach(p -> p.requiresGrad_(wanted));
        return this;
    }

    /**
     * A module like that one, with values of its own: Python's {@code copy.deepcopy}. Parameters, buffers and other tensors, and all modules inside, are
     * copied, without gradients; tied weights stay tied; hooks, and objects of a program's own in fields, are shared.
     *
     * @param <M>
     *            its class
     * @param module
     *            of any class, a program's own too; borrowed
     * @return a new module on the same devices, in the same dtypes and mode
     * @throws IllegalArgumentException
     *             if it has parametrizations, or holds a tensor that is no leaf
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if a device has no room for the copies
     */
    public static <M extends Module> M deepCopy(M module) {
        return new DeepCopy().of(module);
    }

    /** Closes all parameters and buffers. */
    @Override
    public void close() {
        parameters().forEach(Tensor::close);
        buffers().forEach(Tensor::close);
    }

    /** {@return what stands in the parentheses of {@link #toString}: sizes and settings; nothing by default} */
    protected String extraRepr() {
        return "";
    }

    /** The module as a tree, as PyTorch prints it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(getClass().getSimpleName()).append('(').append(extraRepr());
        Map<String, Module> children = namedChildren();
        children.forEach((name, m) -> text.append("\n  (").append(name).append("): ")
                .append(m.toString().replace("\n", "\n  ")));
        return text.append(children.isEmpty() ? ")" : "\n)").toString();
    }
}
