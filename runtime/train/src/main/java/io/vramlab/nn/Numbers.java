package io.vramlab.nn;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Numbers as Python prints them: 1e-05, 0.1, 20.0. */
final class Numbers {

    private static final double LEAST_PLAIN = 1e-4;
    private static final double FIRST_EXPONENT = 1e16;

    private Numbers() {
    }

    static String text(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (Double.isNaN(value)) {
            return "nan";
        }
        double size = Math.abs(value);
        if (value == 0 || size >= LEAST_PLAIN && size < FIRST_EXPONENT) {
            String plain = new java.math.BigDecimal(Double.toString(value)).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        String[] parts = Double.toString(value).split("E");
        int exponent = Integer.parseInt(parts[1]);
        String mantissa = parts[0].endsWith(".0") ? parts[0].substring(0, parts[0].length() - 2) : parts[0];
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /** Several as a Python tuple: (3,), (3, 5). */
    static String tuple(long... values) {
        return Arrays.stream(values).mapToObj(Long::toString)
                .collect(Collectors.joining(", ", "(", values.length == 1 ? ",)" : ")"));
    }
}
