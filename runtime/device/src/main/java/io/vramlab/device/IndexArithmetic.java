package io.vramlab.device;

/** The part of {@link Kernels} that reads and writes elements by their places. */
public interface IndexArithmetic {

    /**
     * {@code out[…] = in[… index[…] …]} along {@code dim}: out and index (int64) have one shape. An index out of range is
     * a late fault.
     *
     * @param out
     *            written
     * @param in
     *            of {@code out}'s rank
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64, of {@code out}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void gather(Operand out, Operand in, int dim, Operand index, long stream);

    /**
     * {@code out[… index[…] …] += in[…]} along {@code dim}; sums in a fixed order.
     *
     * @param out
     *            added to
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64; one out of range is a late fault
     * @param in
     *            of {@code index}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream);

    /**
     * {@code out[… index[…] …] = op(out[… index[…] …], in[…])} along {@code dim}; index (int64) and in have one shape, in the
     * order of the index. Without {@code in}, null, {@code value} goes everywhere.
     *
     * @param op
     *            how what is there and what comes are combined
     * @param out
     *            changed where the index points
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64; one out of range is a late fault
     * @param in
     *            of {@code index}'s shape, or null
     * @param value
     *            what goes everywhere without {@code in}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value, long stream);

    /**
     * Elements by several indices at once: {@code out[i] = in[i + Σ indices[k][i] * strides[k]]}. {@code in} has {@code out}'s
     * shape, with stride 0 in the dimensions that are indexed; the int64 indices are of {@code out}'s shape too, and may be
     * negative: they count from {@code sizes[k]} then. At most four indices.
     *
     * @param out
     *            written
     * @param in
     *            see above; its address is that of the element with all indices 0
     * @param indices
     *            int64, of {@code out}'s shape, stride 0 where broadcast; one out of range is a late fault
     * @param sizes
     *            of the indexed dimensions, in elements, one per index
     * @param strides
     *            of the indexed dimensions in {@code in}, in elements, one per index
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /**
     * The other way: {@code out[i + Σ …] = op(…, in[i])}, in the order of {@code in}; see {@link #indexGet}.
     *
     * @param op
     *            how what is there and what comes are combined
     * @param out
     *            changed where the indices point; strides as {@code in} of {@link #indexGet}
     * @param in
     *            the values
     * @param indices
     *            as in {@link #indexGet}, of {@code in}'s shape
     * @param sizes
     *            of the indexed dimensions, in elements, one per index
     * @param strides
     *            of the indexed dimensions in {@code out}, in elements, one per index
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /**
     * Rows: {@code out[i] = in[index[i]]}, over the first dimension; index is int64 of rank 1. The base of embeddings and
     * of indexing by a tensor.
     *
     * @param out
     *            [indices, …], written
     * @param in
     *            [rows, …]
     * @param index
     *            int64; one out of range is a late fault
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexSelect(Operand out, Operand in, Operand index, long stream);

    /**
     * Rows: {@code out[index[i]] += in[i]}, in a fixed order.
     *
     * @param out
     *            [rows, …], added to
     * @param index
     *            int64 [indices]; one out of range is a late fault
     * @param in
     *            [indices, …]
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexAdd(Operand out, Operand index, Operand in, long stream);

    /**
     * {@code out[i] = start + i * step}.
     *
     * @param out
     *            rank 1, written
     * @param start
     *            the first element
     * @param step
     *            from one element to the next
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void arange(Operand out, double start, double step, long stream);

    /**
     * Keeps the triangle with column - row &lt;= diagonal (lower) or &gt;= diagonal (upper); zero elsewhere.
     *
     * @param out
     *            [… rows, columns], written
     * @param in
     *            of {@code out}'s shape
     * @param upper
     *            true to keep what lies right of the diagonal, false for what lies left of it
     * @param diagonal
     *            0 for the main one, positive for those right of it
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream);
}
