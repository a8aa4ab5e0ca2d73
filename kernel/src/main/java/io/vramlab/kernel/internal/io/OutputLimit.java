package io.vramlab.kernel.internal.io;

import io.vramlab.kernel.internal.cell.CellRun;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.logging.Logger;

/** Keeps a cell that prints for ever from filling the notebook. */
public final class OutputLimit {

    private static final String VARIABLE = "VRAMLAB_OUTPUT_LIMIT";
    private static final long DEFAULT_CHARS = 8L << 20;
    private static final double MIB = 1 << 20;

    private final Map<CellRun, Long> printed = new WeakHashMap<>();
    private final long limit;

    /**
     * A limit per cell.
     *
     * @param chars
     *            how many characters a cell may print
     */
    public OutputLimit(long chars) {
        this.limit = chars;
    }

    /** The limit that the environment variable {@value #VARIABLE} gives in characters, or 8 Mi. */
    public static OutputLimit fromEnvironment() {
        String text = System.getenv(VARIABLE);
        try {
            return new OutputLimit(text == null ? DEFAULT_CHARS : Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            Logger.getLogger(OutputLimit.class.getName()).warning(VARIABLE + "=" + text
                    + " is not a number of characters; " + DEFAULT_CHARS + " is used");
            return new OutputLimit(DEFAULT_CHARS);
        }
    }

    /** What may be shown of {@code text}; the last words of it tell that more is not. */
    synchronized String admit(CellRun run, String text) {
        long before = printed.getOrDefault(run, 0L);
        if (before > limit) {
            return "";
        }
        printed.put(run, before + text.length());
        if (before + text.length() <= limit) {
            return text;
        }
        return text.substring(0, (int) (limit - before)) + """

                [output stopped: In [%d] printed more than %.1f MiB (%d characters); the cell runs on. \
                Print less, write to a file, or start the kernel with VRAMLAB_OUTPUT_LIMIT=<characters>]
                """.formatted(run.number(), limit / MIB, limit);
    }
}
