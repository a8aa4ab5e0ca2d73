package io.vramlab.device;

/** The part of {@link Kernels} that works element by element. */
public interface ElementwiseArithmetic {

    /**
     * {@code out[i] = op(inputs[i]…; scalars…)} over {@code out}'s shape; inputs have the same shape (stride 0 where
     * broadcast). {@code out} may be the very same operand as an input (in-place), and must not overlap otherwise.
     *
     * @param op
     *            the operation; says how many inputs and scalars it takes and what they mean
     * @param scalars
     *            s0, s1, …; empty for an operation that takes none
     * @param out
     *            any shape and strides, its dtype that of the result (bool for comparisons)
     * @param inputs
     *            {@link ElementOp#inputs} operands of {@code out}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream);

    /**
     * The same operation over many small tensors: one launch where the device can. {@code inputs[t]} are the inputs for
     * {@code outs[t]}; {@code scalars} holds either one row for all or one row per tensor.
     *
     * @param op
     *            the operation
     * @param scalars
     *            [1][…], the same for all, or [tensors][…]
     * @param outs
     *            one output per tensor, of any shapes
     * @param inputs
     *            [tensors][{@link ElementOp#inputs}], each row of its output's shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    default void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        for (int t = 0; t < outs.length; t++) {
            elementwise(op, scalars.length == 1 ? scalars[0] : scalars[t], outs[t], inputs[t], stream);
        }
    }
}
