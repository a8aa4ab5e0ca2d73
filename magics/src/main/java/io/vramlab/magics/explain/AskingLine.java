package io.vramlab.magics.explain;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line of the user's own that asked for memory, where the text has a traceback above the message. */
final class AskingLine {

    private static final String BEGIN = "Traceback (most recent call last)";
    /** Python's frames, and IPython's, which have the file's line behind a colon or name a cell. */
    private static final Pattern FRAME = Pattern.compile("File \"([^\"]+)\", line (\\d+)(?:, in ([\\w.<>]+))?"
            + "|File ([^\" ]+\\.py):(\\d+)(?:,? in ([\\w.<>]+))?|(Cell In ?\\[\\d+\\]), line (\\d+)");
    private static final Pattern LIBRARY = Pattern
            .compile("[/\\\\](?:site-packages|dist-packages|lib[/\\\\]python3?[\\d.]*)[/\\\\]|^<|^/tmp/torchinductor");
    /** Where a text has no traceback's head, frames so far above the message still belong to it. */
    private static final int NEAR = 6000;

    private AskingLine() {
    }

    /** {@return such as {@code train.py:41 (step)}: the innermost frame that is no library's} */
    static Optional<String> above(Message message, String text) {
        int head = text.lastIndexOf(BEGIN, message.at());
        Matcher frame = FRAME.matcher(text)
                .region(Math.max(head, Math.max(0, message.at() - NEAR)), message.at());
        String innermost = null;
        while (frame.find()) {
            String place = place(frame);
            innermost = place == null ? innermost : place;
        }
        return Optional.ofNullable(innermost);
    }

    private static String place(Matcher frame) {
        if (frame.group(7) != null) {
            return frame.group(7) + ", line " + frame.group(8);
        }
        boolean python = frame.group(1) != null;
        String file = python ? frame.group(1) : frame.group(4);
        if (LIBRARY.matcher(file).find()) {
            return null;
        }
        String function = python ? frame.group(3) : frame.group(6);
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) + ":"
                + (python ? frame.group(2) : frame.group(5))
                + (function == null || function.startsWith("<") ? "" : " (" + function + ")");
    }
}
