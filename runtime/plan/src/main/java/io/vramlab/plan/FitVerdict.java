package io.vramlab.plan;

/** Whether a program has room. */
public enum FitVerdict {
    /** It has, with all that it caches. */
    FITS("fits"),
    /** It has if cached segments are given back on the way. */
    TIGHT("fits, if cached memory is given back on the way"),
    /** It has for some orders of segments or choices of libraries, and not for others. */
    DEPENDS("may not fit: it depends on where the driver places segments, or on what cuDNN chooses"),
    /** It has not. */
    DOES_NOT_FIT("does not fit");

    private final String text;

    FitVerdict(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
