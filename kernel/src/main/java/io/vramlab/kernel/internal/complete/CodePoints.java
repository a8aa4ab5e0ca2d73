package io.vramlab.kernel.internal.complete;

/** Positions in code points, as the protocol counts them, and in chars, as Java does. */
public final class CodePoints {

    private CodePoints() {
    }

    /** The char index of a position; positions outside the text count as its ends. */
    public static int toIndex(String text, int position) {
        int last = text.codePointCount(0, text.length());
        return text.offsetByCodePoints(0, Math.clamp(position, 0, last));
    }

    /** The position of a char index. */
    public static int toPosition(String text, int index) {
        return text.codePointCount(0, index);
    }
}
