package io.vramlab.autograd;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.BackwardEngine;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

/** torch.autograd's functions. */
public final class Autograd {

    private Autograd() {
    }

    /**
     * The gradients of a scalar for some tensors, without touching any leaf's grad. {@code torch.autograd.grad}
     * without a gradient, the graph not retained.
     *
     * @param output
     *            one element, requires gradients
     * @param inputs
     *            leaves or results on the way to the output
     * @return one per input; null where the output does not depend on it
     * @throws io.vramlab.tensor.type.AutogradException
     *             if the output or an input does not require gradients, the output has more than one element, or the
     *             graph was walked already and is gone
     */
    public static Tensor[] grad(Tensor output, Tensor... inputs) {
        return grad(output, null, false, inputs);
    }

    /**
     * The gradients for some tensors, without touching any leaf's grad. {@code torch.autograd.grad}.
     *
     * @param output
     *            requires gradients
     * @param gradient
     *            of the output; null means one, for a scalar
     * @param retainGraph
     *            whether the graph may be walked again
     * @param inputs
     *            leaves or results on the way to the output
     * @return one per input; null where the output does not depend on it
     * @throws io.vramlab.tensor.type.AutogradException
     *             if the output or an input does not require gradients, the gradient is not of the output's shape,
     *             none was given and the output has more than one element, or the graph was walked already and is
     *             gone
     */
    public static Tensor[] grad(Tensor output, Tensor gradient, boolean retainGraph, Tensor... inputs) {
        try {
            List<TensorImpl> wanted = Arrays.stream(inputs).map(Tensor::impl).toList();
            TensorImpl[] caught = BackwardEngine.run(List.of(output.impl()),
                    Arrays.asList(gradient == null ? null : gradient.impl()), retainGraph, wanted);
            return Arrays.stream(caught).map(g -> g == null ? null : Tensor.wrap(g)).toArray(Tensor[]::new);
        } finally {
            Reference.reachabilityFence(output);
            Reference.reachabilityFence(gradient);
            Reference.reachabilityFence(inputs);
        }
    }
}
