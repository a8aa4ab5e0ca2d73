package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.arrange.Arrangements;
import io.vramlab.tensor.internal.ops.arrange.Repeats;
import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s elements in another order, more than once, or as a triangle or diagonal of a matrix: new tensors
 * all; backward keeps nothing, the gradient takes the way back.
 */
abstract sealed class ArrangingMethods extends PartMethods permits JoiningMethods {

    /**
     * Dimensions the other way round: a copy. As {@code torch.flip}.
     *
     * @param dims
     *            each once, from the back when negative
     * @return a new tensor, also where NumPy gives a view
     * @throws TensorException
     *             if there are no such dimensions
     */
    public Tensor flip(int... dims) {
        return map(a -> Arrangements.flip(a, dims));
    }

    /**
     * The second dimension the other way round. As {@code torch.fliplr}.
     *
     * @return a new tensor
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor fliplr() {
        return flip(1);
    }

    /**
     * The first dimension the other way round. As {@code torch.flipud}.
     *
     * @return a new tensor
     * @throws TensorException
     *             of a scalar
     */
    public Tensor flipud() {
        return flip(0);
    }

    /**
     * All elements in row-major order moved on; what leaves the end comes in at the beginning. As {@code torch.roll}.
     *
     * @param shift
     *            by how many places, backwards when negative
     * @return a new tensor
     */
    public Tensor roll(long shift) {
        return map(a -> Arrangements.roll(a, new long[]{shift}, new int[0]));
    }

    /**
     * Moved on along a dimension. As {@code torch.roll}.
     *
     * @param shift
     *            by how many places, backwards when negative
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor roll(long shift, int dim) {
        return map(a -> Arrangements.roll(a, new long[]{shift}, new int[]{dim}));
    }

    /**
     * Moved on along dimensions. As {@code torch.roll}.
     *
     * @param shifts
     *            by how many places, backwards when negative
     * @param dims
     *            equally many
     * @return a new tensor, after one for each dimension but the last
     * @throws TensorException
     *             if the numbers differ, or there are no such dimensions
     */
    public Tensor roll(long[] shifts, int[] dims) {
        return map(a -> Arrangements.roll(a, shifts, dims));
    }

    /**
     * A quarter turn from the first dimension to the second. As {@code torch.rot90}.
     *
     * @return a new tensor
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor rot90() {
        return rot90(1, 0, 1);
    }

    /**
     * So many quarter turns from one dimension to another. As {@code torch.rot90}.
     *
     * @param times
     *            how many, backwards when negative
     * @param first
     *            from which dimension
     * @param second
     *            to which dimension
     * @return a new tensor
     * @throws TensorException
     *             if the two are one, or are not there
     */
    public Tensor rot90(int times, int first, int second) {
        return map(a -> Arrangements.rot90(a, times, first, second));
    }

    /**
     * So many copies along each dimension; further dimensions are added in front. As {@code torch.Tensor.repeat}.
     *
     * @param times
     *            one for each dimension, further ones in front
     * @return a new tensor
     * @throws TensorException
     *             for fewer numbers than dimensions
     */
    public Tensor repeat(long... times) {
        return map(a -> Repeats.repeat(a, times));
    }

    /**
     * So many copies along each of the last dimensions. As {@code torch.tile}.
     *
     * @param times
     *            for the last dimensions, as many as are given
     * @return a new tensor
     */
    public Tensor tile(long... times) {
        return map(a -> Arrangements.tile(a, times));
    }

    /**
     * Each element so many times in a row, flat. As {@code torch.repeat_interleave}.
     *
     * @param times
     *            how often, at least 0
     * @return a new vector
     * @throws TensorException
     *             for a negative number
     */
    public Tensor repeatInterleave(long times) {
        return map(a -> Arrangements.repeatInterleave(a, times, null));
    }

    /**
     * Each slice of a dimension so many times in a row. As {@code torch.repeat_interleave}.
     *
     * @param times
     *            how often, at least 0
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor
     * @throws TensorException
     *             for a negative number, or if there is no such dimension
     */
    public Tensor repeatInterleave(long times, int dim) {
        return map(a -> Arrangements.repeatInterleave(a, times, dim));
    }

    /**
     * The lower triangle. As {@code torch.tril}.
     *
     * @return a new tensor, zeros beyond
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor tril() {
        return map(a -> Selection.triangle(a, false, 0));
    }

    /**
     * The lower triangle, up to that diagonal. As {@code torch.tril}.
     *
     * @param diagonal
     *            the last one that stays: 0 the main one, 1 the one above it; 0 by default
     * @return a new tensor, zeros beyond
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor tril(long diagonal) {
        return map(a -> Selection.triangle(a, false, diagonal));
    }

    /**
     * The upper triangle. As {@code torch.triu}.
     *
     * @return a new tensor, zeros beyond
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor triu() {
        return map(a -> Selection.triangle(a, true, 0));
    }

    /**
     * The upper triangle, from that diagonal. As {@code torch.triu}.
     *
     * @param diagonal
     *            the first one that stays: 0 the main one, 1 the one above it; 0 by default
     * @return a new tensor, zeros beyond
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor triu(long diagonal) {
        return map(a -> Selection.triangle(a, true, diagonal));
    }

    /**
     * A matrix with the vector as its diagonal, or a matrix's diagonal. As {@code torch.diag}.
     *
     * @return a new tensor: [n, n] of a vector, a vector of a matrix
     * @throws TensorException
     *             of neither a vector nor a matrix
     */
    public Tensor diag() {
        return diag(0);
    }

    /**
     * As {@link #diag()}, on another diagonal. As {@code torch.diag}.
     *
     * @param diagonal
     *            0 for the main one, more for those above, less for those below; 0 by default
     * @return a new tensor: [n, n] of a vector, a vector of a matrix
     * @throws TensorException
     *             of neither a vector nor a matrix
     */
    public Tensor diag(long diagonal) {
        return map(a -> Diagonals.diag(a, diagonal));
    }

    /**
     * The last dimension as the diagonal of two new ones. As {@code torch.diag_embed}.
     *
     * @return a new tensor of zeros beside it
     */
    public Tensor diagEmbed() {
        return map(a -> Diagonals.embed(a, 0, -2, -1));
    }

    /**
     * A matrix with all elements as its diagonal. As {@code torch.diagflat}.
     *
     * @return a new matrix of zeros beside it
     */
    public Tensor diagflat() {
        return map(Diagonals::flat);
    }
}
