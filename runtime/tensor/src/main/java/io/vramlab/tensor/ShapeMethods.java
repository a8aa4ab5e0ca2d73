package io.vramlab.tensor;

import io.vramlab.tensor.core.AutocastMode;
import io.vramlab.tensor.core.Copies;
import io.vramlab.tensor.ops.arrange.Arrangements;
import io.vramlab.tensor.ops.arrange.Repeats;
import io.vramlab.tensor.ops.matrix.Diagonals;
import io.vramlab.tensor.ops.matrix.MatrixOps;
import io.vramlab.tensor.ops.matrix.PairDistances;
import io.vramlab.tensor.ops.matrix.Products;
import io.vramlab.tensor.ops.pointwise.Selection;
import io.vramlab.tensor.ops.statistics.Statistics;
import io.vramlab.tensor.ops.view.Joins;
import io.vramlab.tensor.ops.view.MoreViews;
import io.vramlab.tensor.ops.view.Stacks;
import io.vramlab.tensor.ops.view.Views;
import java.util.List;

/** More of {@link Tensor}'s views, arrangements and products. */
abstract class ShapeMethods extends ReductionMethods {

    /** The lower triangle. */
    public Tensor tril() {
        return map(a -> Selection.triangle(a, false, 0));
    }

    /** The upper triangle. */
    public Tensor triu() {
        return map(a -> Selection.triangle(a, true, 0));
    }

    /** Dimensions the other way round: a copy. */
    public Tensor flip(int... dims) {
        return map(a -> Arrangements.flip(a, dims));
    }

    /** The second dimension the other way round. */
    public Tensor fliplr() {
        return flip(1);
    }

    /** The first dimension the other way round. */
    public Tensor flipud() {
        return flip(0);
    }

    /** All elements in row-major order moved on; what leaves the end comes in at the beginning. */
    public Tensor roll(long shift) {
        return map(a -> Arrangements.roll(a, new long[]{shift}, new int[0]));
    }

    /** Moved on along a dimension. */
    public Tensor roll(long shift, int dim) {
        return map(a -> Arrangements.roll(a, new long[]{shift}, new int[]{dim}));
    }

    /** Moved on along dimensions. */
    public Tensor roll(long[] shifts, int[] dims) {
        return map(a -> Arrangements.roll(a, shifts, dims));
    }

    /** A quarter turn from the first dimension to the second. */
    public Tensor rot90() {
        return rot90(1, 0, 1);
    }

    /** So many quarter turns from one dimension to another. */
    public Tensor rot90(int times, int first, int second) {
        return map(a -> Arrangements.rot90(a, times, first, second));
    }

    /** So many copies along each dimension; further dimensions are added in front. */
    public Tensor repeat(long... times) {
        return map(a -> Repeats.repeat(a, times));
    }

    /** So many copies along each of the last dimensions. */
    public Tensor tile(long... times) {
        return map(a -> Arrangements.tile(a, times));
    }

    /** Each element so many times in a row, flat. */
    public Tensor repeatInterleave(long times) {
        return map(a -> Arrangements.repeatInterleave(a, times, null));
    }

    /** Each slice of a dimension so many times in a row. */
    public Tensor repeatInterleave(long times, int dim) {
        return map(a -> Arrangements.repeatInterleave(a, times, dim));
    }

    /** Two dimensions swapped. */
    public Tensor swapaxes(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /** Two dimensions swapped. */
    public Tensor swapdims(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /** The last two dimensions swapped. */
    public Tensor mT() {
        return map(a -> Views.transpose(a, -2, -1));
    }

    /** A dimension in another place. */
    public Tensor movedim(int from, int to) {
        return map(a -> MoreViews.movedim(a, new int[]{from}, new int[]{to}));
    }

    /** Dimensions in other places. */
    public Tensor movedim(int[] from, int[] to) {
        return map(a -> MoreViews.movedim(a, from, to));
    }

    /** The dimensions from one on in one. */
    public Tensor flatten(int start) {
        return map(a -> Views.flatten(a, start, -1));
    }

    /** All dimensions in one. */
    public Tensor ravel() {
        return map(a -> Views.flatten(a, 0, -1));
    }

    /** One dimension as several; one size may be -1. */
    public Tensor unflatten(int dim, long... sizes) {
        return map(a -> MoreViews.unflatten(a, dim, sizes));
    }

    /** Windows along a dimension, as a last dimension. */
    public Tensor unfold(int dim, long size, long step) {
        return map(a -> MoreViews.unfold(a, dim, size, step));
    }

    /** Any sizes and strides over the same memory, from this tensor's first element. */
    public Tensor asStrided(long[] shape, long[] strides) {
        return map(a -> MoreViews.asStrided(a, shape, strides, a.offset()));
    }

    /** Any sizes and strides over the same memory, from that element of the storage. */
    public Tensor asStrided(long[] shape, long[] strides, long offset) {
        return map(a -> MoreViews.asStrided(a, shape, strides, offset));
    }

    /** Seen in a larger shape. */
    public Tensor broadcastTo(long... shape) {
        return map(a -> Views.expand(a, shape));
    }

    /** Seen in the other's shape. */
    public Tensor expandAs(Tensor other) {
        return with(other, (a, b) -> Views.expand(a, b.shape()));
    }

    /** The same elements in the other's shape, never copied. */
    public Tensor viewAs(Tensor other) {
        return with(other, (a, b) -> Views.view(a, b.shape()));
    }

    /** The same elements in the other's shape. */
    public Tensor reshapeAs(Tensor other) {
        return with(other, (a, b) -> Views.reshape(a, b.shape()));
    }

    /** In the other's dtype, on its device. */
    public Tensor typeAs(Tensor other) {
        return with(other, (a, b) -> Copies.to(a, b.device(), b.dtype()));
    }

    /** A matrix with the vector as its diagonal, or a matrix's diagonal. */
    public Tensor diag() {
        return diag(0);
    }

    /** As {@link #diag()}, on another diagonal. */
    public Tensor diag(long diagonal) {
        return map(a -> Diagonals.diag(a, diagonal));
    }

    /** The diagonal of the first two dimensions: a view. */
    public Tensor diagonal() {
        return diagonal(0, 0, 1);
    }

    /** The diagonal of two dimensions, as the last one: a view. */
    public Tensor diagonal(long offset, int dim1, int dim2) {
        return map(a -> Diagonals.diagonal(a, offset, dim1, dim2));
    }

    /** The last dimension as the diagonal of two new ones. */
    public Tensor diagEmbed() {
        return map(a -> Diagonals.embed(a, 0, -2, -1));
    }

    /** A matrix with all elements as its diagonal. */
    public Tensor diagflat() {
        return map(Diagonals::flat);
    }

    /** Parts of at most that size along the first dimension: views. */
    public Tensor[] split(long size) {
        return split(size, 0);
    }

    /** Parts of at most that size along a dimension: views. */
    public Tensor[] split(long size, int dim) {
        return several(x -> Joins.split(x[0], size, dim));
    }

    /** Parts of those sizes along a dimension: views. */
    public Tensor[] split(long[] sizes, int dim) {
        return several(x -> Joins.split(x[0], sizes, dim));
    }

    /** So many parts along the first dimension: views. */
    public Tensor[] chunk(int chunks) {
        return chunk(chunks, 0);
    }

    /** So many parts along a dimension: views. */
    public Tensor[] chunk(int chunks, int dim) {
        return several(x -> Joins.chunk(x[0], chunks, dim));
    }

    /** So many parts along the first dimension, the first ones larger by one where need be. */
    public Tensor[] tensorSplit(int parts) {
        return tensorSplit(parts, 0);
    }

    /** So many parts along a dimension, the first ones larger by one where need be. */
    public Tensor[] tensorSplit(int parts, int dim) {
        return several(x -> MoreViews.tensorSplit(x[0], parts, dim));
    }

    /** One view for each index of the first dimension. */
    public Tensor[] unbind() {
        return unbind(0);
    }

    /** One view for each index of a dimension. */
    public Tensor[] unbind(int dim) {
        return several(x -> Joins.unbind(x[0], dim));
    }

    /** Tensors one after another along a dimension. */
    public static Tensor cat(List<Tensor> parts, int dim) {
        return Calls.call(x -> Joins.cat(dim, x), parts.toArray(Tensor[]::new));
    }

    /** Tensors one after another along a dimension. */
    public static Tensor cat(int dim, Tensor... parts) {
        return Calls.call(x -> Joins.cat(dim, x), parts);
    }

    /** Tensors side by side along a new dimension. */
    public static Tensor stack(List<Tensor> parts, int dim) {
        return Calls.call(x -> Joins.stack(dim, x), parts.toArray(Tensor[]::new));
    }

    /** Tensors side by side along a new dimension. */
    public static Tensor stack(int dim, Tensor... parts) {
        return Calls.call(x -> Joins.stack(dim, x), parts);
    }

    /** Side by side: along the second dimension, vectors along the first. */
    public static Tensor hstack(Tensor... parts) {
        return Calls.call(Stacks::side, parts);
    }

    /** One above the other: along the first dimension. */
    public static Tensor vstack(Tensor... parts) {
        return Calls.call(x -> Stacks.joined(0, 2, x), parts);
    }

    /** One behind the other: along the third dimension. */
    public static Tensor dstack(Tensor... parts) {
        return Calls.call(x -> Stacks.joined(2, 3, x), parts);
    }

    /** Vectors as columns, matrices side by side. */
    public static Tensor columnStack(Tensor... parts) {
        return Calls.call(Stacks::columns, parts);
    }

    /** Matrices along the diagonal of one. */
    public static Tensor blockDiag(Tensor... parts) {
        return Calls.call(Diagonals::blocks, parts);
    }

    /** Vectors as grids, each along its own dimension (indexing "ij"). */
    public static Tensor[] meshgrid(Tensor... vectors) {
        return Calls.several(x -> MoreViews.meshgrid(false, x), vectors);
    }

    /** Vectors as grids; indexing is "ij" or "xy". */
    public static Tensor[] meshgrid(String indexing, Tensor... vectors) {
        return Calls.several(x -> MoreViews.meshgrid(Stacks.isXy(indexing), x), vectors);
    }

    /** All combinations of one element of each vector, as rows. */
    public static Tensor cartesianProd(Tensor... vectors) {
        return Calls.call(Stacks::cartesian, vectors);
    }

    /** With at least one dimension. */
    public Tensor atleast1d() {
        return map(a -> MoreViews.atLeast(a, 1));
    }

    /** With at least two dimensions. */
    public Tensor atleast2d() {
        return map(a -> MoreViews.atLeast(a, 2));
    }

    /** With at least three dimensions. */
    public Tensor atleast3d() {
        return map(a -> MoreViews.atLeast(a, 3));
    }

    // ---- products ----

    /** [m, k] times [k]. */
    public Tensor mv(Tensor vector) {
        return with(vector, (a, b) -> AutocastMode.lower(x -> MatrixOps.mv(x[0], x[1]), a, b));
    }

    /** Sum of the products of two vectors' elements. */
    public Tensor dot(Tensor other) {
        return with(other, Products::dot);
    }

    /** All products of two vectors' elements. */
    public Tensor outer(Tensor other) {
        return with(other, Products::outer);
    }

    /** Sums of products over the last dimension of both. */
    public Tensor inner(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> Products.inner(x[0], x[1]), a, b));
    }

    /** this + a b. */
    public Tensor addmm(Tensor a, Tensor b) {
        return addmm(a, b, 1, 1);
    }

    /** beta this + alpha a b. */
    public Tensor addmm(Tensor a, Tensor b, double beta, double alpha) {
        return with(y -> AutocastMode.lower(x -> Products.addmm(x[0], x[1], x[2], beta, alpha), y), a, b);
    }

    /** this + a v. */
    public Tensor addmv(Tensor a, Tensor v) {
        return with(y -> AutocastMode.lower(x -> Products.addmv(x[0], x[1], x[2], 1, 1), y), a, v);
    }

    /** this + the outer product. */
    public Tensor addr(Tensor x, Tensor y) {
        return with(z -> Products.addr(z[0], z[1], z[2], 1, 1), x, y);
    }

    /** this + a b, for stacks of matrices. */
    public Tensor baddbmm(Tensor a, Tensor b) {
        return baddbmm(a, b, 1, 1);
    }

    /** beta this + alpha a b, for stacks of matrices. */
    public Tensor baddbmm(Tensor a, Tensor b, double beta, double alpha) {
        return with(y -> AutocastMode.lower(x -> Products.baddbmm(x[0], x[1], x[2], beta, alpha), y), a, b);
    }

    /** this + the sum of the products of stacks of matrices. */
    public Tensor addbmm(Tensor a, Tensor b) {
        return with(y -> AutocastMode.lower(x -> Products.addbmm(x[0], x[1], x[2], 1, 1), y), a, b);
    }

    /** The product of a square matrix with itself. */
    public Tensor matrixPower(int times) {
        return map(a -> Products.matrixPower(a, times));
    }

    /** See {@link Functional#einsum}. */
    public static Tensor einsum(String equation, Tensor... operands) {
        return Functional.einsum(equation, operands);
    }

    /** Euclidean distances of the rows of this [… p, m] and of the other [… r, m]: [… p, r]. */
    public Tensor cdist(Tensor other) {
        return cdist(other, 2);
    }

    /** Distances of rows by the p-norm; see {@link #cdist(Tensor)}. */
    public Tensor cdist(Tensor other, double p) {
        return with(other, (a, b) -> AutocastMode.full(x -> PairDistances.cdist(x[0], x[1], p), a, b));
    }

    /** Euclidean norm of this - other. */
    public Tensor dist(Tensor other) {
        return with(other, (a, b) -> AutocastMode.full(x -> Statistics.dist(x[0], x[1], 2), a, b));
    }
}
