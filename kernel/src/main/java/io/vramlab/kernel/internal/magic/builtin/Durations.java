package io.vramlab.kernel.internal.magic.builtin;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;

/** How long runs took, as {@code %timeit} tells it. */
final class Durations {

    private static final String[] UNITS = {"ns", "µs", "ms", "s"};
    private static final double STEP = 1000;
    private static final MathContext DIGITS = new MathContext(3);

    private Durations() {
    }

    /**
     * Mean and deviation.
     *
     * @param nanos
     *            what each run took for all its loops
     * @param loops
     *            how many loops a run had
     */
    static String of(long[] nanos, long loops) {
        double[] each = Arrays.stream(nanos).mapToDouble(n -> (double) n / loops).toArray();
        double mean = Arrays.stream(each).average().orElse(0);
        double deviation = Math.sqrt(Arrays.stream(each).map(n -> (n - mean) * (n - mean)).average().orElse(0));
        return String.format(Locale.ROOT, "%s ± %s per loop (mean ± std. dev. of %d run%s, %,d loop%s each)",
                text(mean), text(deviation), nanos.length, nanos.length == 1 ? "" : "s", loops, loops == 1 ? "" : "s");
    }

    /** Three digits and a unit. */
    static String text(double nanos) {
        double value = nanos;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString() + " " + UNITS[unit];
    }
}
