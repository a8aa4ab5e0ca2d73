package io.vramlab.install.diagnosis;

/** How sure a finding is. */
public enum Certainty {
    /** Nothing else known explains what the history shows. */
    SURE("certain", 1),
    /** The history shows what this cause shows; another may look so too. */
    LIKELY("likely", 0.8),
    /** Only sizes or sums speak for it. */
    UNSURE("a guess", 0.5);

    private final String text;
    private final double factor;

    Certainty(String text, double factor) {
        this.text = text;
        this.factor = factor;
    }

    /** In words. */
    public String text() {
        return text;
    }

    double factor() {
        return factor;
    }
}
