package io.vramlab.magics.text;

/** A curve in one line of text. */
public final class Sparkline {

    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {
    }

    /**
     * Draws values from 0 to their greatest as bars of eight heights.
     *
     * @param values
     *            any number of them, none below 0; each bar shows the greatest of those that fall on it
     * @param width
     *            the most bars
     */
    public static String of(long[] values, int width) {
        if (values.length == 0) {
            return "";
        }
        long top = 1;
        for (long value : values) {
            top = Math.max(top, value);
        }
        int bars = Math.min(width, values.length);
        StringBuilder out = new StringBuilder(bars);
        for (int bar = 0; bar < bars; bar++) {
            int from = (int) ((long) bar * values.length / bars);
            int to = (int) ((long) (bar + 1) * values.length / bars);
            long peak = 0;
            for (int i = from; i < to; i++) {
                peak = Math.max(peak, values[i]);
            }
            out.append(BARS.charAt((int) Math.round(7.0 * peak / top)));
        }
        return out.toString();
    }
}
