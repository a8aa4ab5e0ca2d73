package io.vramlab.plan;

import io.vramlab.footprint.SolverFootprints;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Factors and solutions of small matrices in batches, and products of three; docs/footprint.md, "Linear algebra". */
final class LinearAlgebraRules {

    private static final int LOOPED_BATCH = 8;
    private static final int LOOPED_SIZE = 64;
    private static final int BATCHED_SIZE = 512;

    private LinearAlgebraRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._linalg_check_errors", (o, s) -> {
            if (!o.form(0).host()) {
                failed(o.form(0), s);
            }
        });
        rules.put("aten.linalg_cholesky_ex", (o, s) -> {
            s.results();
            TensorForm a = o.form(0);
            s.passing(SolverFootprints.cholesky(a.element(), batch(a), a.shape()[a.rank() - 1],
                    o.flag(1, "upper", false)));
        });
        rules.put("aten.cholesky_solve", (o, s) -> { // whether it went well, the solutions, a copy of the factor
            if (batch(o.form(1)) > 1) { // MAGMA's
                s.results();
                s.passing(o.form(1).bytes());
            } else {
                long went = s.take(Integer.BYTES);
                s.results();
                s.passing(o.form(1).bytes());
                s.give(went);
            }
        });
        rules.put("aten.cholesky_inverse", (o, s) -> { // ones on a diagonal that are solved for, by a copy of the factor
            s.results();
            long factor = s.take(o.form(0).bytes());
            s.passing(batch(o.form(0)) > 1 ? 0L : Integer.BYTES);
            s.give(factor);
        });
        rules.put("aten.linalg_solve_triangular", LinearAlgebraRules::triangular);
        rules.put("aten._trilinear", LinearAlgebraRules::trilinear);
        rules.put("aten._pdist_backward", (o, s) -> { // each point's gradient, by the points after it
            s.results();
            long points = o.form(1).shape()[0];
            s.passing((points - 1) * o.form(1).bytes());
        });
        rules.put("aten._sample_dirichlet", (o, s) -> { // the sum of each row
            s.results();
            TensorForm in = o.form(0);
            s.passing(in.bytes() / Math.max(1, in.shape()[in.rank() - 1]));
        });
        rules.put("aten.affine_grid_generator", LinearAlgebraRules::grid);
    }

    /** Whether any of a batch failed. */
    static void failed(TensorForm went, RuleSteps s) {
        if (went.rank() == 0) {
            s.passing(1L, 1L);
        } else {
            long any = s.take(1);
            s.reduction(went, ReductionRules.every(went), went.element());
            s.give(any);
        }
    }

    /** Batches of small matrices go by arrays of pointers, few large ones one by one (BatchLinearAlgebra.cpp, triangular_solve_kernel). */
    private static void triangular(Operation o, RuleSteps s) {
        s.results();
        TensorForm matrices = o.form(0);
        if (!isLooped(matrices) && matrices.shape()[matrices.rank() - 1] > BATCHED_SIZE) {
            s.cublas();
            s.unknown();
        } else {
            List<Long> pointers = s.hold(
                    SolverFootprints.triangles(batch(matrices), matrices.shape()[matrices.rank() - 1]));
            s.cublas(); // asked for with the pointers at hand (triangular_solve_batched_cublas)
            s.give(pointers);
        }
    }

    private static boolean isLooped(TensorForm matrices) {
        return batch(matrices) <= LOOPED_BATCH && matrices.shape()[matrices.rank() - 1] >= LOOPED_SIZE;
    }

    /**
     * nn.Bilinear, and its gradients: three tensors seen in four dimensions. For each index of the second dimension the first
     * two are multiplied and summed over what the third has not, and that by the third (Linear.cpp, _trilinear).
     */
    private static void trilinear(Operation o, RuleSteps s) {
        s.results();
        int rank = o.form(0).rank() + list(o, 3).size();
        boolean[][] has = new boolean[3][rank];
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        for (int i = 0; i < 3; i++) {
            int next = 0;
            for (int d = 0; d < rank; d++) {
                has[i][d] = !list(o, 3 + i).contains((long) d);
                if (has[i][d]) {
                    sizes[d] = Math.max(sizes[d], o.form(i).shape()[next++]);
                }
            }
        }
        int unrolled = (int) o.number(7, "unroll_dim", 1);
        long turns = sizes[unrolled];
        sizes[unrolled] = 1;
        long pair = o.form(0).element();
        long all = pair;
        for (int d = 0; d < rank; d++) {
            boolean summed = list(o, 6).contains((long) d);
            pair *= (has[0][d] || has[1][d]) && !(summed && !has[2][d]) ? sizes[d] : 1;
            all *= summed ? 1 : sizes[d];
        }
        for (long turn = 0; turn < turns; turn++) {
            long first = s.take(pair);
            long second = s.take(all);
            s.give(first);
            s.give(second);
        }
    }

    private static List<?> list(Operation o, int argument) {
        return (List<?>) o.argument(argument);
    }

    /** The places of all pixels, from evenly spaced numbers for each side, then their product by the transformation, with cuBLAS (AffineGridGenerator.cpp). */
    private static void grid(Operation o, RuleSteps s) {
        List<?> size = list(o, 1);
        long element = o.form(0).element();
        long pixels = ((Number) size.getFirst()).longValue();
        for (Object side : size.subList(2, size.size())) {
            pixels *= ((Number) side).longValue();
        }
        long base = s.take(pixels * (size.size() - 1) * element);
        for (int side = size.size() - 1; side >= 2; side--) {
            long numbers = ((Number) size.get(side)).longValue() * element;
            if (o.flag(2, "align_corners", false) || numbers <= element) {
                s.passing(numbers);
            } else {
                s.passing(numbers, numbers, numbers);
            }
        }
        s.results();
        s.cublas();
        s.give(base);
    }

    private static long batch(TensorForm matrices) {
        long size = matrices.shape()[matrices.rank() - 1] * matrices.shape()[matrices.rank() - 2];
        return size == 0 ? 0 : matrices.count() / size;
    }
}
