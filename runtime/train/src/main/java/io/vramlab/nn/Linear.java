package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * y = x W^T + b, with W [out, in] and b [out] drawn uniformly from (-1/sqrt(in), 1/sqrt(in)): PyTorch's Kaiming
 * initialisation with a = sqrt(5). Takes [… in], gives [… out]. Backward holds the input, and reads the weight; a
 * last size that is not {@code in} is a {@code TensorException}.
 */
public class Linear extends Module {

    /** [out, in]. */
    public Parameter weight;
    /** [out], or null. */
    public Parameter bias;

    /**
     * With a bias.
     *
     * @param in
     *            width of the inputs
     * @param out
     *            width of the outputs
     */
    public Linear(long in, long out) {
        this(in, out, true);
    }

    /**
     * With or without a bias, on the current device.
     *
     * @param in
     *            width of the inputs
     * @param out
     *            width of the outputs
     * @param bias
     *            true by default
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the current device has no room for the parameters, 4 (in + 1) out bytes
     */
    public Linear(long in, long out, boolean bias) {
        double bound = in > 0 ? 1 / Math.sqrt(in) : 0;
        this.weight = FirstValues.uniform(bound, out, in);
        this.bias = bias ? FirstValues.uniform(bound, out) : null;
    }

    /** {@return the width of inputs} */
    public long inFeatures() {
        return weight.size(1);
    }

    /** {@return the width of outputs} */
    public long outFeatures() {
        return weight.size(0);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.linear(input, parametrized(weight), parametrized(bias));
    }

    @Override
    protected String extraRepr() {
        return "in_features=" + weight.size(1) + ", out_features=" + weight.size(0) + ", bias="
                + (bias == null ? "False" : "True");
    }
}
