package io.vramlab.install;

import java.util.Locale;
import java.util.Optional;

import io.vramlab.device.ByteSize;
import io.vramlab.memory.Sizes;

/**
 * How much more one peak may be than another, as {@code diff --growth} has it.
 *
 * @param text
 *            a share such as {@code 1%}, a size such as {@code 5MiB}, or {@code 0}
 */
record AllowedGrowth(String text) {

    private static final double PERCENT = 100;

    AllowedGrowth {
        text = text.strip();
        if (!text.equals("0") && share(text).isEmpty() && ByteSize.parse(text).isEmpty()) {
            throw new CommandFailure("--growth " + text + " was given.", "That is neither a share nor a size.",
                    "Write for instance 1%, 5MiB, or 0 for none at all.");
        }
    }

    private static Optional<Double> share(String text) {
        try {
            double share = text.endsWith("%") ? Double.parseDouble(text.substring(0, text.length() - 1)) : -1;
            return share >= 0 ? Optional.of(share / PERCENT) : Optional.empty();
        } catch (NumberFormatException other) {
            return Optional.empty();
        }
    }

    private long most(long before) {
        return before + share(text).map(share -> (long) (share * before))
                .orElseGet(() -> ByteSize.parse(text).orElse(0L));
    }

    /** Whether it is kept. */
    boolean allows(long before, long after) {
        return after <= most(before);
    }

    /** In a line, whether it is kept. */
    String told(long before, long after) {
        String grew = after <= before
                ? "the peak did not grow"
                : String.format(Locale.ROOT, "the peak grew by %s, %.2f %%", Sizes.both(after - before),
                        PERCENT * (after - before) / Math.max(1, before));
        return (allows(before, after) ? "kept: " : "broken: ") + grew + "; allowed were "
                + (text.endsWith("%") ? text + ", " : "") + Sizes.both(most(before) - before) + ".";
    }
}
