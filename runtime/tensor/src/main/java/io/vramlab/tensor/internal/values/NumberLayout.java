package io.vramlab.tensor.internal.values;

/**
 * How the numbers of one tensor are written, so that they stand in columns: PyTorch's rule (torch/_tensor_str.py,
 * _Formatter), with its default of four digits. All are written alike:
 * <ul>
 * <li>{@code 1.0000e-05} when the largest is over a thousand times the smallest, over 1e8, or the smallest under 1e-4, of
 * those that are neither zero nor infinite nor NaN;</li>
 * <li>{@code 2.} when all of these are whole;</li>
 * <li>{@code 2.5000} otherwise.</li>
 * </ul>
 */
public final class NumberLayout {

    private static final int DIGITS = 4;
    private static final double WIDEST_RATIO = 1000;
    private static final double LARGEST = 1e8;
    private static final double SMALLEST = 1e-4;

    private final Peek values;
    private final boolean whole;
    private final boolean scientific;
    private int width = 1;

    NumberLayout(Peek values) {
        this.values = values;
        boolean allWhole = true;
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int i = 0; values.isReal() && i < values.count(); i++) {
            double v = values.real(i);
            if (counts(v)) {
                allWhole &= v == Math.rint(v);
                least = Math.min(least, Math.abs(v));
                most = Math.max(most, Math.abs(v));
            }
        }
        whole = allWhole;
        scientific = most > 0 && (most / least > WIDEST_RATIO || most > LARGEST || least < SMALLEST);
        for (int i = 0; i < values.count(); i++) {
            if (!values.isReal() || counts(values.real(i))) {
                width = Math.max(width, text(i).length());
            }
        }
    }

    private static boolean counts(double v) {
        return Double.isFinite(v) && v != 0;
    }

    /** Characters that a number takes. */
    int width() {
        return width;
    }

    /** The number, right-aligned; one that does not count, such as an infinity, may be wider. */
    String number(int i) {
        String text = text(i);
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    private String text(int i) {
        if (!values.isReal()) {
            return values.text(i);
        }
        double v = values.real(i);
        if (scientific) {
            return Decimals.scientific(v, DIGITS);
        }
        return whole ? Decimals.fixed(v, 0) + (Double.isFinite(v) ? "." : "") : Decimals.fixed(v, DIGITS);
    }
}
