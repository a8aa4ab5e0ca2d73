package io.vramlab.device.cpu.kernels;

import io.vramlab.device.ReduceOp;
import java.util.Arrays;

/**
 * How values are gathered, in double: along a row, eight running values at a time so that additions need not wait for
 * each other, and across columns, one running value each. The order of additions depends on lengths alone.
 */
abstract class Fold {

    private static final int WAYS = 8;

    /** What nothing gathers to. */
    final double start;

    Fold(double start) {
        this.start = start;
    }

    /** One more value. */
    abstract double step(double gathered, double value);

    /** Two gatherings as one. */
    double combine(double a, double b) {
        return step(a, b);
    }

    /** Gathers the first {@code n} values of a row. */
    double row(double[] values, int n) {
        double[] way = new double[WAYS];
        Arrays.fill(way, start);
        int i = 0;
        for (; i + WAYS <= n; i += WAYS) {
            for (int w = 0; w < WAYS; w++) {
                way[w] = step(way[w], values[i + w]);
            }
        }
        double all = start;
        for (int w = 0; w < WAYS; w++) {
            all = combine(all, way[w]);
        }
        for (; i < n; i++) {
            all = step(all, values[i]);
        }
        return all;
    }

    /** Gathers {@code n} values, from {@code at} on, into as many running ones. */
    void columns(double[] gathered, int first, double[] values, int at, int n) {
        for (int j = 0; j < n; j++) {
            gathered[first + j] = step(gathered[first + j], values[at + j]);
        }
    }

    /** The gathering for an operation; sums serve means and variances too. */
    static Fold of(ReduceOp op) {
        return switch (op) {
            case SUM, MEAN -> new Sum();
            case NORM2 -> new SquaredDistance(0);
            case PROD -> new Product();
            case MAX -> new Largest();
            case MIN -> new Smallest();
            case ANY -> new Any();
            case ALL -> new All();
            case VAR, ARGMAX, ARGMIN -> throw new IllegalArgumentException("no single fold for " + op);
        };
    }

    /** Addition. */
    static final class Sum extends Fold {

        Sum() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return gathered + value;
        }

        @Override
        double row(double[] v, int n) {
            double s0 = 0;
            double s1 = 0;
            double s2 = 0;
            double s3 = 0;
            double s4 = 0;
            double s5 = 0;
            double s6 = 0;
            double s7 = 0;
            int i = 0;
            for (; i + WAYS <= n; i += WAYS) {
                s0 += v[i];
                s1 += v[i + 1];
                s2 += v[i + 2];
                s3 += v[i + 3];
                s4 += v[i + 4];
                s5 += v[i + 5];
                s6 += v[i + 6];
                s7 += v[i + 7];
            }
            double rest = 0;
            for (; i < n; i++) {
                rest += v[i];
            }
            return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)) + rest;
        }

        @Override
        void columns(double[] gathered, int first, double[] values, int at, int n) {
            for (int j = 0; j < n; j++) {
                gathered[first + j] += values[at + j];
            }
        }
    }

    /** Squares of the distance to a centre; the gatherings themselves are added. */
    static final class SquaredDistance extends Fold {

        private final double centre;

        SquaredDistance(double centre) {
            super(0);
            this.centre = centre;
        }

        @Override
        double step(double gathered, double value) {
            double distance = value - centre;
            return gathered + distance * distance;
        }

        @Override
        double combine(double a, double b) {
            return a + b;
        }
    }

    private static final class Product extends Fold {

        Product() {
            super(1);
        }

        @Override
        double step(double gathered, double value) {
            return gathered * value;
        }
    }

    private static final class Largest extends Fold {

        Largest() {
            super(Double.NEGATIVE_INFINITY);
        }

        @Override
        double step(double gathered, double value) {
            return Math.max(gathered, value);
        }
    }

    private static final class Smallest extends Fold {

        Smallest() {
            super(Double.POSITIVE_INFINITY);
        }

        @Override
        double step(double gathered, double value) {
            return Math.min(gathered, value);
        }
    }

    private static final class Any extends Fold {

        Any() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return gathered != 0 || value != 0 ? 1 : 0;
        }
    }

    private static final class All extends Fold {

        All() {
            super(1);
        }

        @Override
        double step(double gathered, double value) {
            return gathered != 0 && value != 0 ? 1 : 0;
        }
    }
}
