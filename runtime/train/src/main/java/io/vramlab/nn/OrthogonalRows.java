package io.vramlab.nn;

/** Rows, or columns if there are more rows, of a drawn matrix made orthogonal to each other, by Gram and Schmidt, twice. */
final class OrthogonalRows {

    private OrthogonalRows() {
    }

    /** Row by row; each of the shorter side has that length. */
    static double[] of(double[] drawn, int rows, int columns, double length) {
        boolean wide = rows <= columns;
        int many = wide ? rows : columns;
        int size = wide ? columns : rows;
        double[][] lines = new double[many][size];
        for (int i = 0; i < many; i++) {
            for (int k = 0; k < size; k++) {
                lines[i][k] = wide ? drawn[i * columns + k] : drawn[k * columns + i];
            }
            for (int round = 0; round < 2; round++) {
                for (int before = 0; before < i; before++) {
                    double along = dot(lines[i], lines[before]);
                    for (int k = 0; k < size; k++) {
                        lines[i][k] -= along * lines[before][k];
                    }
                }
                double norm = Math.sqrt(dot(lines[i], lines[i]));
                for (int k = 0; k < size; k++) {
                    lines[i][k] /= norm;
                }
            }
        }
        double[] out = new double[rows * columns];
        for (int i = 0; i < many; i++) {
            for (int k = 0; k < size; k++) {
                out[wide ? i * columns + k : k * columns + i] = length * lines[i][k];
            }
        }
        return out;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    }
}
