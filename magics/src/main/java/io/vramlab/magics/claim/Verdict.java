package io.vramlab.magics.claim;

/** What the figures say of a claim. */
public enum Verdict {
    /** It is so. */
    BORNE_OUT("borne out"),
    /** It is so in part, or only under a condition. */
    HALF_TRUE("half true"),
    /** It is not so. */
    NOT_BORNE_OUT("not borne out"),
    /** The code that was printed does not do what was said of it. */
    WRONG_CODE("wrong code");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** The verdict of a yes-or-no measurement. */
    public static Verdict of(boolean borneOut) {
        return borneOut ? BORNE_OUT : NOT_BORNE_OUT;
    }

    /** Borne out if it is so wholly, half true if only partly. */
    public static Verdict of(boolean wholly, boolean partly) {
        return wholly ? BORNE_OUT : partly ? HALF_TRUE : NOT_BORNE_OUT;
    }

    /** In words. */
    @Override
    public String toString() {
        return words;
    }
}
