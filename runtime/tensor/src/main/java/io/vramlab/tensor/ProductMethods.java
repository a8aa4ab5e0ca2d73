package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.matrix.PairDistances;
import io.vramlab.tensor.internal.ops.matrix.Products;
import io.vramlab.tensor.internal.ops.statistics.Statistics;
import io.vramlab.tensor.type.TensorException;
import java.lang.ref.Reference;

/**
 * {@link Tensor}'s products of matrices and vectors, and distances. Dtypes must be equal and floating; backward keeps
 * each factor of which the other's gradient is wanted, and no more unless said. Under autocast products run in its
 * lower precision, on copies. The first product of a thread on a GPU takes cuBLAS's workspace, where it is asked for
 * (docs/footprint.md, "cuBLAS workspaces").
 */
abstract sealed class ProductMethods extends StatisticsMethods permits ViewMethods {

    /**
     * Matrix product; leading dimensions are broadcast. As {@code torch.matmul}.
     *
     * @param other
     *            [k], [k, n] or [… k, n]; this is [k], [m, k] or [… m, k]
     * @return a new tensor [… m, n], without what a vector lacks
     * @throws TensorException
     *             if the inner sizes or dtypes differ, the leading ones do not broadcast, or one is a scalar
     */
    public Tensor matmul(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.matmul(x[0], x[1]), a, b));
    }

    /**
     * [m, k] times [k, n]. As {@code torch.mm}.
     *
     * @param other
     *            [k, n]; this is [m, k]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if these are no matrices, or the inner sizes or dtypes differ
     */
    public Tensor mm(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.mm(x[0], x[1]), a, b));
    }

    /**
     * [b, m, k] times [b, k, n]. As {@code torch.bmm}.
     *
     * @param other
     *            [b, k, n]; this is [b, m, k]
     * @return a new tensor [b, m, n]
     * @throws TensorException
     *             if these are no such stacks, or the sizes or dtypes differ
     */
    public Tensor bmm(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.bmm(x[0], x[1]), a, b));
    }

    /**
     * [m, k] times [k]. As {@code torch.mv}.
     *
     * @param vector
     *            [k]; this is [m, k]
     * @return a new tensor [m]
     * @throws TensorException
     *             if the sizes or dtypes differ
     */
    public Tensor mv(Tensor vector) {
        return with(vector, (a, b) -> AutocastMode.lower(x -> MatrixOps.mv(x[0], x[1]), a, b));
    }

    /**
     * Sum of the products of two vectors' elements. As {@code torch.dot}.
     *
     * @param other
     *            a vector as long as this
     * @return a new scalar
     * @throws TensorException
     *             if these are no vectors of one length and dtype
     */
    public Tensor dot(Tensor other) {
        return with(other, Products::dot);
    }

    /**
     * All products of two vectors' elements. As {@code torch.outer}.
     *
     * @param other
     *            [n]; this is [m]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if these are no vectors
     */
    public Tensor outer(Tensor other) {
        return with(other, Products::outer);
    }

    /**
     * {@link #outer} by its old name. As {@code torch.ger}.
     *
     * @param other
     *            [n]; this is [m]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if these are no vectors
     */
    public Tensor ger(Tensor other) {
        return outer(other);
    }

    /**
     * Sums of products over the last dimension of both. As {@code torch.inner}.
     *
     * @param other
     *            [… k]; this is [… k]
     * @return a new tensor of all other sizes of this, then of the other
     * @throws TensorException
     *             if the last sizes differ
     */
    public Tensor inner(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> Products.inner(x[0], x[1]), a, b));
    }

    /**
     * this + a b. As {@code torch.addmm}.
     *
     * @param a
     *            [m, k]; this is broadcast to [m, n]
     * @param b
     *            [k, n]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor addmm(Tensor a, Tensor b) {
        return addmm(a, b, 1, 1);
    }

    /**
     * bias + a b, the bias broadcast. As {@code torch.addmm}.
     *
     * @param bias
     *            broadcast to [m, n]
     * @param a
     *            [m, k]
     * @param b
     *            [k, n]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public static Tensor addmm(Tensor bias, Tensor a, Tensor b) {
        try {
            return Tensor
                    .wrap(AutocastMode.lower(x -> MatrixOps.addmm(x[0], x[1], x[2]), bias.impl(), a.impl(), b.impl()));
        } finally {
            Reference.reachabilityFence(bias);
            Reference.reachabilityFence(a);
            Reference.reachabilityFence(b);
        }
    }

    /**
     * beta this + alpha a b. As {@code torch.addmm}.
     *
     * @param a
     *            [m, k]; this is broadcast to [m, n]
     * @param b
     *            [k, n]
     * @param beta
     *            factor of this; 1 by default
     * @param alpha
     *            factor of the product; 1 by default
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor addmm(Tensor a, Tensor b, double beta, double alpha) {
        return with(y -> AutocastMode.lower(x -> Products.addmm(x[0], x[1], x[2], beta, alpha), y), a, b);
    }

    /**
     * this + a v. As {@code torch.addmv}.
     *
     * @param a
     *            [m, k]; this is broadcast to [m]
     * @param v
     *            [k]
     * @return a new tensor [m]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor addmv(Tensor a, Tensor v) {
        return with(y -> AutocastMode.lower(x -> Products.addmv(x[0], x[1], x[2], 1, 1), y), a, v);
    }

    /**
     * this + the outer product. As {@code torch.addr}.
     *
     * @param x
     *            [m]; this is broadcast to [m, n]
     * @param y
     *            [n]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if shapes do not fit
     */
    public Tensor addr(Tensor x, Tensor y) {
        return with(z -> Products.addr(z[0], z[1], z[2], 1, 1), x, y);
    }

    /**
     * this + a b, for stacks of matrices. As {@code torch.baddbmm}.
     *
     * @param a
     *            [s, m, k]; this is broadcast to [s, m, n]
     * @param b
     *            [s, k, n]
     * @return a new tensor [s, m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor baddbmm(Tensor a, Tensor b) {
        return baddbmm(a, b, 1, 1);
    }

    /**
     * beta this + alpha a b, for stacks of matrices. As {@code torch.baddbmm}.
     *
     * @param a
     *            [s, m, k]; this is broadcast to [s, m, n]
     * @param b
     *            [s, k, n]
     * @param beta
     *            factor of this; 1 by default
     * @param alpha
     *            factor of the products; 1 by default
     * @return a new tensor [s, m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor baddbmm(Tensor a, Tensor b, double beta, double alpha) {
        return with(y -> AutocastMode.lower(x -> Products.baddbmm(x[0], x[1], x[2], beta, alpha), y), a, b);
    }

    /**
     * this + the sum of the products of stacks of matrices. As {@code torch.addbmm}.
     *
     * @param a
     *            [s, m, k]; this is broadcast to [m, n]
     * @param b
     *            [s, k, n]
     * @return a new tensor [m, n]
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public Tensor addbmm(Tensor a, Tensor b) {
        return with(y -> AutocastMode.lower(x -> Products.addbmm(x[0], x[1], x[2], 1, 1), y), a, b);
    }

    /**
     * The product of a square matrix with itself. As {@code torch.matrix_power}.
     *
     * @param times
     *            how often it is a factor, at least 0; 0 gives the identity
     * @return a new tensor of this shape; squares on the way are tensors too, which backward keeps
     * @throws TensorException
     *             for a negative number, or of what is no square matrix
     */
    public Tensor matrixPower(int times) {
        return map(a -> Products.matrixPower(a, times));
    }

    /**
     * Sum of a matrix's diagonal. As {@code torch.trace}.
     *
     * @return a new scalar; backward keeps nothing
     * @throws TensorException
     *             of what is no matrix
     */
    public Tensor trace() {
        return map(Products::trace);
    }

    /**
     * Sums of products by Einstein's notation; see {@link Functional#einsum}. As {@code torch.einsum}.
     *
     * @param equation
     *            letters for the dimensions of each operand, then of the result: {@code "ij,jk->ik"}, {@code "...i,ij->...j"}
     * @param operands
     *            at least one
     * @return a new tensor, or a view where letters only change places
     * @throws TensorException
     *             if the letters do not fit the shapes, or the result has one that no operand has
     */
    public static Tensor einsum(String equation, Tensor... operands) {
        return Functional.einsum(equation, operands);
    }

    /**
     * Distances of each row of one to each of the other. As {@code torch.cdist}.
     *
     * @param x
     *            [… rows, width]
     * @param other
     *            [… others, width]
     * @return a new tensor [… rows, others]
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor cdist(Tensor x, Tensor other) {
        return x.cdist(other);
    }

    /**
     * Euclidean distances of the rows of this [… p, m] and of the other [… r, m]: [… p, r]. As {@code torch.cdist}.
     *
     * @param other
     *            [… r, m]
     * @return a new tensor [… p, r]; backward keeps both and the result; under autocast in float32
     * @throws TensorException
     *             if the dimensions do not fit, or p is negative
     */
    public Tensor cdist(Tensor other) {
        return cdist(other, 2);
    }

    /**
     * Distances of rows by the p-norm; see {@link #cdist(Tensor)}. As {@code torch.cdist}.
     *
     * @param other
     *            [… r, m]
     * @param p
     *            of the norm, 0 or more; 2 by default
     * @return a new tensor [… p, r]; backward keeps both and the result; under autocast in float32
     * @throws TensorException
     *             if the dimensions do not fit, or p is negative
     */
    public Tensor cdist(Tensor other, double p) {
        return with(other, (a, b) -> AutocastMode.full(x -> PairDistances.cdist(x[0], x[1], p), a, b));
    }

    /**
     * Euclidean norm of this - other. As {@code torch.dist}.
     *
     * @param other
     *            broadcast against this one
     * @return a new scalar, after the differences; backward keeps both and the result; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor dist(Tensor other) {
        return with(other, (a, b) -> AutocastMode.full(x -> Statistics.dist(x[0], x[1], 2), a, b));
    }
}
