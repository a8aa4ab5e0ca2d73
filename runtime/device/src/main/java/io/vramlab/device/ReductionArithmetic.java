package io.vramlab.device;

/**
 * The part of {@link Kernels} that brings elements together along dimensions: sums, largest ones, running sums, the first
 * few of an order.
 */
public interface ReductionArithmetic {

    /**
     * Reduces {@code in} into {@code out}, which has the same rank with size 1 in every reduced dimension. Inputs are
     * converted to {@code out}'s dtype (at least float) before they are combined.
     *
     * @param op
     *            how elements are combined
     * @param out
     *            written; of {@code in}'s rank
     * @param in
     *            any shape and strides
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void reduce(ReduceOp op, Operand out, Operand in, long stream);

    /**
     * Largest (or smallest) along one dimension with its index: {@code values} and {@code indices} (int64) have size 1
     * there.
     *
     * @param largest
     *            true for the largest, false for the smallest
     * @param values
     *            written; {@code in}'s dtype
     * @param indices
     *            written; positions along {@code dim}
     * @param in
     *            any shape and strides
     * @param dim
     *            from 0
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream);

    /**
     * Carries sums, products or extremes along {@code dim}. All operands have one shape; {@code indices} (int64) tells where an
     * extreme was found, and is null for the others. In the output's dtype (at least float).
     *
     * @param op
     *            what is carried
     * @param out
     *            written
     * @param indices
     *            int64, written for an extreme; else null
     * @param in
     *            any strides
     * @param dim
     *            from 0
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream);

    /**
     * The k largest (or smallest) along the last dimension, sorted; k = its size sorts everything. {@code indices} is
     * int64.
     *
     * @param values
     *            [… k], written
     * @param indices
     *            [… k], written: positions in {@code in}'s last dimension
     * @param in
     *            [… n], n at least k
     * @param largest
     *            true for the largest first, false for the smallest first
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void topk(Operand values, Operand indices, Operand in, boolean largest, long stream);
}
