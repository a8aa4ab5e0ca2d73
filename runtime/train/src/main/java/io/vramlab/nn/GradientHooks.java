package io.vramlab.nn;

import io.vramlab.tensor.CustomFunction;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.type.AutogradException;
import java.util.List;

/**
 * One call's full backward hooks: steps of the graph around a module that take nothing and hand gradients on. The gradient of
 * the output is kept until that of the input is there, as torch.utils.hooks.BackwardHook keeps it.
 */
final class GradientHooks {

    private static final String NAME = "BackwardHookFunctionBackward";

    private final Module module;
    private final List<Module.BackwardPreHook> before;
    private final List<Module.BackwardHook> hooks;
    private Tensor gradOutput;
    private boolean hasInput;

    GradientHooks(Module module, List<Module.BackwardPreHook> before, List<Module.BackwardHook> hooks) {
        this.module = module;
        this.before = before;
        this.hooks = hooks;
    }

    /** The input as the module gets it. */
    Tensor input(Tensor x) {
        Tensor tied = step(x, this::end);
        hasInput = tied != x;
        return tied;
    }

    /** The output as the caller gets it. */
    Tensor output(Tensor y) {
        return step(y, this::begin);
    }

    private interface Gradient {
        Tensor of(Tensor gradient);
    }

    private static Tensor step(Tensor x, Gradient hook) {
        if (!x.requiresGrad() || !GradMode.isEnabled()) {
            return x;
        }
        Tensor tied = CustomFunction.apply(NAME, new Tensor[]{x}, wanted -> new Tensor[]{x}, () -> new Tensor[0],
                (saved, gradients) -> new Tensor[]{hook.of(gradients[0])})[0];
        Lifetimes.fresh(tied);
        return tied;
    }

    private Tensor begin(Tensor gradient) {
        try (Held current = new Held(gradient)) {
            for (Module.BackwardPreHook hook : before) {
                Lifetimes.calling(hook, Lifetimes.ANY);
                current.replace(hook.apply(module, current.get()));
            }
            if (hasInput) {
                gradOutput = Scope.release(current.get().detach());
            } else {
                look(current.get());
            }
            return current.given();
        }
    }

    private void look(Tensor gradient) {
        for (Module.BackwardHook hook : hooks) {
            Lifetimes.calling(hook, Lifetimes.ANY);
            if (hook.apply(module, null, gradient) != null) {
                throw new AutogradException("A backward hook of " + module.getClass().getSimpleName()
                        + " gave a gradient of the input: Backward hooks for Modules where no input requires gradient "
                        + "should always return null. Nothing would take it.");
            }
        }
    }

    private Tensor end(Tensor gradient) {
        Tensor from = gradOutput;
        gradOutput = null;
        Lifetimes.fresh(from);
        try (Held current = new Held(gradient)) {
            for (Module.BackwardHook hook : hooks) {
                Lifetimes.hold(from);
                Lifetimes.calling(hook, Lifetimes.ANY);
                Tensor other = hook.apply(module, current.get(), from);
                Lifetimes.unhold(from);
                current.replace(other);
            }
            return current.given();
        } finally {
            Lifetimes.done(from);
        }
    }
}
