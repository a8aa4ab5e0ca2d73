package io.vramlab.plan;

import io.vramlab.footprint.SolverFootprints;
import java.util.Arrays;
import java.util.Map;

/**
 * Factors of matrices, and what is solved with them: results in PyTorch's order, and beside them what the runtime takes too
 * ({@link SolverFootprints}); docs/footprint.md, "Linear algebra".
 */
final class FactorRules {

    private static final int POWERS = 5;

    private FactorRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.linalg_lu_factor_ex", (o, s) -> {
            s.results();
            factor(o.form(0), s);
        });
        rules.put("aten.linalg_lu_solve", (o, s) -> {
            s.results();
            TensorForm out = Operation.forms(o.result()).getFirst();
            solve(o.form(0), out, o.flag(4, "adjoint", false), s);
        });
        rules.put("aten._linalg_solve_ex", (o, s) -> {
            s.results();
            factor(o.form(0), s);
            TensorForm solution = Operation.forms(o.result()).getFirst();
            long columns = solution.rank() < o.form(0).rank() ? s.take(solution.bytes()) : 0; // a vector is solved for as a matrix
            solve(o.form(0), solution, false, s);
            s.give(columns);
        });
        rules.put("aten.linalg_inv_ex", (o, s) -> {
            s.results();
            long factors = s.take(o.form(0).bytes());
            long pivots = s.take(Integer.BYTES * size(o.form(0)) * batch(o.form(0)));
            factor(o.form(0), s);
            solve(o.form(0), o.form(0), false, s);
            s.give(pivots);
            s.give(factors);
        });
        rules.put("aten.lu_unpack", (o, s) -> {
            s.results();
            if (o.flag(3, "unpack_pivots", true)) {
                permutation(o.form(0), s);
            }
        });
        rules.put("aten.linalg_lu", (o, s) -> {
            s.results();
            TensorForm a = o.form(0);
            long factors = s.take(a.bytes());
            long pivots = s.take(Integer.BYTES * Math.min(rows(a), size(a)) * batch(a));
            long went = s.take(Integer.BYTES * batch(a));
            factor(a, s);
            s.give(factors);
            permutation(a, s);
            s.give(went);
            s.give(pivots);
        });
        rules.put("aten._linalg_eigh", FactorRules::eigen);
        rules.put("aten._linalg_svd", FactorRules::singular);
        rules.put("aten.linalg_matrix_exp", FactorRules::exponential);
        rules.put("aten.linalg_householder_product", (o, s) -> {
            s.results();
            TensorForm a = o.form(0);
            s.passing(SolverFootprints.reflected(a.element(), batch(a), rows(a), size(a)));
        });
        rules.put("aten.linalg_qr", FactorRules::orthogonal);
        rules.put("aten.linalg_lstsq", FactorRules::leastSquares);
        rules.put("aten._linalg_slogdet", FactorRules::logarithm);
        rules.put("aten._linalg_det", FactorRules::determinant);
    }

    /** Which row went where: all rows in order, and for several matrices a copy for each (BatchLinearAlgebra.cpp, lu_unpack). */
    private static void permutation(TensorForm matrices, RuleSteps s) {
        if (matrices.count() > 0) {
            long rows = s.take(Long.BYTES * rows(matrices));
            long copies = batch(matrices) > 1 ? s.take(Long.BYTES * rows(matrices) * batch(matrices)) : 0;
            s.give(rows);
            s.give(copies);
        }
    }

    /** Vectors, then values; values alone by a copy of the matrices. */
    private static void eigen(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        boolean vectors = o.flag(2, "compute_v", true);
        if (vectors) {
            s.resultAt(1);
        }
        s.results();
        long copy = vectors ? 0 : s.take(a.bytes());
        long went = s.take(Integer.BYTES * batch(a));
        s.passing(SolverFootprints.eigen(a.element(), batch(a), size(a)));
        failed(a, s);
        s.give(went);
        s.give(copy);
    }

    /** Left vectors, right ones, then values. */
    private static void singular(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        boolean vectors = o.flag(2, "compute_uv", true);
        if (vectors) {
            s.resultAt(0);
            s.resultAt(2);
        }
        s.results();
        long went = s.take(Integer.BYTES * batch(a));
        s.passing(SolverFootprints.singular(a.element(), batch(a), rows(a), size(a), vectors,
                o.flag(1, "full_matrices", false)));
        failed(a, s);
        s.give(went);
    }

    /**
     * By the polynomial of the highest degree (LinearAlgebra.cpp, mexp and compute_T18), which matrices whose norm is 1 and more take and
     * as many as most: norms by absolute values, the matrices by their degree, scaled, five powers of each, five sums of these, and the
     * squares one after the other. Numbers that choose among matrices, of a few bytes each, are not counted.
     */
    private static void exponential(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        long bytes = a.bytes();
        if (a.count() == 0 || size(a) <= 1) {
            return;
        }
        long absolute = s.take(bytes);
        s.passing(a.element() * batch(a) * size(a), a.element() * batch(a), Long.BYTES * batch(a));
        s.give(absolute);
        boolean single = batch(a) == 1;
        if (single) {
            s.results();
        }
        long chosen = single ? s.take(bytes) : 0;
        long scaled = s.take(bytes);
        long powers = s.take(POWERS * bytes);
        s.passing(bytes);
        long sums = s.take(POWERS * bytes);
        s.give(powers);
        long first = s.take(bytes);
        long second = s.take(bytes);
        s.give(first);
        s.results();
        s.give(second);
        s.give(sums);
        s.give(scaled);
        s.give(chosen);
    }

    private static void orthogonal(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        s.results();
        boolean none = "r".equals(o.argument(1, "mode"));
        s.passing(SolverFootprints.reflections(a.element(), batch(a), rows(a), size(a),
                none ? 0 : Operation.forms(o.result()).getFirst().shape()[a.rank() - 1]));
    }

    /** A copy of the right side as high as the higher of both, of which the solution is a part; then how far it is off. */
    private static void leastSquares(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        TensorForm b = o.form(1);
        boolean vector = b.rank() < a.rank();
        long right = vector ? 1 : b.shape()[b.rank() - 1];
        long went = s.take(Integer.BYTES * batch(a));
        s.result(b.bytes() / Math.max(1, rows(a)) * Math.max(rows(a), size(a)));
        long copy = s.take(a.bytes());
        s.passing(SolverFootprints.leastSquares(a.element(), batch(a), rows(a), size(a), right));
        s.cublas();
        s.results();
        s.give(copy);
        failed(a, s);
        s.give(went);
    }

    /** Whether any went wrong. */
    private static void failed(TensorForm matrices, RuleSteps s) {
        long[] shape = Arrays.copyOf(matrices.shape(), matrices.rank() - 2);
        long[] strides = new long[shape.length];
        long step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= shape[d];
        }
        LinearAlgebraRules.failed(new TensorForm("int32", shape, strides, 0, false), s);
    }

    private static void logarithm(Operation o, RuleSteps s) {
        TensorForm matrices = o.form(0);
        long diagonals = size(matrices) * batch(matrices);
        s.results();
        long failed = s.take(Integer.BYTES * batch(matrices));
        factor(matrices, s);
        long exchanged = exchanged(matrices, s);
        long signs = s.take(matrices.element() * diagonals);
        s.passing(matrices.element() * batch(matrices));
        s.give(signs);
        s.give(exchanged);
        s.passing(matrices.element() * diagonals);
        s.give(failed);
    }

    private static void determinant(Operation o, RuleSteps s) {
        TensorForm matrices = o.form(0);
        s.results();
        long failed = s.take(Integer.BYTES * batch(matrices));
        factor(matrices, s);
        long product = s.take(matrices.element() * batch(matrices));
        s.give(exchanged(matrices, s));
        s.give(product);
        s.give(failed);
    }

    /** How often rows were exchanged, as a count of pivots that are not their own row. */
    private static long exchanged(TensorForm matrices, RuleSteps s) {
        long diagonals = size(matrices) * batch(matrices);
        long rows = s.take(Integer.BYTES * size(matrices));
        long other = s.take(diagonals);
        long count = s.take(Long.BYTES * batch(matrices));
        s.passing(Long.BYTES * diagonals);
        s.give(other);
        s.give(rows);
        return count;
    }

    private static void factor(TensorForm matrices, RuleSteps s) {
        if (SolverFootprints.areEliminatedAtOnce(batch(matrices), size(matrices))) {
            s.cublas();
        }
        s.passing(SolverFootprints.factors(matrices.element(), batch(matrices), rows(matrices), size(matrices)));
    }

    private static void solve(TensorForm matrices, TensorForm right, boolean adjoint, RuleSteps s) {
        long columns = right.rank() < matrices.rank() ? 1 : right.shape()[right.rank() - 1];
        if (!SolverFootprints.areSolvedOneByOne(batch(matrices), size(matrices), columns, adjoint)) {
            s.cublas();
        }
        s.passing(SolverFootprints.solutions(matrices.element(), batch(matrices), size(matrices), columns, adjoint));
    }

    private static long rows(TensorForm matrices) {
        return matrices.shape()[matrices.rank() - 2];
    }

    private static long size(TensorForm matrices) {
        return matrices.shape()[matrices.rank() - 1];
    }

    private static long batch(TensorForm matrices) {
        long elements = size(matrices) * matrices.shape()[matrices.rank() - 2];
        return elements == 0 ? 0 : matrices.count() / elements;
    }
}
