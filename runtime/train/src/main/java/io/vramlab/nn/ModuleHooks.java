package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A module's hooks, and a call with them: those before, then the module, then those after, between two steps of the graph that
 * tell of gradients, as torch.nn.Module's call does it.
 */
final class ModuleHooks {

    final List<Module.ForwardPreHook> before = new ArrayList<>();
    final List<Module.ForwardHook> after = new ArrayList<>();
    final List<Module.BackwardPreHook> backwardBefore = new ArrayList<>();
    final List<Module.BackwardHook> backward = new ArrayList<>();

    /** Adds a hook; the handle takes that one off. */
    static <H> RemovableHandle add(List<H> hooks, H hook) {
        hooks.add(hook);
        return new RemovableHandle(() -> {
            for (int i = 0; i < hooks.size(); i++) {
                if (hooks.get(i) == hook) {
                    hooks.remove(i);
                    return;
                }
            }
        });
    }

    /** The module's output for an input, through all hooks. */
    Tensor around(Module module, Tensor given, UnaryOperator<Tensor> forward) {
        Tensor input = given;
        for (Module.ForwardPreHook hook : List.copyOf(before)) {
            Tensor seen = input;
            Tensor other = Scope.ofProgram(() -> hook.apply(module, seen));
            input = other == null ? input : other;
        }
        if (backward.isEmpty() && backwardBefore.isEmpty()) {
            return after(module, input, forward.apply(input));
        }
        GradientHooks gradients = new GradientHooks(module, List.copyOf(backwardBefore), List.copyOf(backward));
        Tensor tied = gradients.input(input);
        Lifetimes.hold(tied);
        Tensor output = after(module, tied, forward.apply(tied));
        Tensor result = gradients.output(output);
        if (result != output) {
            Lifetimes.hold(output);
            Lifetimes.drop(output);
        }
        Lifetimes.drop(tied);
        return result;
    }

    private Tensor after(Module module, Tensor input, Tensor first) {
        Tensor output = first;
        for (Module.ForwardHook hook : List.copyOf(after)) {
            Tensor seen = output;
            Tensor other = Scope.ofProgram(() -> hook.apply(module, input, seen));
            output = other == null ? output : other;
        }
        return output;
    }
}
