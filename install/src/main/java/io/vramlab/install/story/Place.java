package io.vramlab.install.story;

import java.util.List;

import io.vramlab.memory.Frame;

/**
 * Where a block was asked for, with the frames of PyTorch, of other libraries and of what launched the program folded away.
 *
 * @param user the user's frames, innermost first; empty where no line of the user's ran
 * @param entry the place in {@code user} of the line from which the program went into a library: the call of the model, of
 *     {@code backward}, of the optimizer
 * @param phase what the program was at
 * @param library the innermost function when that is a library's, else empty
 * @param caller what tells turns of a loop apart: the user's line and the frame, a trainer's perhaps, that called the model, the
 *     backward pass or the optimizer
 */
public record Place(List<Frame> user, int entry, StoryPhase phase, String library, int caller) {

    /** Nothing is known. */
    public static final Place NOWHERE = new Place(List.of(), 0, StoryPhase.UNKNOWN, "", 0);

    /** Whether there is a line of the user's. */
    public boolean isKnown() {
        return !user.isEmpty();
    }

    /** The innermost line of the user's; empty without one. */
    public String inner() {
        return user.isEmpty() ? "" : line(user.getFirst());
    }

    /** The line of the user's that called into the library; empty without one. */
    public String outer() {
        return user.isEmpty() ? "" : line(user.get(entry));
    }

    /** The line of a frame, without its file's folders. */
    public static String line(Frame frame) {
        String file = frame.file();
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) + ":" + frame.line();
    }
}
