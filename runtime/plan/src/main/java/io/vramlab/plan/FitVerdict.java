package io.vramlab.plan;

/** Whether a program has room. */
public enum FitVerdict {
    /** It has, with all that it caches. */
    FITS("fits"),
    /** It has if cached segments are given back on the way. */
    TIGHT("fits, if cached memory is given back on the way"),
    /** It has for some orders of segments or choices of libraries, and not for others. */
    DEPENDS("may not fit: it depends on where the driver places segments, or on what is estimated below"),
    /** What was recorded has room, but the program goes on. */
    INCOMPLETE("is not known to fit: what was recorded has room, but the recording ends before the program does"),
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
