package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.linalg.Choleskys;
import io.vramlab.tensor.internal.ops.linalg.Eigens;
import io.vramlab.tensor.internal.ops.linalg.MatrixNorms;
import io.vramlab.tensor.internal.ops.linalg.Qrs;
import io.vramlab.tensor.internal.ops.linalg.Svds;
import io.vramlab.tensor.internal.ops.linalg.VectorProducts;
import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Reductions;

/**
 * {@code torch.linalg}: factors, solutions, determinants and norms of one matrix, or of each in a batch, in the last two dimensions. What PyTorch
 * hands to cuSOLVER is computed on the host, in double, with the memory that PyTorch takes on a GPU: results that lie column by column, workspaces and
 * arrays of pointers (docs/footprint.md, "Linear algebra"). Factors take float32 and float64 alone, and wait for the device, as there.
 */
public final class Linalg extends SolverFunctions {

    private Linalg() {
    }

    /**
     * The lower factor of positive definite matrices. As {@code torch.linalg.cholesky}.
     *
     * @param a
     *            square matrices
     * @return L with L times its transpose is the matrix; kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if one is not positive definite
     */
    public static Tensor cholesky(Tensor a) {
        return cholesky(a, false);
    }

    /**
     * A factor of positive definite matrices. As {@code torch.linalg.cholesky}.
     *
     * @param a
     *            square matrices
     * @param upper
     *            true for the upper factor
     * @return the factor, kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if one is not positive definite
     */
    public static Tensor cholesky(Tensor a, boolean upper) {
        return Calls.call(x -> Choleskys.of(x[0], upper), a);
    }

    /**
     * The lower factor without a check. As {@code torch.linalg.cholesky_ex}.
     *
     * @param a
     *            square matrices
     * @return the factor, and for each matrix 0 or the order of the first minor that is not positive, as int32
     */
    public static Tensor[] choleskyEx(Tensor a) {
        return Calls.several(x -> Choleskys.withInfo(x[0], false), a);
    }

    /**
     * Orthonormal columns and a triangle. As {@code torch.linalg.qr}.
     *
     * @param a
     *            matrices
     * @return Q and R, kept for backward
     */
    public static Tensor[] qr(Tensor a) {
        return qr(a, "reduced");
    }

    /**
     * Orthonormal columns and a triangle. As {@code torch.linalg.qr}.
     *
     * @param a
     *            matrices
     * @param mode
     *            reduced, complete (a square Q), or r (an empty Q)
     * @return Q and R, kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if the mode is none of these
     */
    public static Tensor[] qr(Tensor a, String mode) {
        return Calls.several(x -> Qrs.of(x[0], mode), a);
    }

    /**
     * Eigenvalues and vectors of symmetric matrices, of which the lower triangle is read. As {@code torch.linalg.eigh}.
     *
     * @param a
     *            square matrices
     * @return values from the least, and vectors as columns; both kept for backward
     */
    public static Tensor[] eigh(Tensor a) {
        return Calls.several(x -> Eigens.symmetric(x[0], false), a);
    }

    /**
     * Eigenvalues of symmetric matrices, of which the lower triangle is read. As {@code torch.linalg.eigvalsh}.
     *
     * @param a
     *            square matrices
     * @return values from the least; with a gradient the vectors are computed and kept too
     */
    public static Tensor eigvalsh(Tensor a) {
        return Calls.call(x -> Eigens.values(x[0], false), a);
    }

    /**
     * Singular values and vectors, with square sides. As {@code torch.linalg.svd}.
     *
     * @param a
     *            matrices
     * @return left vectors as columns, values from the largest, right vectors as rows; kept for backward
     */
    public static Tensor[] svd(Tensor a) {
        return svd(a, true);
    }

    /**
     * Singular values and vectors. As {@code torch.linalg.svd}.
     *
     * @param a
     *            matrices
     * @param fullMatrices
     *            false for as many vectors as there are values
     * @return left vectors as columns, values from the largest, right vectors as rows; kept for backward
     */
    public static Tensor[] svd(Tensor a, boolean fullMatrices) {
        return Calls.several(x -> Svds.of(x[0], fullMatrices), a);
    }

    /**
     * Singular values. As {@code torch.linalg.svdvals}.
     *
     * @param a
     *            matrices
     * @return values from the largest; with a gradient the vectors are computed and kept too
     */
    public static Tensor svdvals(Tensor a) {
        return Calls.call(x -> Svds.values(x[0]), a);
    }

    /**
     * The length of all elements as one vector. As {@code torch.linalg.vector_norm}.
     *
     * @param a
     *            any shape
     * @return a scalar, kept for backward
     */
    public static Tensor vectorNorm(Tensor a) {
        return vectorNorm(a, 2);
    }

    /**
     * The p-norm of all elements as one vector. As {@code torch.linalg.vector_norm}.
     *
     * @param a
     *            any shape
     * @param order
     *            p; an infinity for the largest or the smallest magnitude, 0 for how many are not zero
     * @return a scalar, kept for backward
     */
    public static Tensor vectorNorm(Tensor a, double order) {
        return vectorNorm(a, order, Reductions.ALL, false);
    }

    /**
     * The p-norm over dimensions. As {@code torch.linalg.vector_norm}.
     *
     * @param a
     *            any shape
     * @param order
     *            p; an infinity for the largest or the smallest magnitude, 0 for how many are not zero
     * @param dims
     *            the dimensions of a vector
     * @param keepDim
     *            whether they stay, with size 1
     * @return a new tensor, kept for backward
     */
    public static Tensor vectorNorm(Tensor a, double order, int[] dims, boolean keepDim) {
        return Calls.call(x -> Norms.vector(x[0], order, dims, keepDim), a);
    }

    /**
     * The square root of the sum of all squares of each matrix. As {@code torch.linalg.matrix_norm}.
     *
     * @param a
     *            matrices
     * @return one number for each, kept for backward
     */
    public static Tensor matrixNorm(Tensor a) {
        return matrixNorm(a, "fro");
    }

    /**
     * A norm by its name. As {@code torch.linalg.matrix_norm}.
     *
     * @param a
     *            matrices
     * @param order
     *            fro, or nuc: the sum of the singular values
     * @return one number for each, kept for backward
     */
    public static Tensor matrixNorm(Tensor a, String order) {
        if (!order.equals("fro") && !order.equals("nuc")) {
            throw new IllegalArgumentException("linalg.matrix_norm: Order " + order
                    + " not supported. Give \"fro\" or \"nuc\", or a number.");
        }
        int[] last = {-2, -1};
        return Calls.call(x -> order.equals("fro")
                ? MatrixNorms.frobenius(x[0], last, false)
                : MatrixNorms.nuclear(x[0], last, false), a);
    }

    /**
     * A norm of each matrix. As {@code torch.linalg.matrix_norm}.
     *
     * @param a
     *            matrices
     * @param order
     *            1 and -1: by columns; an infinity: by rows; 2 and -2: the largest and the smallest singular value
     * @return one number for each, kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if the order is none of these
     */
    public static Tensor matrixNorm(Tensor a, double order) {
        return matrixNorm(a, order, new int[]{-2, -1}, false);
    }

    /**
     * A norm of matrices in two dimensions. As {@code torch.linalg.matrix_norm}.
     *
     * @param a
     *            at least two dimensions
     * @param order
     *            1 and -1: by columns; an infinity: by rows; 2 and -2: the largest and the smallest singular value
     * @param dims
     *            that of the rows, and that of the columns
     * @param keepDim
     *            whether both stay, with size 1
     * @return one number for each, kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if the order is none of these
     */
    public static Tensor matrixNorm(Tensor a, double order, int[] dims, boolean keepDim) {
        return Calls.call(x -> MatrixNorms.of(x[0], order, dims, keepDim), a);
    }

    /**
     * The length of all elements as one vector. As {@code torch.linalg.norm}.
     *
     * @param a
     *            any shape
     * @return a scalar, kept for backward
     */
    public static Tensor norm(Tensor a) {
        return vectorNorm(a);
    }

    /**
     * Of a vector the p-norm, of a matrix its matrix norm. As {@code torch.linalg.norm}.
     *
     * @param a
     *            one or two dimensions
     * @param order
     *            see {@link #vectorNorm} and {@link #matrixNorm}
     * @return a scalar, kept for backward
     */
    public static Tensor norm(Tensor a, double order) {
        return a.dim() == 2 ? matrixNorm(a, order) : vectorNorm(a, order);
    }

    /**
     * The sum of products along the last dimension. As {@code torch.linalg.vecdot}.
     *
     * @param x
     *            vectors
     * @param y
     *            as many, or broadcast
     * @return a new tensor; both are kept for backward
     */
    public static Tensor vecdot(Tensor x, Tensor y) {
        return vecdot(x, y, -1);
    }

    /**
     * The sum of products along a dimension. As {@code torch.linalg.vecdot}.
     *
     * @param x
     *            vectors
     * @param y
     *            as many, or broadcast
     * @param dim
     *            along which they lie
     * @return a new tensor; both are kept for backward
     */
    public static Tensor vecdot(Tensor x, Tensor y, int dim) {
        return Calls.call(t -> VectorProducts.vecdot(t[0], t[1], dim), x, y);
    }

    /**
     * What stands upright on two vectors of three elements, in the last dimension. As {@code torch.linalg.cross}.
     *
     * @param x
     *            vectors
     * @param y
     *            as many, or broadcast
     * @return a new tensor; both are kept for backward
     */
    public static Tensor cross(Tensor x, Tensor y) {
        return cross(x, y, -1);
    }

    /**
     * What stands upright on two vectors of three elements. As {@code torch.linalg.cross}.
     *
     * @param x
     *            vectors
     * @param y
     *            as many, or broadcast
     * @param dim
     *            along which they lie
     * @return a new tensor; both are kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if the dimension has not three elements
     */
    public static Tensor cross(Tensor x, Tensor y, int dim) {
        return Calls.call(t -> VectorProducts.cross(t[0], t[1], dim), x, y);
    }

    /**
     * The product of several matrices in the order of fewest multiplications. As {@code torch.linalg.multi_dot}.
     *
     * @param factors
     *            at least two; the first and the last may be vectors
     * @return a new tensor; factors and partial products are kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if there is but one
     */
    public static Tensor multiDot(Tensor... factors) {
        return Calls.call(VectorProducts::multiDot, factors);
    }

    /**
     * The powers of numbers as rows. As {@code torch.linalg.vander}.
     *
     * @param x
     *            numbers in the last dimension
     * @return as many powers as there are numbers, from 0 on
     */
    public static Tensor vander(Tensor x) {
        return vander(x, x.size(-1));
    }

    /**
     * The powers of numbers as rows. As {@code torch.linalg.vander}.
     *
     * @param x
     *            numbers in the last dimension
     * @param many
     *            powers, from 0 on
     * @return a new tensor; the powers are kept for backward
     */
    public static Tensor vander(Tensor x, long many) {
        return Calls.call(t -> VectorProducts.vander(t[0], many), x);
    }

    /**
     * The diagonals of matrices. As {@code torch.linalg.diagonal}.
     *
     * @param a
     *            matrices
     * @return a view
     */
    public static Tensor diagonal(Tensor a) {
        return Calls.call(x -> Diagonals.diagonal(x[0], 0, -2, -1), a);
    }

    /**
     * The product. As {@code torch.linalg.matmul}.
     *
     * @param a
     *            see {@link Tensor#matmul}
     * @param b
     *            the right factor
     * @return a new tensor; both are kept for backward
     */
    public static Tensor matmul(Tensor a, Tensor b) {
        return a.matmul(b);
    }
}
