package io.vramlab.kernel.judge;

/** Methods and fields of names that users like, which the session imports. */
public final class Given {

    /** A field. */
    public static final int WIDTH = 100;

    private Given() {
    }

    /** A method. */
    public static String magic(String text) {
        return "given " + text;
    }
}
