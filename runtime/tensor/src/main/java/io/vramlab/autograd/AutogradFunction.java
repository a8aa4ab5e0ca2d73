package io.vramlab.autograd;

import io.vramlab.tensor.CustomFunction;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

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

    /** For subclasses; a function of its own for each call. */
    protected AutogradFunction() {
        // its state is the subclass's
    }

    /** What forward leaves for backward. Numbers and the like go into the function's own fields: each call makes its own. */
    public static final class Context {

        private Tensor[] saved = {};
        private boolean[] needsInputGrad = {};

        private final boolean counted;

        private Context(boolean counted) {
            this.counted = counted;
        }

        /**
         * Keeps tensors until backward has passed: inputs, outputs or others; null for none.
         *
         * @param tensors
         *            replace what was saved before; their memory is held until then
         */
        public void saveForBackward(Tensor... tensors) {
            keep(tensors.clone());
        }

        private void keep(Tensor... tensors) {
            Tensor[] before = saved;
            saved = tensors;
            if (counted) {
                Arrays.stream(tensors).forEach(Lifetimes::hold);
                Arrays.stream(before).forEach(Lifetimes::drop);
            }
        }

        private void letGo() {
            keep();
        }

        /** {@return what {@link #saveForBackward} was given} */
        public Tensor[] savedTensors() {
            return saved.clone();
        }

        /** {@return which inputs' gradients are wanted, one truth value per input; the others may be null} */
        public boolean[] needsInputGrad() {
            return needsInputGrad.clone();
        }
    }

    /**
     * Computes the outputs.
     *
     * @param ctx
     *            where what backward needs is left
     * @param inputs
     *            as {@link #apply} was given them
     * @return one or more, see {@link #outputs}
     */
    protected abstract Tensor[] forward(Context ctx, Tensor... inputs);

    /**
     * Computes the gradients of the inputs.
     *
     * @param ctx
     *            has what forward saved
     * @param gradients
     *            of the outputs, zeros where none came
     * @return one for each input, null where none is needed, see {@link #gradients}
     */
    protected abstract Tensor[] backward(Context ctx, Tensor... gradients);

    /**
     * {@return the first output; the others are given up}
     *
     * @param inputs
     *            as forward wants them
     * @throws io.vramlab.tensor.type.TensorException
     *             if forward gives no output
     */
    public final Tensor apply(Tensor... inputs) {
        Tensor[] all = applyAll(inputs);
        for (int i = 1; i < all.length; i++) {
            all[i].close();
        }
        Lifetimes.hold(all);
        Lifetimes.hold(all[0]);
        Lifetimes.drop(all);
        Lifetimes.unhold(all[0]);
        return all[0];
    }

    /**
     * {@return all outputs, as {@link #forward} made them}
     *
     * @param inputs
     *            as forward wants them
     * @throws io.vramlab.tensor.type.TensorException
     *             if forward gives no output
     */
    public final Tensor[] applyAll(Tensor... inputs) {
        boolean counted = Lifetimes.isWoven(this);
        boolean given = counted && Lifetimes.isCalledByWoven(Lifetimes.ANY);
        Lifetimes.hold(inputs);
        Context ctx = new Context(counted);
        try {
            Tensor[] outputs = applied(ctx, inputs);
            if (counted) {
                Lifetimes.fresh(outputs);
            }
            return outputs;
        } finally {
            ctx.letGo();
            Lifetimes.dropParameter(inputs, given);
        }
    }

    private Tensor[] applied(Context ctx, Tensor... inputs) {
        return CustomFunction.apply(getClass().getSimpleName() + "Backward", inputs, wanted -> {
            ctx.needsInputGrad = wanted;
            Lifetimes.calling(this, Lifetimes.ANY);
            Tensor[] made = forward(ctx, inputs);
            if (made == null || made.length == 0) {
                throw new TensorException(getClass().getSimpleName() + ".forward gave no output: return outputs(…).");
            }
            return made;
        }, () -> ctx.saved, (saved, gradients) -> {
            ctx.keep(saved);
            try {
                Lifetimes.calling(this, Lifetimes.ANY);
                return backward(ctx, gradients);
            } finally {
                ctx.letGo();
            }
        }, this);
    }

    /**
     * {@return the outputs: a word for {@link #forward} to end with}
     *
     * @param all
     *            one or more
     */
    protected static Tensor[] outputs(Tensor... all) {
        return all;
    }

    /**
     * {@return the gradients: a word for {@link #backward} to end with}
     *
     * @param all
     *            one for each input, null where none is needed
     */
    protected static Tensor[] gradients(Tensor... all) {
        return all;
    }
}
