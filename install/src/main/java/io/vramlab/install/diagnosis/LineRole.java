package io.vramlab.install.diagnosis;

import java.util.Locale;

/** What a line has to do with a cause. */
public enum LineRole {
    /** It made most of what the cause is about, or called what did. */
    MADE("makes it"),
    /** Within the model or the function that was called there, it made most. */
    WITHIN("makes most of it"),
    /** It puts what was made where it outlives the turn. */
    KEPT("keeps it"),
    /** It calls the function of the program's in which another of these lines stands. */
    CALLED("calls it"),
    /** It sets the size, or does what should be done otherwise. */
    CHANGE("to change"),
    /** It asked for what there was no room for. */
    ASKED("asked for more");

    private final String text;

    LineRole(String text) {
        this.text = text;
    }

    /** A name for programs. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** In words. */
    public String text() {
        return text;
    }
}
