package io.vramlab.tensor.internal.ops.linalg;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Cholesky's, Householder's and Jacobi's factors of one matrix, row by row. */
final class HostFactors {

    private static final int MOST_SWEEPS = 60;
    private static final double SMALL = 1e-15;

    private HostFactors() {
    }

    /** The lower factor, and 0 or the order of the first minor that is not positive. */
    record Cholesky(double[] factor, int info) {
    }

    static Cholesky cholesky(double[] a, int n, boolean upper) {
        double[] l = new double[n * n];
        for (int j = 0; j < n; j++) {
            double d = a[j * n + j];
            for (int k = 0; k < j; k++) {
                d -= l[j * n + k] * l[j * n + k];
            }
            if (!(d > 0)) {
                return new Cholesky(l, j + 1);
            }
            d = Math.sqrt(d);
            l[j * n + j] = d;
            for (int i = j + 1; i < n; i++) {
                double s = upper ? a[j * n + i] : a[i * n + j];
                for (int k = 0; k < j; k++) {
                    s -= l[i * n + k] * l[j * n + k];
                }
                l[i * n + j] = s / d;
            }
        }
        return new Cholesky(l, 0);
    }

    /** Reflections below the diagonal and R on and above it, as LAPACK's geqrf leaves them, and their factors. */
    record Reflections(double[] a, double[] tau, int rows, int columns) {
    }

    static Reflections reflections(double[] given, int rows, int columns) {
        double[] a = given.clone();
        int steps = Math.min(rows, columns);
        double[] tau = new double[steps];
        for (int k = 0; k < steps; k++) {
            double below = 0;
            for (int i = k + 1; i < rows; i++) {
                below += a[i * columns + k] * a[i * columns + k];
            }
            if (below == 0) {
                continue;
            }
            double alpha = a[k * columns + k];
            double beta = -Math.copySign(Math.sqrt(alpha * alpha + below), alpha);
            tau[k] = (beta - alpha) / beta;
            for (int i = k + 1; i < rows; i++) {
                a[i * columns + k] /= alpha - beta;
            }
            a[k * columns + k] = beta;
            for (int j = k + 1; j < columns; j++) {
                double s = a[k * columns + j];
                for (int i = k + 1; i < rows; i++) {
                    s += a[i * columns + k] * a[i * columns + j];
                }
                s *= tau[k];
                a[k * columns + j] -= s;
                for (int i = k + 1; i < rows; i++) {
                    a[i * columns + j] -= s * a[i * columns + k];
                }
            }
        }
        return new Reflections(a, tau, rows, columns);
    }

    /** The first columns of the product of all reflections: orgqr. */
    static double[] product(Reflections of, int wanted) {
        int rows = of.rows;
        double[] q = new double[rows * wanted];
        for (int i = 0; i < Math.min(rows, wanted); i++) {
            q[i * wanted + i] = 1;
        }
        for (int k = of.tau.length - 1; k >= 0; k--) {
            for (int j = 0; j < wanted; j++) {
                double s = q[k * wanted + j];
                for (int i = k + 1; i < rows; i++) {
                    s += of.a[i * of.columns + k] * q[i * wanted + j];
                }
                s *= of.tau[k];
                q[k * wanted + j] -= s;
                for (int i = k + 1; i < rows; i++) {
                    q[i * wanted + j] -= s * of.a[i * of.columns + k];
                }
            }
        }
        return q;
    }

    /** Eigenvalues from the least, and their vectors as columns. */
    record Eigen(double[] values, double[] vectors) {
    }

    /** By Jacobi's rotations, of the triangle that is asked for. */
    static Eigen eigen(double[] given, int n, boolean upper) {
        double[] a = new double[n * n];
        double[] v = new double[n * n];
        double size = 0;
        for (int i = 0; i < n; i++) {
            v[i * n + i] = 1;
            for (int j = 0; j < n; j++) {
                a[i * n + j] = (j < i) == upper ? given[j * n + i] : given[i * n + j];
                size += a[i * n + j] * a[i * n + j];
            }
        }
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            double off = 0;
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    off += 2 * a[p * n + q] * a[p * n + q];
                }
            }
            if (off <= SMALL * SMALL * size) {
                break;
            }
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    rotate(a, v, n, p, q);
                }
            }
        }
        double[] values = new double[n];
        Arrays.setAll(values, i -> a[i * n + i]);
        return sorted(values, v, n, n, Comparator.naturalOrder());
    }

    private static void rotate(double[] a, double[] v, int n, int p, int q) {
        double apq = a[p * n + q];
        if (apq == 0) {
            return;
        }
        double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < n; k++) {
            double x = a[k * n + p];
            double y = a[k * n + q];
            a[k * n + p] = c * x - s * y;
            a[k * n + q] = s * x + c * y;
        }
        turn(a, n, p, q, c, s);
        // vectors lie as rows while they are turned
        turn(v, n, p, q, c, s);
    }

    private static void turn(double[] a, int n, int p, int q, double c, double s) {
        for (int k = 0; k < n; k++) {
            double x = a[p * n + k];
            double y = a[q * n + k];
            a[p * n + k] = c * x - s * y;
            a[q * n + k] = s * x + c * y;
        }
    }

    /** Values in order; the rows of {@code v} become columns in that order. */
    private static Eigen sorted(double[] values, double[] v, int many, int length, Comparator<Double> order) {
        int[] at = IntStream.range(0, many).boxed().sorted(Comparator.comparing(i -> values[i], order))
                .mapToInt(Integer::intValue).toArray();
        double[] out = new double[many];
        double[] vectors = new double[many * length];
        for (int j = 0; j < many; j++) {
            out[j] = values[at[j]];
            for (int k = 0; k < length; k++) {
                vectors[k * many + j] = v[at[j] * length + k];
            }
        }
        return new Eigen(out, vectors);
    }

    /** Singular values from the largest, left vectors as columns, right ones as rows; as many as the smaller side. */
    record Svd(double[] u, double[] s, double[] vh) {
    }

    /** By one-sided rotations of columns (Hestenes, 1958). */
    static Svd svd(double[] a, int rows, int columns) {
        if (rows < columns) {
            Svd t = svd(Matrices.transposed(a, rows, columns), columns, rows);
            return new Svd(Matrices.transposed(t.vh, rows, rows), t.s, Matrices.transposed(t.u, columns, rows));
        }
        // columns as rows, so that they lie together
        double[] w = Matrices.transposed(a, rows, columns);
        double[] v = new double[columns * columns];
        for (int i = 0; i < columns; i++) {
            v[i * columns + i] = 1;
        }
        boolean turned = true;
        for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
            turned = false;
            for (int p = 0; p < columns; p++) {
                for (int q = p + 1; q < columns; q++) {
                    turned |= orthogonalize(w, v, rows, columns, p, q);
                }
            }
        }
        double[] s = new double[columns];
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += w[j * rows + i] * w[j * rows + i];
            }
            s[j] = Math.sqrt(sum);
            for (int i = 0; i < rows && s[j] > 0; i++) {
                w[j * rows + i] /= s[j];
            }
        }
        Eigen left = sorted(s, w, columns, rows, Comparator.reverseOrder());
        Eigen right = sorted(s, v, columns, columns, Comparator.reverseOrder());
        return new Svd(left.vectors, left.values, Matrices.transposed(right.vectors, columns, columns));
    }

    private static boolean orthogonalize(double[] w, double[] v, int rows, int columns, int p, int q) {
        double pp = 0;
        double qq = 0;
        double pq = 0;
        for (int i = 0; i < rows; i++) {
            pp += w[p * rows + i] * w[p * rows + i];
            qq += w[q * rows + i] * w[q * rows + i];
            pq += w[p * rows + i] * w[q * rows + i];
        }
        if (Math.abs(pq) <= SMALL * Math.sqrt(pp * qq)) {
            return false;
        }
        double zeta = (qq - pp) / (2 * pq);
        double t = Math.copySign(1, zeta) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        double c = 1 / Math.sqrt(1 + t * t);
        turn(w, rows, p, q, c, c * t);
        turn(v, columns, p, q, c, c * t);
        return true;
    }

    /** Orthonormal columns behind those that there are, until there are that many. */
    static double[] complete(double[] u, int rows, int columns, int wanted) {
        double[] full = product(reflections(u, rows, columns), wanted);
        for (int i = 0; i < rows; i++) {
            System.arraycopy(u, i * columns, full, i * wanted, columns);
        }
        return full;
    }
}
