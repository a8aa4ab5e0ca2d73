package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.Shape;
import java.util.Arrays;

/** Parameters as distributions take them: tensors, or numbers that become tensors beside them. */
final class Parameters {

    private Parameters() {
    }

    /**
     * {@code broadcast_all}: each seen in the joint shape, which of a tensor that has it is the tensor itself; numbers are put where the
     * first tensor lies, in its dtype.
     */
    static Tensor[] broadcast(Object... values) {
        TensorOptions options = TensorOptions.defaults();
        for (int i = values.length - 1; i >= 0; i--) {
            if (values[i] instanceof Tensor t) {
                options = new TensorOptions(t.dtype(), t.device(), false);
            }
        }
        Term[] terms = new Term[values.length];
        long[] shape = {};
        for (int i = 0; i < values.length; i++) {
            terms[i] = values[i] instanceof Tensor t
                    ? Term.of(t)
                    : Term.made(Tensor.of(options, new double[]{((Number) values[i]).doubleValue()}, new long[0]));
            shape = Shape.broadcast(shape, terms[i].tensor().shape(), "distribution");
        }
        long[] joint = shape;
        Tensor[] seen = new Tensor[values.length];
        for (int i = 0; i < values.length; i++) {
            seen[i] = Arrays.equals(terms[i].tensor().shape(), joint)
                    ? terms[i].tensor()
                    : terms[i].tensor().expand(joint);
        }
        for (int i = 0; i < values.length; i++) {
            if (seen[i] != terms[i].tensor()) {
                terms[i].close();
            }
        }
        return seen;
    }

    /** What {@link #broadcast} made of a value, as a variable. */
    static Term named(Tensor seen, Object value) {
        return seen == value ? Term.of(seen) : Term.made(seen).named();
    }

    /** {@code probs.clamp(eps, 1 - eps)}. */
    static Term clampProbs(Term probs) {
        double eps = probs.tensor().dtype().eps();
        return probs.map(t -> t.clamp(eps, 1 - eps));
    }
}
