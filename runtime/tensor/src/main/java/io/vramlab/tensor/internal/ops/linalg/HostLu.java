package io.vramlab.tensor.internal.ops.linalg;

import java.util.Arrays;

/** Gaussian elimination with the largest element of each column as its pivot, as LAPACK's getrf. */
final class HostLu {

    /** L below the diagonal, whose ones are not stored, and U, row by row. */
    final double[] lu;
    /** Which row took each row's place, counted from 1, as LAPACK has it. */
    final double[] pivots;
    /** 0, or the first pivot that is zero, counted from 1. */
    final int info;
    private final int rows;
    private final int columns;

    HostLu(double[] a, int rows, int columns) {
        lu = a.clone();
        this.rows = rows;
        this.columns = columns;
        int steps = Math.min(rows, columns);
        pivots = new double[steps];
        int zero = 0;
        for (int k = 0; k < steps; k++) {
            int best = k;
            for (int i = k + 1; i < rows; i++) {
                if (Math.abs(lu[i * columns + k]) > Math.abs(lu[best * columns + k])) {
                    best = i;
                }
            }
            pivots[k] = best + 1;
            if (best != k) {
                swap(lu, columns, k, best);
            }
            double pivot = lu[k * columns + k];
            if (pivot == 0) {
                zero = zero == 0 ? k + 1 : zero;
                continue;
            }
            for (int i = k + 1; i < rows; i++) {
                double factor = lu[i * columns + k] / pivot;
                lu[i * columns + k] = factor;
                if (factor != 0) {
                    for (int j = k + 1; j < columns; j++) {
                        lu[i * columns + j] -= factor * lu[k * columns + j];
                    }
                }
            }
        }
        info = zero;
    }

    /** Of factors that lie already in one matrix. */
    HostLu(double[] lu, double[] pivots, int n) {
        this.lu = lu;
        this.pivots = pivots;
        rows = n;
        columns = n;
        info = 0;
    }

    private static void swap(double[] a, int columns, int i, int j) {
        for (int c = 0; c < columns; c++) {
            double t = a[i * columns + c];
            a[i * columns + c] = a[j * columns + c];
            a[j * columns + c] = t;
        }
    }

    /** 1 or -1, by the number of rows that were exchanged. */
    double sign() {
        double sign = 1;
        for (int i = 0; i < pivots.length; i++) {
            sign = pivots[i] == i + 1 ? sign : -sign;
        }
        return sign;
    }

    /** Which row of the matrix each row of the factors is. */
    static int[] order(double[] pivots, int rows) {
        int[] order = new int[rows];
        Arrays.setAll(order, i -> i);
        for (int i = 0; i < pivots.length; i++) {
            int j = (int) pivots[i] - 1;
            int t = order[i];
            order[i] = order[j];
            order[j] = t;
        }
        return order;
    }

    /** X with A X = B, or with A's transpose for A; B row by row with that many columns. */
    double[] solve(double[] b, int many, boolean transposed) {
        double[] x = b.clone();
        int n = columns;
        if (transposed) {
            triangular(Matrices.transposed(lu, n, n), n, x, many, false, false);
            triangular(Matrices.transposed(lu, n, n), n, x, many, true, true);
            for (int i = n - 1; i >= 0; i--) {
                swap(x, many, i, (int) pivots[i] - 1);
            }
        } else {
            for (int i = 0; i < n; i++) {
                swap(x, many, i, (int) pivots[i] - 1);
            }
            triangular(lu, n, x, many, false, true);
            triangular(lu, n, x, many, true, false);
        }
        return x;
    }

    /** Solves with one triangle of a matrix in place; a unit triangle's diagonal counts as ones. */
    static void triangular(double[] a, int n, double[] x, int many, boolean upper, boolean unit) {
        for (int step = 0; step < n; step++) {
            int i = upper ? n - 1 - step : step;
            for (int k = upper ? i + 1 : 0; k < (upper ? n : i); k++) {
                double factor = a[i * n + k];
                if (factor != 0) {
                    for (int c = 0; c < many; c++) {
                        x[i * many + c] -= factor * x[k * many + c];
                    }
                }
            }
            if (!unit) {
                for (int c = 0; c < many; c++) {
                    x[i * many + c] /= a[i * n + i];
                }
            }
        }
    }
}
