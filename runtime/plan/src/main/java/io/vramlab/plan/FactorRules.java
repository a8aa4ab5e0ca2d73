package io.vramlab.plan;

import java.util.Map;

/**
 * Factors of square matrices by elimination, and what is solved with them: cuSOLVER for one matrix, cuBLAS for batches of small
 * ones, MAGMA, which takes nothing from the allocator, for others (BatchLinearAlgebra.cpp); docs/plan.md, "Single operations".
 */
final class FactorRules {

    private static final int SMALL = 16;
    private static final int MEDIUM = 128;
    private static final int SOLVED_BY_POINTERS = 32;
    private static final int TILE = 32;
    private static final int WORDS = 8;
    /** cuSOLVER's workspace of one factorization in float32, recorded at these sizes; taken between them as on a line. */
    private static final long[] SIZES = {1, 12, 64, 130, 200, 300, 520, 1100};
    private static final long[] BYTES = {768, 768, 1280, 3584, 4096, 6912, 8704, 14144};

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
            if (o.flag(4, "adjoint", false) && size(o.form(0)) > SMALL) {
                solveAdjoint(o.form(0), out, s);
            } else {
                solve(o.form(0), out, s);
            }
        });
        rules.put("aten._linalg_solve_ex", (o, s) -> {
            s.results();
            factor(o.form(0), s);
            solve(o.form(0), Operation.forms(o.result()).getFirst(), s);
        });
        rules.put("aten.linalg_inv_ex", (o, s) -> {
            s.results();
            long factors = s.take(o.form(0).bytes());
            long pivots = s.take(Integer.BYTES * size(o.form(0)) * batch(o.form(0)));
            factor(o.form(0), s);
            solve(o.form(0), o.form(0), s);
            s.give(pivots);
            s.give(factors);
        });
        rules.put("aten._linalg_slogdet", FactorRules::logarithm);
        rules.put("aten._linalg_det", FactorRules::determinant);
    }

    /** cuSOLVER's workspace of one matrix of Cholesky's: four bytes for each pair of tiles, and a little. */
    static long cholesky(long size) {
        long tiles = (size + TILE - 1) / TILE;
        return Integer.BYTES * ((tiles * tiles + TILE + WORDS - 1) / WORDS * WORDS);
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
        long batch = batch(matrices);
        long size = size(matrices);
        if (batch == 1) {
            s.passing(workspace(size));
        } else if (size <= SMALL || size <= MEDIUM && batch <= SMALL) {
            s.cublas();
            s.passing(Long.BYTES * batch);
        }
    }

    /** Small ones at once by pointers; others exchange rows of a copy and go through two triangular ones. */
    private static void solve(TensorForm matrices, TensorForm right, RuleSteps s) {
        long batch = batch(matrices);
        long size = size(matrices);
        boolean square = right.shape()[right.rank() - 1] == size;
        if (size <= (square ? SMALL : SOLVED_BY_POINTERS)) {
            s.cublas();
            s.passing(Long.BYTES * batch, Long.BYTES * batch);
            return;
        }
        long numbers = Long.BYTES * size;
        long rows = s.take(numbers);
        long order = s.take(numbers * batch);
        if (batch > 1) {
            s.give(rows);
            rows = 0;
        }
        long places = s.take(numbers);
        long more = batch > 1 ? s.take(numbers * batch) : 0;
        long exchanged = s.take(right.bytes());
        s.cublas();
        LinearAlgebraRules.pointed(matrices, s);
        LinearAlgebraRules.pointed(matrices, s);
        for (long block : new long[]{exchanged, more, places, order, rows}) {
            s.give(block);
        }
    }

    /** The triangular ones first, then rows are exchanged into a copy. */
    private static void solveAdjoint(TensorForm matrices, TensorForm right, RuleSteps s) {
        long rows = s.take(Long.BYTES * size(matrices));
        long order = batch(matrices) > 1 ? s.take(Long.BYTES * size(matrices) * batch(matrices)) : 0;
        if (order != 0) {
            s.give(rows);
        }
        s.cublas();
        LinearAlgebraRules.pointed(matrices, s);
        LinearAlgebraRules.pointed(matrices, s);
        s.passing(right.bytes());
        s.give(order != 0 ? order : rows);
    }

    private static long workspace(long size) {
        int at = 1;
        while (at < SIZES.length - 1 && SIZES[at] < size) {
            at++;
        }
        long step = SIZES[at] - SIZES[at - 1];
        return BYTES[at - 1] + (BYTES[at] - BYTES[at - 1]) * (size - SIZES[at - 1]) / step;
    }

    private static long size(TensorForm matrices) {
        return matrices.shape()[matrices.rank() - 1];
    }

    private static long batch(TensorForm matrices) {
        long elements = size(matrices) * matrices.shape()[matrices.rank() - 2];
        return elements == 0 ? 0 : matrices.count() / elements;
    }
}
