package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.internal.ops.view.Stacks;
import io.vramlab.tensor.type.TensorException;
import java.util.List;

/**
 * {@link Tensor}'s static methods that join several into one: new tensors, into which the parts are copied; the parts
 * stay. Dtypes are promoted; backward keeps nothing and gives each part a view of the gradient.
 */
abstract sealed class JoiningMethods extends ArrangingMethods permits IndexMethods {

    /**
     * Tensors one after another along a dimension. As {@code torch.cat}.
     *
     * @param parts
     *            at least one, equal in all other sizes
     * @param dim
     *            along which one, from the back when negative
     * @return a new tensor, with the sum of their sizes there
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor cat(List<Tensor> parts, int dim) {
        return Calls.call(x -> Joins.cat(dim, x), parts.toArray(Tensor[]::new));
    }

    /**
     * Tensors one after another along a dimension. As {@code torch.cat}.
     *
     * @param dim
     *            along which one, from the back when negative
     * @param parts
     *            at least one, equal in all other sizes
     * @return a new tensor, with the sum of their sizes there
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor cat(int dim, Tensor... parts) {
        return Calls.call(x -> Joins.cat(dim, x), parts);
    }

    /**
     * Tensors one after another along the first dimension. As {@code torch.cat}.
     *
     * @param parts
     *            at least one, equal in all other sizes
     * @return a new tensor, with the sum of their sizes there
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor cat(List<Tensor> parts) {
        return cat(parts, 0);
    }

    /**
     * {@link #cat(int, Tensor...)} by another name. As {@code torch.concat}.
     *
     * @param dim
     *            along which one, from the back when negative
     * @param parts
     *            at least one, equal in all other sizes
     * @return a new tensor, with the sum of their sizes there
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor concat(int dim, Tensor... parts) {
        return cat(dim, parts);
    }

    /**
     * {@link #cat(int, Tensor...)} by NumPy's name. As {@code torch.concatenate}.
     *
     * @param dim
     *            along which one, from the back when negative
     * @param parts
     *            at least one, equal in all other sizes
     * @return a new tensor, with the sum of their sizes there
     * @throws TensorException
     *             for none, for scalars, or if other sizes differ
     */
    public static Tensor concatenate(int dim, Tensor... parts) {
        return cat(dim, parts);
    }

    /**
     * Tensors side by side along a new first dimension. As {@code torch.stack}.
     *
     * @param parts
     *            at least one, of one shape
     * @return a new tensor, with their number there
     * @throws TensorException
     *             for none, or if shapes differ
     */
    public static Tensor stack(List<Tensor> parts) {
        return stack(parts, 0);
    }

    /**
     * Tensors side by side along a new dimension. As {@code torch.stack}.
     *
     * @param parts
     *            at least one, of one shape
     * @param dim
     *            where the new one comes, from the back when negative
     * @return a new tensor, with their number there
     * @throws TensorException
     *             for none, or if shapes differ
     */
    public static Tensor stack(List<Tensor> parts, int dim) {
        return Calls.call(x -> Joins.stack(dim, x), parts.toArray(Tensor[]::new));
    }

    /**
     * Tensors side by side along a new dimension. As {@code torch.stack}.
     *
     * @param dim
     *            where the new one comes, from the back when negative
     * @param parts
     *            at least one, of one shape
     * @return a new tensor, with their number there
     * @throws TensorException
     *             for none, or if shapes differ
     */
    public static Tensor stack(int dim, Tensor... parts) {
        return Calls.call(x -> Joins.stack(dim, x), parts);
    }

    /**
     * Side by side: along the second dimension, vectors along the first. As {@code torch.hstack}.
     *
     * @param parts
     *            at least one
     * @return a new tensor
     * @throws TensorException
     *             if other sizes differ
     */
    public static Tensor hstack(Tensor... parts) {
        return Calls.call(Stacks::side, parts);
    }

    /**
     * One above the other: along the first dimension. As {@code torch.vstack}.
     *
     * @param parts
     *            at least one; those of fewer dimensions get leading or trailing ones
     * @return a new tensor
     * @throws TensorException
     *             if other sizes differ
     */
    public static Tensor vstack(Tensor... parts) {
        return Calls.call(x -> Stacks.joined(0, 2, x), parts);
    }

    /**
     * One behind the other: along the third dimension. As {@code torch.dstack}.
     *
     * @param parts
     *            at least one; those of fewer dimensions get leading or trailing ones
     * @return a new tensor
     * @throws TensorException
     *             if other sizes differ
     */
    public static Tensor dstack(Tensor... parts) {
        return Calls.call(x -> Stacks.joined(2, 3, x), parts);
    }

    /**
     * Vectors as columns, matrices side by side. As {@code torch.column_stack}.
     *
     * @param parts
     *            at least one
     * @return a new tensor
     * @throws TensorException
     *             if other sizes differ
     */
    public static Tensor columnStack(Tensor... parts) {
        return Calls.call(Stacks::columns, parts);
    }

    /**
     * Matrices along the diagonal of one. As {@code torch.block_diag}.
     *
     * @param parts
     *            of at most two dimensions
     * @return a new matrix, zeros beside them
     * @throws TensorException
     *             for one of more dimensions
     */
    public static Tensor blockDiag(Tensor... parts) {
        return Calls.call(Diagonals::blocks, parts);
    }

    /**
     * Vectors as grids, each along its own dimension (indexing "ij"). As {@code torch.meshgrid}.
     *
     * @param vectors
     *            of whatever sizes
     * @return one for each vector, of all sizes: views, no memory
     * @throws TensorException
     *             for another word
     */
    public static Tensor[] meshgrid(Tensor... vectors) {
        return Calls.several(x -> MoreViews.meshgrid(false, x), vectors);
    }

    /**
     * Vectors as grids; indexing is "ij" or "xy". As {@code torch.meshgrid}.
     *
     * @param indexing
     *            {@code "ij"}, the default, or {@code "xy"}, which swaps the first two dimensions
     * @param vectors
     *            of whatever sizes
     * @return one for each vector, of all sizes: views, no memory
     * @throws TensorException
     *             for another word
     */
    public static Tensor[] meshgrid(String indexing, Tensor... vectors) {
        return Calls.several(x -> MoreViews.meshgrid(Stacks.isXy(indexing), x), vectors);
    }

    /**
     * All combinations of one element of each vector, as rows. As {@code torch.cartesian_prod}.
     *
     * @param vectors
     *            at least one
     * @return a new tensor [product of the sizes, how many]; of one vector itself
     */
    public static Tensor cartesianProd(Tensor... vectors) {
        return Calls.call(Stacks::cartesian, vectors);
    }
}
