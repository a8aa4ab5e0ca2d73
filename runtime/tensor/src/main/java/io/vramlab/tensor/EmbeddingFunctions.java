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
        return Calls.call(a -> EmbeddingBags.of(a[0], a[1], a[2], mode), index, weight, offsets);
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
