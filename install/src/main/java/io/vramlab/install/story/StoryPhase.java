package io.vramlab.install.story;

/** What a program was at when it asked for a block, read from the library's frames on the stack. */
public enum StoryPhase {
    /** Before the history, or the stack does not tell. */
    UNKNOWN("somewhere"),
    /** A module was made or moved to the device. */
    PLACING("making or moving a model"),
    /** A file was loaded. */
    LOADING("loading a file"),
    /** Something was copied as a whole. */
    COPYING("copying a model"),
    /** A module was called. */
    FORWARD("the forward pass"),
    /** A loss function was called. */
    LOSS("the loss"),
    /** The autograd engine's thread, which runs no line of the user's. */
    BACKWARD("the backward pass"),
    /** An optimizer's step. */
    OPTIMIZER("the optimizer's step"),
    /** A line of the user's, outside of all these. */
    OTHER("your own lines");

    private final String text;

    StoryPhase(String text) {
        this.text = text;
    }

    /** In words. */
    public String text() {
        return text;
    }
}
