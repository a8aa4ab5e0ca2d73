package io.vramlab.autograd;

import io.vramlab.tensor.CustomFunction;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.core.TensorException;

/**
 * An operation with a backward of one's own, PyTorch's {@code torch.autograd.Function}. Neither part is recorded; what they make
 * on the way goes when they return, what they return and what they save stays as long as it is needed.
 *
 * <pre>{@code
 * class Swish extends AutogradFunction {
 *     protected Tensor[] forward(Context ctx, Tensor... inputs) {
 *         ctx.saveForBackward(inputs[0]);
 *         return outputs(inputs[0].mul(inputs[0].sigmoid()));
 *     }
 *     protected Tensor[] backward(Context ctx, Tensor... gradients) {
 *         Tensor x = ctx.savedTensors()[0];
 *         Tensor s = x.sigmoid();
 *         return gradients(gradients[0].mul(s.mul(x.mul(s.rsub(1)).add(1))));
 *     }
 * }
 * Tensor y = new Swish().apply(x);
 * }</pre>
 */
public abstract class AutogradFunction {

    /** What forward leaves for backward. Numbers and the like go into the function's own fields: each call makes its own. */
    public static final class Context {

        private Tensor[] saved = {};
        private boolean[] needsInputGrad = {};

        private Context() {
        }

        /** Keeps tensors until backward has passed: inputs, outputs or others; null for none. */
        public void saveForBackward(Tensor... tensors) {
            saved = tensors.clone();
        }

        /** What {@link #saveForBackward} was given. */
        public Tensor[] savedTensors() {
            return saved.clone();
        }

        /** Which inputs' gradients are wanted; the others may be null. */
        public boolean[] needsInputGrad() {
            return needsInputGrad.clone();
        }
    }

    /**
     * Computes the outputs.
     *
     * @param inputs
     *            as {@link #apply} was given them
     * @return one or more, see {@link #outputs}
     */
    protected abstract Tensor[] forward(Context ctx, Tensor... inputs);

    /**
     * Computes the gradients of the inputs.
     *
     * @param gradients
     *            of the outputs, zeros where none came
     * @return one for each input, null where none is needed, see {@link #gradients}
     */
    protected abstract Tensor[] backward(Context ctx, Tensor... gradients);

    /** The first output. */
    public final Tensor apply(Tensor... inputs) {
        Tensor[] all = applyAll(inputs);
        for (int i = 1; i < all.length; i++) {
            all[i].close();
        }
        return all[0];
    }

    /** All outputs. */
    public final Tensor[] applyAll(Tensor... inputs) {
        Context ctx = new Context();
        return CustomFunction.apply(getClass().getSimpleName() + "Backward", inputs, wanted -> {
            ctx.needsInputGrad = wanted;
            Tensor[] made = forward(ctx, inputs);
            if (made == null || made.length == 0) {
                throw new TensorException(getClass().getSimpleName() + ".forward gave no output: return outputs(…).");
            }
            return made;
        }, () -> {
            Tensor[] saved = ctx.saved;
            ctx.saved = new Tensor[0];
            return saved;
        }, (saved, gradients) -> {
            ctx.saved = saved;
            try {
                return backward(ctx, gradients);
            } finally {
                ctx.saved = new Tensor[0];
            }
        });
    }

    /** What {@link #forward} returns. */
    protected static Tensor[] outputs(Tensor... all) {
        return all;
    }

    /** What {@link #backward} returns. */
    protected static Tensor[] gradients(Tensor... all) {
        return all;
    }
}
