package io.vramlab.magics.explain;

import io.vramlab.magics.text.ReadableSizes;

/** Shares in the one form that VramLab has for them. */
final class Percent {

    private Percent() {
    }

    static String of(Amount part, Amount whole) {
        return ReadableSizes.percent((double) part.bytes() / whole.bytes());
    }
}
