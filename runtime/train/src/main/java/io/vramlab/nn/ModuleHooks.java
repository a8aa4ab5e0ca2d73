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

    /** The same hooks, from now on apart. */
    ModuleHooks copy() {
        ModuleHooks made = new ModuleHooks();
        made.before.addAll(before);
        made.after.addAll(after);
        made.backwardBefore.addAll(backwardBefore);
        made.backward.addAll(backward);
        return made;
    }

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
        try (Held output = new Held(null)) {
            try (Held input = new Held(given)) {
                before(module, input);
                if (backward.isEmpty() && backwardBefore.isEmpty()) {
                    output.replace(forward.apply(input.get()));
                    after(module, input.get(), output);
                } else {
                    GradientHooks gradients = new GradientHooks(module, List.copyOf(backwardBefore),
                            List.copyOf(backward));
                    input.replace(gradients.input(input.get()));
                    output.replace(forward.apply(input.get()));
                    after(module, input.get(), output);
                    output.replace(gradients.output(output.get()));
                }
            }
            // it may be what the input stood for
            return output.given();
        }
    }

    private void before(Module module, Held input) {
        for (Module.ForwardPreHook hook : List.copyOf(before)) {
            input.replace(Scope.ofProgram(() -> {
                Lifetimes.calling(hook, Lifetimes.ANY);
                return hook.apply(module, input.get());
            }));
        }
    }

    private void after(Module module, Tensor input, Held output) {
        for (Module.ForwardHook hook : List.copyOf(after)) {
            output.replace(Scope.ofProgram(() -> {
                Lifetimes.calling(hook, Lifetimes.ANY);
                return hook.apply(module, input, output.get());
            }));
        }
    }
}
