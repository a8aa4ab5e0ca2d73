package io.vramlab.autograd;

import io.vramlab.device.DType;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.CustomNode;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.SavedTensorHooks;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.BackwardEngine;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Trades computation for memory (Chen et al., "Training deep nets with sublinear memory cost", 2016): the results inside
 * a checkpointed part are not kept for backward but computed again when backward gets there. Random numbers are the same
 * the second time.
 *
 * <p>
 * Less is held after forward; the peak of backward falls only if the model is cut into several parts, because during the
 * recomputation of a part all its results are alive at once.
 */
public final class Checkpoint {

    private Checkpoint() {
    }

    /**
     * PyTorch's {@code checkpoint(function, input, use_reentrant=False)}: the graph stays as it is, only what it would
     * save is dropped. The recomputation stops once everything is there again, and each result goes as soon as its node
     * has used it.
     *
     * <p>
     * Kept for backward: the input and what the function holds itself, not its results.
     *
     * @param function
     *            must compute the same both times
     * @param input
     *            what the function is given, both times
     * @return what the function gives
     */
    public static Tensor checkpoint(UnaryOperator<Tensor> function, Tensor input) {
        return checkpoint(function, List.of(function), input);
    }

    /** Keeps what the function calls for backward. */
    private static Tensor checkpoint(UnaryOperator<Tensor> function, List<?> called, Tensor input) {
        try (RecomputedPart part = new RecomputedPart(function, called, input.impl());
                GradMode.State hooks = SavedTensorHooks.enter(part)) {
            return run(function, input);
        } finally {
            Reference.reachabilityFence(input);
        }
    }

    /**
     * PyTorch's {@code checkpoint(function, input, use_reentrant=True)}: forward runs without a graph; backward runs the
     * function again with one and walks it, holding all its results and the incoming gradient until it is done. The
     * input must require gradients, or nothing inside is trained.
     *
     * @param function
     *            must compute the same both times; random numbers and autocast are the same the second time
     * @param input
     *            kept for backward
     * @return what the function gives
     */
    public static Tensor reentrant(UnaryOperator<Tensor> function, Tensor input) {
        RandomState random = RandomState.of(input.device());
        DType autocast = AutocastMode.dtype();
        Tensor output;
        try (NoGrad off = new NoGrad()) {
            output = run(function, input);
        }
        TensorImpl x = input.impl();
        CustomNode.record("CheckpointFunctionBackward", output.impl(), new TensorImpl[]{x}, new TensorImpl[]{x},
                (gradient, saved) -> new TensorImpl[]{again(function, saved[0], gradient, random, autocast)});
        Reference.reachabilityFence(input);
        return output;
    }

    private static TensorImpl again(UnaryOperator<Tensor> function, TensorImpl input, TensorImpl gradient,
            RandomState random, DType autocast) {
        try (Scope scope = Scope.inner()) {
            Tensor detached = Tensor.wrap(input.alias());
            Lifetimes.fresh(detached);
            Lifetimes.hold(detached);
            detached.requiresGrad_(true);
            Tensor output;
            try (EnableGrad on = new EnableGrad();
                    GradMode.State cast = AutocastMode.enter(autocast);
                    GradMode.State back = random.replay()) {
                Lifetimes.calling(function, Lifetimes.ANY);
                output = function.apply(detached);
            }
            BackwardEngine.run(List.of(output.impl()), Arrays.asList(gradient), false, false, List.of());
            TensorImpl result = detached.impl().grad();
            try {
                return result == null ? null : result.retain();
            } finally {
                Lifetimes.drop(detached);
            }
        }
    }

    /**
     * PyTorch's {@code checkpoint_sequential}: functions in order, cut into so many parts of equal length, all but the
     * last checkpointed.
     *
     * @param functions
     *            called in order, each with the result of the one before
     * @param segments
     *            how many parts; each has functions / segments of them, the last what is left
     * @param input
     *            of the first function
     * @return the last function's result
     * @throws IllegalArgumentException
     *             if there are fewer functions than parts
     */
    public static Tensor sequential(List<? extends UnaryOperator<Tensor>> functions, int segments, Tensor input) {
        if (segments < 1 || segments > functions.size()) {
            throw new IllegalArgumentException(segments + " segments of " + functions.size()
                    + " functions were asked for: choose between 1 and " + functions.size() + ".");
        }
        List<UnaryOperator<Tensor>> all = new ArrayList<>();
        for (UnaryOperator<Tensor> each : functions) {
            all.add(each);
        }
        int size = all.size() / segments;
        Tensor x = input;
        for (int s = 0; s < segments; s++) {
            List<UnaryOperator<Tensor>> part = all.subList(s * size, s == segments - 1 ? all.size() : (s + 1) * size);
            // each part keeps them all, as PyTorch's functions keep the list
            Tensor next = s == segments - 1 ? chain(part, x) : checkpoint(t -> chain(part, t), all, x);
            Lifetimes.fresh(next);
            if (x != input && x != next) {
                Lifetimes.done(x);
            }
            x = next;
        }
        return x;
    }

    private static Tensor chain(List<UnaryOperator<Tensor>> functions, Tensor input) {
        Tensor x = input;
        for (UnaryOperator<Tensor> f : functions) {
            Lifetimes.calling(f, Lifetimes.ANY);
            Tensor next = f.apply(x);
            Lifetimes.fresh(next);
            if (x != input && x != next) {
                Lifetimes.done(x);
            }
            x = next;
        }
        return x;
    }

    private static Tensor run(UnaryOperator<Tensor> function, Tensor input) {
        try (Scope scope = Scope.inner()) {
            Lifetimes.calling(function, Lifetimes.ANY);
            return scope.keep(function.apply(input));
        }
    }
}
