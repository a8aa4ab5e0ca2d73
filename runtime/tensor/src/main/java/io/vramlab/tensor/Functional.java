package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.arrange.RepeatInterleave;
import io.vramlab.tensor.internal.ops.arrange.Repeats;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/**
 * torch.nn.functional's operations on several tensors, inherited, a family from each superclass:
 * {@code ConvolutionFunctions}, {@code NormFunctions} and so on; here what joins, parts and picks. Arguments are
 * borrowed; null stands for an absent one. Shapes are in elements; n is the batch. Where a method is called with fewer
 * arguments, those left out have PyTorch's defaults. What it means that backward keeps something is told at
 * {@link Tensor}.
 *
 * <p>
 * Operations throw {@link io.vramlab.tensor.type.TensorException} for arguments that do not fit and for closed tensors,
 * and {@link io.vramlab.memory.OutOfMemoryException} when the device is full; in all cases memory is as before the
 * call.
 */
public final class Functional extends AttentionFunctions {

    private Functional() {
    }

    /**
     * Tensors one after another along a dimension. As {@code torch.cat}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param parts
     *            at least one, equal in all other sizes
     * @return a new tensor, with the sum of their sizes there; backward keeps nothing
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor cat(int dim, Tensor... parts) {
        return Calls.call(a -> Joins.cat(dim, a), parts);
    }

    /**
     * Tensors side by side along a new dimension. As {@code torch.stack}.
     *
     * @param dim
     *            where the new one comes, from the back when negative
     * @param parts
     *            at least one, of one shape
     * @return a new tensor, with their number there; backward keeps nothing
     * @throws TensorException
     *             for none, or if shapes differ
     */
    public static Tensor stack(int dim, Tensor... parts) {
        return Calls.call(a -> Joins.stack(dim, a), parts);
    }

    /**
     * Views of those sizes along a dimension. As {@code torch.split}.
     *
     * @param x
     *            of any shape
     * @param sizes
     *            whose sum is the dimension's
     * @param dim
     *            which one, from the back when negative
     * @return the parts, views
     * @throws TensorException
     *             if the sum differs, or a size is negative
     */
    public static Tensor[] split(Tensor x, long[] sizes, int dim) {
        return Calls.several(a -> Joins.split(a[0], sizes, dim), x);
    }

    /**
     * Views of at most that size along a dimension. As {@code torch.split}.
     *
     * @param x
     *            of any shape
     * @param size
     *            of each part but the last, which may be smaller
     * @param dim
     *            which one, from the back when negative
     * @return the parts, views
     * @throws TensorException
     *             if the size is not positive, or there is no such dimension
     */
    public static Tensor[] split(Tensor x, long size, int dim) {
        return Calls.several(a -> Joins.split(a[0], size, dim), x);
    }

    /**
     * That many views along a dimension, as even as whole sizes allow. As {@code torch.chunk}.
     *
     * @param x
     *            of any shape
     * @param chunks
     *            at most how many
     * @param dim
     *            which one, from the back when negative
     * @return the parts, views
     * @throws TensorException
     *             unless the number is positive
     */
    public static Tensor[] chunk(Tensor x, int chunks, int dim) {
        return Calls.several(a -> Joins.chunk(a[0], chunks, dim), x);
    }

    /**
     * One view per index of a dimension. As {@code torch.unbind}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            which one, from the back when negative
     * @return as many views as the dimension's size, without it
     * @throws TensorException
     *             if there is no such dimension
     */
    public static Tensor[] unbind(Tensor x, int dim) {
        return Calls.several(a -> Joins.unbind(a[0], dim), x);
    }

    /**
     * {@code out[…] = x[… index[…] …]} along a dimension; index is int64 of x's rank. As {@code torch.gather}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            which one, from the back when negative
     * @param index
     *            int64 of x's rank, no larger than x but along {@code dim}
     * @return a new tensor of the index's shape; backward keeps x and the index
     * @throws TensorException
     *             if dtype or shape of the index does not fit
     */
    public static Tensor gather(Tensor x, int dim, Tensor index) {
        return Calls.call(a -> Lookup.gather(a[0], dim, a[1]), x, index);
    }

    /**
     * Slices of the first dimension: x[index] for an int64 index of any shape. As {@code torch.Tensor.__getitem__}.
     *
     * @param x
     *            of at least one dimension
     * @param index
     *            int64 of any shape
     * @return a new tensor [index's shape, …]; backward keeps the index
     * @throws TensorException
     *             of a scalar, or if the index is not int64
     */
    public static Tensor index(Tensor x, Tensor index) {
        return Calls.call(a -> Lookup.rows("IndexBackward0", a[0], a[1]), x, index);
    }

    /**
     * The k largest (or smallest) along a dimension, sorted: values and int64 indices. As {@code torch.topk}.
     *
     * @param x
     *            of any shape
     * @param k
     *            how many, at most the size of the dimension
     * @param dim
     *            which one, from the back when negative
     * @param largest
     *            false for the smallest
     * @return values and indices, two new tensors; backward keeps the indices
     * @throws TensorException
     *             if k is larger than the dimension, or there is no such dimension
     */
    public static Tensor[] topk(Tensor x, long k, int dim, boolean largest) {
        return Calls.several(a -> Lookup.topk(a[0], k, dim, largest), x);
    }

    /**
     * Largest along a dimension: values and int64 indices. As {@code torch.max}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1
     * @return values and indices, two new tensors; backward keeps the indices
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public static Tensor[] max(Tensor x, int dim, boolean keepDim) {
        return Calls.several(a -> Lookup.extreme(a[0], true, dim, keepDim), x);
    }

    /**
     * Smallest along a dimension: values and int64 indices. As {@code torch.min}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1
     * @return values and indices, two new tensors; backward keeps the indices
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public static Tensor[] min(Tensor x, int dim, boolean keepDim) {
        return Calls.several(a -> Lookup.extreme(a[0], false, dim, keepDim), x);
    }

    /**
     * So many copies along each dimension; further dimensions are added in front. As {@code torch.Tensor.repeat}.
     *
     * @param x
     *            of any shape
     * @param times
     *            one for each dimension, further ones in front
     * @return a new tensor; backward keeps nothing
     * @throws TensorException
     *             for fewer numbers than dimensions
     */
    public static Tensor repeat(Tensor x, long... times) {
        return Calls.call(a -> Repeats.repeat(a[0], times), x);
    }

    /**
     * Each slice of a dimension so many times, one after the other. As {@code torch.repeat_interleave}.
     *
     * @param x
     *            of any shape
     * @param repeats
     *            how often, at least 0
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor; backward keeps nothing
     * @throws TensorException
     *             for a negative number, or if there is no such dimension
     */
    public static Tensor repeatInterleave(Tensor x, long repeats, int dim) {
        return Calls.call(a -> RepeatInterleave.of(a[0], repeats, dim), x);
    }
}
