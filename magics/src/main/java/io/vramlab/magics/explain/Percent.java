package io.vramlab.magics.explain;

import java.util.Locale;

/** Shares in the one form that VramLab has for them. */
final class Percent {

    private Percent() {
    }

    static String of(Amount part, Amount whole) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * part.bytes() / whole.bytes());
    }
}
