package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.layer.EmbeddingBags;
import io.vramlab.tensor.internal.ops.layer.Embeddings;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s rows by index. Indices are int64 and stay for backward; a gradient is a tensor of the whole
 * weight's size, zeros where no index points (docs/footprint.md, "Gradients of rows").
 */
abstract sealed class EmbeddingFunctions extends DropoutFunctions permits ProductFunctions {

    /**
     * Rows of weight [rows, width] by int64 indices of any shape. As {@code torch.nn.functional.embedding}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @param weight
     *            [rows, width]
     * @return a new tensor [index's shape, width]; backward keeps the index
     * @throws TensorException
     *             if the weight is no matrix, or the index not int64
     */
    public static Tensor embedding(Tensor index, Tensor weight) {
        return Calls.call(a -> Lookup.embedding(a[1], a[0]), index, weight);
    }

    /**
     * As {@link Functional#embedding(Tensor, Tensor)}; the row of paddingIndex gets no gradient. As
     * {@code torch.nn.functional.embedding}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @param weight
     *            [rows, width]
     * @param paddingIndex
     *            whose row gets no gradient; from the back when negative
     * @return a new tensor [index's shape, width]; backward keeps the index
     * @throws TensorException
     *             if there is no such row
     */
    public static Tensor embedding(Tensor index, Tensor weight, long paddingIndex) {
        return Calls.call(a -> Embeddings.padded(a[1], a[0], paddingIndex), index, weight);
    }

    /**
     * As {@link Functional#embedding(Tensor, Tensor)}; with {@code sparse} the weight's gradient has only the rows that were looked
     * up. As {@code torch.nn.functional.embedding}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @param weight
     *            [rows, width]
     * @param sparse
     *            whether the gradient is sparse: the result's gradient and the index, shared, instead of a tensor of the weight's size
     * @return a new tensor [index's shape, width]; backward keeps the index
     * @throws TensorException
     *             if the weight is no matrix, or the index not int64
     */
    public static Tensor embedding(Tensor index, Tensor weight, boolean sparse) {
        return embedding(index, weight, null, false, sparse);
    }

    /**
     * As {@link Functional#embedding(Tensor, Tensor)} with all settings but {@code max_norm}. As
     * {@code torch.nn.functional.embedding}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @param weight
     *            [rows, width]
     * @param paddingIndex
     *            whose row gets no gradient; from the back when negative; null for none
     * @param scaleGradByFreq
     *            whether a row's gradient is divided by how often it was looked up
     * @param sparse
     *            whether the gradient is sparse; with padding its backward waits for the device
     * @return a new tensor [index's shape, width]; backward keeps the index
     * @throws TensorException
     *             if there is no such row, or both are asked for
     */
    public static Tensor embedding(Tensor index, Tensor weight, Long paddingIndex, boolean scaleGradByFreq,
            boolean sparse) {
        if (sparse && scaleGradByFreq) {
            throw new TensorException("embedding_backward: scale_grad_by_freq not supported with sparse gradients: "
                    + "both were asked for. Leave one of them out.");
        }
        if (sparse) {
            return Calls.call(a -> Embeddings.sparse(a[1], a[0], paddingIndex), index, weight);
        }
        if (scaleGradByFreq) {
            return Calls.call(a -> Embeddings.byFrequency(a[1], a[0], paddingIndex), index, weight);
        }
        return paddingIndex == null
                ? Functional.embedding(index, weight)
                : Functional.embedding(index, weight, paddingIndex.longValue());
    }

    /**
     * {@code embeddingBag} with PyTorch's defaults: the mean of each row of indices. As
     * {@code torch.nn.functional.embedding_bag}.
     *
     * @param index
     *            int64 [bags, many]
     * @param weight
     *            [rows, width]
     * @return a new tensor [bags, width], the mean of each; backward keeps the index and bookkeeping of 8 bytes an
     *         index
     * @throws TensorException
     *             if the index has not two dimensions
     */
    public static Tensor embeddingBag(Tensor index, Tensor weight) {
        return Functional.embeddingBag(index, weight, "mean");
    }

    /**
     * Sum, mean or max (that word) of the rows of each of [bags, many] int64 indices. As
     * {@code torch.nn.functional.embedding_bag}.
     *
     * @param index
     *            int64 [bags, many]
     * @param weight
     *            [rows, width]
     * @param mode
     *            {@code "sum"}, {@code "mean"} or {@code "max"}
     * @return a new tensor [bags, width]; backward keeps the index and bookkeeping of 8 bytes an index
     * @throws TensorException
     *             for another word, or if the index has not two dimensions
     */
    public static Tensor embeddingBag(Tensor index, Tensor weight, String mode) {
        return embeddingBag(index, weight, null, mode);
    }

    /**
     * As above, of [many] indices, the bags beginning at those offsets; null for [bags, many] indices. As
     * {@code torch.nn.functional.embedding_bag}.
     *
     * @param index
     *            int64 [many], or without offsets [bags, many]
     * @param weight
     *            [rows, width]
     * @param offsets
     *            int64 [bags], where each begins; or null
     * @param mode
     *            {@code "sum"}, {@code "mean"} or {@code "max"}
     * @return a new tensor [bags, width]; backward keeps the index and bookkeeping of 8 bytes an index
     * @throws TensorException
     *             for another word, or dimensions that do not fit
     */
    public static Tensor embeddingBag(Tensor index, Tensor weight, Tensor offsets, String mode) {
        return Calls.call(
                a -> EmbeddingBags.of(a[0], a[1], a[2], null, new EmbeddingBags.How(mode, false, null, false)),
                index, weight, offsets);
    }

    /**
     * As {@link Functional#embeddingBag(Tensor, Tensor, Tensor, String)} with all settings but {@code max_norm},
     * {@code scale_grad_by_freq} and {@code include_last_offset}. As {@code torch.nn.functional.embedding_bag}.
     *
     * @param index
     *            int64 [many], or [bags, many] without offsets
     * @param weight
     *            [rows, width]
     * @param offsets
     *            where bags begin, int64; null for bags of one size
     * @param mode
     *            {@code "sum"}, {@code "mean"} or {@code "max"}
     * @param perSampleWeights
     *            a factor for each index, with "sum"; null for none
     * @param sparse
     *            whether the weight's gradient has only the rows that were looked up; not with "max"
     * @param paddingIndex
     *            a row that counts for nothing; null for none
     * @return a new tensor [bags, width]; backward keeps the index, the factors, and bookkeeping of 8 bytes an index
     * @throws TensorException
     *             for another word, or what does not fit together
     */
    public static Tensor embeddingBag(Tensor index, Tensor weight, Tensor offsets, String mode, Tensor perSampleWeights,
            boolean sparse, Long paddingIndex) {
        return Calls.call(a -> EmbeddingBags.of(a[0], a[1], a[2], a[3],
                new EmbeddingBags.How(mode, sparse, paddingIndex, false)), index, weight, offsets, perSampleWeights);
    }

    /**
     * Sums, means or maxima of rows, bag by bag, of offsets whose last one is where the last bag ends: {@code include_last_offset=True}. As
     * {@code torch.nn.functional.embedding_bag}.
     *
     * @param index
     *            int64 [many]
     * @param weight
     *            [rows, width]
     * @param offsets
     *            int64 [bags + 1], rising from 0 to the number of indices
     * @param mode
     *            sum, mean or max
     * @param perSampleWeights
     *            a factor for each index, with mode sum; or null
     * @param sparse
     *            whether the weight's gradient has only the rows that were looked up
     * @param paddingIndex
     *            a row that counts for nothing; or null
     * @param includeLastOffset
     *            false for offsets that all begin a bag
     * @return [bags, width]
     * @throws TensorException
     *             if an index is out of range or a shape another
     */
    public static Tensor embeddingBag(Tensor index, Tensor weight, Tensor offsets, String mode, Tensor perSampleWeights,
            boolean sparse, Long paddingIndex, boolean includeLastOffset) {
        return Calls.call(a -> EmbeddingBags.of(a[0], a[1], a[2], a[3],
                new EmbeddingBags.How(mode, sparse, paddingIndex, includeLastOffset)), index, weight, offsets,
                perSampleWeights);
    }

    /**
     * Makes the rows that are looked up no longer than a bound, in place and outside of the graph: what {@code max_norm} does before it looks. As
     * {@code torch.embedding_renorm_}.
     *
     * @param weight
     *            [rows, width]
     * @param index
     *            int64, of any shape
     * @param maxNorm
     *            rows that are longer are scaled to this length
     * @param normType
     *            of which norm; 2 by default there
     * @return the weight
     */
    public static Tensor embeddingRenorm_(Tensor weight, Tensor index, double maxNorm, double normType) {
        return weight.changeBy(index, (w, i) -> Embeddings.renorm(w, i, maxNorm, normType));
    }

    /**
     * Rows of 0 and a 1 at each index; as many classes as the largest index needs. As
     * {@code torch.nn.functional.one_hot}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @return a new int64 tensor [index's shape, classes]; the device is waited for
     * @throws TensorException
     *             if the index is not int64, or on a device without values
     */
    public static Tensor oneHot(Tensor index) {
        return Calls.call(a -> Embeddings.oneHot(a[0], -1), index);
    }

    /**
     * Rows of 0 and a 1 at each index. As {@code torch.nn.functional.one_hot}.
     *
     * @param index
     *            int64 of any shape, from 0 on
     * @param classes
     *            more than the largest index
     * @return a new int64 tensor [index's shape, classes]
     * @throws TensorException
     *             if the index is not int64
     */
    public static Tensor oneHot(Tensor index, long classes) {
        return Calls.call(a -> Embeddings.oneHot(a[0], classes), index);
    }
}
