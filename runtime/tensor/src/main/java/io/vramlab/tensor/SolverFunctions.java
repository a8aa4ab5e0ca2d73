package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.linalg.LeastSquares;
import io.vramlab.tensor.internal.ops.linalg.LuFactors;
import io.vramlab.tensor.internal.ops.linalg.Lus;
import io.vramlab.tensor.internal.ops.linalg.PseudoInverses;
import io.vramlab.tensor.internal.ops.linalg.Triangles;
import java.util.Arrays;

/** {@link Linalg}'s solutions, inverses, determinants, and what tells whether there are any. */
abstract sealed class SolverFunctions permits Linalg {

    /**
     * The inverse. As {@code torch.linalg.inv}.
     *
     * @param a
     *            square matrices
     * @return a new tensor, kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if one is singular
     */
    public static Tensor inv(Tensor a) {
        return Calls.call(x -> Lus.inverse(x[0]), a);
    }

    /**
     * The inverse without a check. As {@code torch.linalg.inv_ex}.
     *
     * @param a
     *            square matrices
     * @return the inverse, and for each matrix 0 or the pivot that is zero, as int32
     */
    public static Tensor[] invEx(Tensor a) {
        return Calls.several(x -> Lus.inverseWithInfo(x[0]), a);
    }

    /**
     * X with A X = B. As {@code torch.linalg.solve}.
     *
     * @param a
     *            square matrices
     * @param b
     *            as many rows as A; or one vector for each matrix
     * @return X, kept for backward with the factors of A
     * @throws io.vramlab.tensor.type.TensorException
     *             if a matrix is singular
     */
    public static Tensor solve(Tensor a, Tensor b) {
        return Calls.call(x -> Lus.solve(x[0], x[1]), a, b);
    }

    /**
     * X with A X = B, of one triangle of A. As {@code torch.linalg.solve_triangular}.
     *
     * @param a
     *            square matrices, of which one triangle is read
     * @param b
     *            as many rows as A
     * @param upper
     *            which triangle
     * @return X, kept for backward with A
     */
    public static Tensor solveTriangular(Tensor a, Tensor b, boolean upper) {
        return solveTriangular(a, b, upper, true, false);
    }

    /**
     * X with A X = B or X A = B, of one triangle of A. As {@code torch.linalg.solve_triangular}.
     *
     * @param a
     *            square matrices, of which one triangle is read
     * @param b
     *            what the product is
     * @param upper
     *            which triangle
     * @param left
     *            false for X A = B
     * @param unitriangular
     *            true to take the diagonal for ones
     * @return X, kept for backward with A
     */
    public static Tensor solveTriangular(Tensor a, Tensor b, boolean upper, boolean left, boolean unitriangular) {
        return Calls.call(x -> Triangles.solve(x[0], x[1], upper, left, unitriangular), a, b);
    }

    /**
     * The determinant. As {@code torch.linalg.det}.
     *
     * @param a
     *            square matrices
     * @return one number for each; the factors are kept for backward
     */
    public static Tensor det(Tensor a) {
        return Calls.call(x -> Lus.det(x[0]), a);
    }

    /**
     * The sign of the determinant, and the logarithm of its magnitude. As {@code torch.linalg.slogdet}.
     *
     * @param a
     *            square matrices
     * @return both; the factors are kept for backward
     */
    public static Tensor[] slogdet(Tensor a) {
        return Calls.several(x -> Lus.slogdet(x[0]), a);
    }

    /**
     * Factors by elimination, in one matrix. As {@code torch.linalg.lu_factor}.
     *
     * @param a
     *            matrices
     * @return L below the diagonal with U on and above it, kept for backward; and the row that each row was exchanged with, from 1, as int32
     * @throws io.vramlab.tensor.type.TensorException
     *             if a pivot is zero
     */
    public static Tensor[] luFactor(Tensor a) {
        return Calls.several(x -> LuFactors.packed(x[0], false), a);
    }

    /**
     * Factors by elimination, without a check. As {@code torch.linalg.lu_factor_ex}.
     *
     * @param a
     *            matrices
     * @return what {@link #luFactor} gives, and for each matrix 0 or the pivot that is zero, as int32
     */
    public static Tensor[] luFactorEx(Tensor a) {
        return Calls.several(x -> LuFactors.packed(x[0], true), a);
    }

    /**
     * Factors by elimination, each of its own. As {@code torch.linalg.lu}.
     *
     * @param a
     *            matrices
     * @return P, L and U, whose product is the matrix; kept for backward
     */
    public static Tensor[] lu(Tensor a) {
        return Calls.several(x -> LuFactors.apart(x[0]), a);
    }

    /**
     * X with A X = B by A's factors. As {@code torch.linalg.lu_solve}.
     *
     * @param lu
     *            what {@link #luFactor} gave first
     * @param pivots
     *            what it gave second
     * @param b
     *            as many rows as A
     * @return X; the factors are kept for backward
     */
    public static Tensor luSolve(Tensor lu, Tensor pivots, Tensor b) {
        return luSolve(lu, pivots, b, false);
    }

    /**
     * X with A X = B, or with A's transpose for A. As {@code torch.linalg.lu_solve}.
     *
     * @param lu
     *            what {@link #luFactor} gave first
     * @param pivots
     *            what it gave second
     * @param b
     *            as many rows as A
     * @param adjoint
     *            whether the transpose is meant; false by default
     * @return X; the factors are kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if the factors want a gradient and the transpose is meant
     */
    public static Tensor luSolve(Tensor lu, Tensor pivots, Tensor b, boolean adjoint) {
        return Calls.call(x -> LuFactors.solve(x[0], x[1], x[2], adjoint), lu, pivots, b);
    }

    /**
     * X that comes nearest to A X = B, and the shortest of these where there are fewer rows than columns. As {@code torch.linalg.lstsq}.
     *
     * @param a
     *            matrices of full rank
     * @param b
     *            as many, with as many rows
     * @return X, and the sums of squares that are left where there are more rows than columns; A and B are kept for backward
     */
    public static Tensor[] lstsq(Tensor a, Tensor b) {
        return Calls.several(x -> LeastSquares.of(x[0], x[1]), a, b);
    }

    /**
     * Moore's and Penrose's inverse. As {@code torch.linalg.pinv}.
     *
     * @param a
     *            matrices
     * @return a new tensor, kept for backward with the matrix
     */
    public static Tensor pinv(Tensor a) {
        return pinv(a, 0, Double.NaN, false);
    }

    /**
     * Moore's and Penrose's inverse. As {@code torch.linalg.pinv}.
     *
     * @param a
     *            matrices
     * @param atol
     *            singular values up to this are taken for 0; 0 by default
     * @param rtol
     *            and those up to this part of the largest; NaN, the default, for PyTorch's: the larger side times the dtype's eps, or 0 with an atol
     * @param hermitian
     *            whether the matrices are symmetric, which is faster; false by default
     * @return a new tensor, kept for backward with the matrix
     */
    public static Tensor pinv(Tensor a, double atol, double rtol, boolean hermitian) {
        return Calls.call(x -> PseudoInverses.of(x[0], atol, rtol, hermitian), a);
    }

    /**
     * How many singular values are not next to 0. As {@code torch.linalg.matrix_rank}.
     *
     * @param a
     *            matrices
     * @return one int64 for each
     */
    public static Tensor matrixRank(Tensor a) {
        return matrixRank(a, 0, Double.NaN, false);
    }

    /**
     * How many singular values are not next to 0. As {@code torch.linalg.matrix_rank}.
     *
     * @param a
     *            matrices
     * @param atol
     *            see {@link #pinv(Tensor, double, double, boolean)}
     * @param rtol
     *            see there
     * @param hermitian
     *            whether the matrices are symmetric; false by default
     * @return one int64 for each
     */
    public static Tensor matrixRank(Tensor a, double atol, double rtol, boolean hermitian) {
        return Calls.call(x -> PseudoInverses.rank(x[0], atol, rtol, hermitian), a);
    }

    /**
     * The largest singular value by the smallest. As {@code torch.linalg.cond}.
     *
     * @param a
     *            matrices
     * @return one number for each
     */
    public static Tensor cond(Tensor a) {
        return Calls.call(x -> PseudoInverses.condition(x[0]), a);
    }

    /**
     * A norm of each matrix times that of its inverse, infinite where there is none. As {@code torch.linalg.cond}.
     *
     * @param a
     *            square matrices
     * @param order
     *            1, -1, an infinity; of 2 and -2 singular values are compared
     * @return one number for each
     */
    public static Tensor cond(Tensor a, double order) {
        return Calls.call(x -> PseudoInverses.condition(x[0], order), a);
    }

    /**
     * The inverse of what a tensor does to another by {@code tensordot}. As {@code torch.linalg.tensorinv}.
     *
     * @param a
     *            whose first sizes have the product of its last ones
     * @param ind
     *            how many first ones; 2 by default there
     * @return a new tensor with the last sizes first, kept for backward
     */
    public static Tensor tensorinv(Tensor a, int ind) {
        long[] shape = a.shape();
        long[] first = Arrays.copyOf(shape, ind);
        long[] last = Arrays.copyOfRange(shape, ind, shape.length);
        long n = Arrays.stream(last).reduce(1, (x, y) -> x * y);
        long[] turned = Arrays.copyOf(last, shape.length);
        System.arraycopy(first, 0, turned, last.length, first.length);
        try (Tensor square = a.reshape(a.numel() / n, n); Tensor inverse = inv(square)) {
            return inverse.reshape(turned);
        }
    }

    /**
     * X with {@code tensordot(a, X)} = B. As {@code torch.linalg.tensorsolve}.
     *
     * @param a
     *            whose first sizes are B's, with the product of its last ones
     * @param b
     *            of any shape
     * @return X, in a's last sizes
     */
    public static Tensor tensorsolve(Tensor a, Tensor b) {
        long[] shape = a.shape();
        long[] last = Arrays.copyOfRange(shape, b.dim(), shape.length);
        try (Tensor square = a.reshape(-1, b.numel());
                Tensor flat = b.reshape(b.numel());
                Tensor x = solve(square, flat)) {
            return x.reshape(last);
        }
    }

    /**
     * A power; of -1 and less of the inverse. As {@code torch.linalg.matrix_power}.
     *
     * @param a
     *            square matrices
     * @param times
     *            a whole number
     * @return a new tensor; what is multiplied is kept for backward
     * @throws io.vramlab.tensor.type.TensorException
     *             if one is singular and the power is negative
     */
    public static Tensor matrixPower(Tensor a, int times) {
        if (times >= 0) {
            return a.matrixPower(times);
        }
        if (times == -1) {
            return inv(a);
        }
        try (Tensor inverse = inv(a)) {
            return inverse.matrixPower(-times);
        }
    }
}
