package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.ReduceOp;

/**
 * How values are gathered, in double, in many lanes at once: value {@code i} of a tile goes to lane {@code i}, tile after
 * tile, and the lanes are gathered at the end in pairs. Lanes need not wait for each other, and with one index for both
 * arrays the compiler makes vector instructions of the loop; yet the order of additions depends on lengths alone.
 */
public abstract class LaneFold {

    /** What nothing gathers to. */
    final double start;

    LaneFold(double start) {
        this.start = start;
    }

    /** One more value. */
    abstract double step(double gathered, double value);

    /** Two gatherings as one. */
    double combine(double a, double b) {
        return step(a, b);
    }

    /** One more value for each of the first {@code n} lanes. */
    void lanes(double[] lanes, double[] values, int n) {
        for (int i = 0; i < n; i++) {
            lanes[i] = step(lanes[i], values[i]);
        }
    }

    /** One more value for each of the first {@code n} lanes. */
    void lanes(double[] lanes, float[] values, int n) {
        for (int i = 0; i < n; i++) {
            lanes[i] = step(lanes[i], values[i]);
        }
    }

    /** Gathers the first {@code n} lanes, in pairs of the lower and upper half. */
    double gather(double[] lanes, int n) {
        int left = n;
        while (left > 1) {
            int half = (left + 1) / 2;
            for (int i = 0; i + half < left; i++) {
                lanes[i] = combine(lanes[i], lanes[i + half]);
            }
            left = half;
        }
        return left == 0 ? start : lanes[0];
    }

    /** The gathering for an operation; sums serve means and variances too. */
    static LaneFold of(ReduceOp op) {
        return switch (op) {
            case SUM, MEAN -> new Sum();
            case NORM2 -> new SquaredDistance(0);
            case NORM1 -> new Magnitudes();
            case SUM_NUMBERS -> new Numbers();
            case MAX_MAGNITUDE -> new LargestMagnitude();
            case PROD -> new Product();
            case MAX -> new Largest();
            case MIN -> new Smallest();
            case ANY -> new Any();
            case ALL -> new All();
            case VAR, ARGMAX, ARGMIN -> throw new IllegalArgumentException("no single fold for " + op);
        };
    }

    /** Addition. */
    public static final class Sum extends LaneFold {

        public Sum() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return gathered + value;
        }

        @Override
        void lanes(double[] lanes, double[] values, int n) {
            for (int i = 0; i < n; i++) {
                lanes[i] += values[i];
            }
        }

        @Override
        void lanes(double[] lanes, float[] values, int n) {
            for (int i = 0; i < n; i++) {
                lanes[i] += values[i];
            }
        }
    }

    /** Squares of the distance to a centre; the gatherings themselves are added. */
    public static final class SquaredDistance extends LaneFold {

        private final double centre;

        public SquaredDistance(double centre) {
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

        @Override
        void lanes(double[] lanes, double[] values, int n) {
            double c = centre;
            for (int i = 0; i < n; i++) {
                lanes[i] += (values[i] - c) * (values[i] - c);
            }
        }

        @Override
        void lanes(double[] lanes, float[] values, int n) {
            double c = centre;
            for (int i = 0; i < n; i++) {
                lanes[i] += (values[i] - c) * (values[i] - c);
            }
        }
    }

    private static final class Magnitudes extends LaneFold {

        Magnitudes() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return gathered + Math.abs(value);
        }

        @Override
        double combine(double a, double b) {
            return a + b;
        }
    }

    private static final class Numbers extends LaneFold {

        Numbers() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return Double.isNaN(value) ? gathered : gathered + value;
        }
    }

    private static final class LargestMagnitude extends LaneFold {

        LargestMagnitude() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return Math.max(gathered, Math.abs(value));
        }
    }

    private static final class Product extends LaneFold {

        Product() {
            super(1);
        }

        @Override
        double step(double gathered, double value) {
            return gathered * value;
        }
    }

    private static final class Largest extends LaneFold {

        Largest() {
            super(Double.NEGATIVE_INFINITY);
        }

        @Override
        double step(double gathered, double value) {
            return Math.max(gathered, value);
        }

        @Override
        void lanes(double[] lanes, float[] values, int n) {
            for (int i = 0; i < n; i++) {
                lanes[i] = Math.max(lanes[i], values[i]);
            }
        }
    }

    private static final class Smallest extends LaneFold {

        Smallest() {
            super(Double.POSITIVE_INFINITY);
        }

        @Override
        double step(double gathered, double value) {
            return Math.min(gathered, value);
        }

        @Override
        void lanes(double[] lanes, float[] values, int n) {
            for (int i = 0; i < n; i++) {
                lanes[i] = Math.min(lanes[i], values[i]);
            }
        }
    }

    private static final class Any extends LaneFold {

        Any() {
            super(0);
        }

        @Override
        double step(double gathered, double value) {
            return gathered != 0 || value != 0 ? 1 : 0;
        }
    }

    private static final class All extends LaneFold {

        All() {
            super(1);
        }

        @Override
        double step(double gathered, double value) {
            return gathered != 0 && value != 0 ? 1 : 0;
        }
    }
}
