package io.vramlab.tensor.internal.values;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Numbers as Python's {@code format} writes them: from the exact value of the double, ties to the even digit. Java's own
 * {@code %.4f} starts from the shortest decimal instead and rounds ties up.
 */
public final class Decimals {

    private Decimals() {
    }

    /** {@code .nf}: that many digits after the point, which is left out with none. */
    static String fixed(double value, int digits) {
        return Double.isFinite(value)
                ? sign(value)
                        + new BigDecimal(Math.abs(value)).setScale(digits, RoundingMode.HALF_EVEN).toPlainString()
                : special(value);
    }

    /** {@code .ne}: one digit, that many after the point (at least one), an exponent of at least two digits. */
    static String scientific(double value, int digits) {
        if (!Double.isFinite(value)) {
            return special(value);
        }
        String figures = "0".repeat(digits + 1);
        int exponent = 0;
        if (value != 0) {
            BigDecimal rounded = new BigDecimal(Math.abs(value))
                    .round(new MathContext(digits + 1, RoundingMode.HALF_EVEN));
            String known = rounded.unscaledValue().toString();
            exponent = known.length() - 1 - rounded.scale();
            figures = (known + figures).substring(0, digits + 1);
        }
        return sign(value) + figures.charAt(0) + '.' + figures.substring(1) + 'e' + (exponent < 0 ? '-' : '+')
                + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static String sign(double value) {
        return Math.copySign(1, value) < 0 ? "-" : "";
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
}
