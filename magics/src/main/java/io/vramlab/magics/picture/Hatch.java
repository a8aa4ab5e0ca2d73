package io.vramlab.magics.picture;

/** A pattern laid over a colour, so that kinds can be told apart without seeing colours. */
public enum Hatch {
    /** Plain. */
    NONE(""),
    /** Lines up to the right. */
    UP("M0 6L6 0"),
    /** Lines down to the right. */
    DOWN("M0 0L6 6"),
    /** Both. */
    CROSS("M0 0L6 6M0 6L6 0"),
    /** Level lines. */
    LEVEL("M0 3L6 3"),
    /** Upright lines. */
    UPRIGHT("M3 0L3 6"),
    /** Dots. */
    DOTS("M2 3L4 3");

    private final String path;

    Hatch(String path) {
        this.path = path;
    }

    /** The strokes within a tile of 6 by 6, as SVG path of M and L commands. */
    String path() {
        return path;
    }
}
