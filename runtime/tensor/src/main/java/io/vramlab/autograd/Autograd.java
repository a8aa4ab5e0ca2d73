package io.vramlab.autograd;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.BackwardEngine;
import io.vramlab.tensor.type.AutogradException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
        return grad(new Tensor[]{output}, inputs, new Tensor[]{gradient}, retainGraph, false, true);
    }

    /**
     * The gradients of a scalar for some tensors, as part of the graph: what is computed of them can be differentiated again.
     * {@code torch.autograd.grad} with {@code create_graph=True}. The graph is retained.
     *
     * @param output
     *            one element, requires gradients
     * @param createGraph
     *            false as {@link #grad(Tensor, Tensor...)}
     * @param inputs
     *            leaves or results on the way to the output, all of them used by it
     * @return one per input
     * @throws io.vramlab.tensor.type.AutogradException
     *             as {@link #grad(Tensor[], Tensor[], Tensor[], boolean, boolean, boolean)}
     */
    public static Tensor[] grad(Tensor output, boolean createGraph, Tensor... inputs) {
        return grad(new Tensor[]{output}, inputs, null, createGraph, createGraph, false);
    }

    /**
     * The gradients of the sum of outputs for some tensors, without touching any leaf's grad. {@code torch.autograd.grad} with
     * all that it takes.
     *
     * <p>
     * With {@code createGraph} the pass is recorded as forward is: its results and what their formulas keep stay until the
     * gradients and all that is computed of them are gone. Peak memory follows PyTorch's formulas.
     *
     * @param outputs
     *            require gradients
     * @param inputs
     *            leaves or results on the way to the outputs
     * @param gradients
     *            of the outputs, one each; null, as a whole or for one, means one, for a scalar
     * @param retainGraph
     *            whether the graph may be walked again; PyTorch's default is createGraph
     * @param createGraph
     *            whether the gradients can be differentiated again
     * @param allowUnused
     *            whether an input may be of no influence: its gradient is null then
     * @return one per input
     * @throws io.vramlab.tensor.type.AutogradException
     *             if an output or an input does not require gradients, a gradient is not of its output's shape, none was given
     *             and the output has more than one element, the graph was walked already and is gone, an input is not used but
     *             must be, or with createGraph an operation on the way has no second derivative here
     */
    public static Tensor[] grad(Tensor[] outputs, Tensor[] inputs, Tensor[] gradients, boolean retainGraph,
            boolean createGraph, boolean allowUnused) {
        if (inputs.length == 0) {
            throw new AutogradException(
                    "grad was given no inputs: it requires non-empty inputs. Name them last, as in grad(loss, null, true, "
                            + "weight); grad(loss, weight, true) takes the weight for the gradient of the loss.");
        }
        if (gradients != null && gradients.length != outputs.length) {
            throw new AutogradException("grad was given " + outputs.length + " outputs and " + gradients.length
                    + " gradients of outputs: give one for each, or null for all.");
        }
        try {
            List<TensorImpl> wanted = Arrays.stream(inputs).map(Tensor::impl).toList();
            List<TensorImpl> given = IntStream.range(0, outputs.length)
                    .mapToObj(i -> gradients == null || gradients[i] == null ? null : gradients[i].impl())
                    .collect(Collectors.toCollection(ArrayList::new));
            TensorImpl[] caught = BackwardEngine.run(Arrays.stream(outputs).map(Tensor::impl).toList(), given,
                    retainGraph, createGraph, wanted);
            requireUsed(allowUnused, caught, inputs);
            return Arrays.stream(caught).map(g -> g == null ? null : Tensor.wrap(g)).toArray(Tensor[]::new);
        } finally {
            Reference.reachabilityFence(outputs);
            Reference.reachabilityFence(gradients);
            Reference.reachabilityFence(inputs);
        }
    }

    private static void requireUsed(boolean allowUnused, TensorImpl[] caught, Tensor... inputs) {
        for (int i = 0; i < caught.length && !allowUnused; i++) {
            if (caught[i] == null) {
                Arrays.stream(caught).filter(g -> g != null).forEach(TensorImpl::release);
                throw new AutogradException("The gradient for input " + i + " (" + inputs[i].impl().describe()
                        + ") was asked for: One of the differentiated Tensors appears to not have been used in the graph. "
                        + "Give allowUnused = true if this is the desired behavior.");
            }
        }
    }
}
