package io.vramlab.kernel.internal.magic;

import java.util.regex.Pattern;

/** Lines for the shell and questions, as far as a cell's text alone tells them from Java. */
public final class OtherLines {

    private static final Pattern COMMAND = Pattern.compile("(?m)^[ \\t]*(?:[\\w<>\\[\\], \\t]*=[ \\t]*)?(![^\\n]*)$");
    private static final Pattern QUESTION = Pattern.compile("(?m)^[ \\t]*\\?\\??[ \\t]*[%\\w.$]*[ \\t]*$"
            + "|^[ \\t]*%{0,2}[A-Za-z_$][\\w.$]*\\?\\??[ \\t]*\\z");

    private OtherLines() {
    }

    /** The cell with blanks in their place: every position stays. */
    public static String blanked(String cell) {
        String text = COMMAND.matcher(cell)
                .replaceAll(line -> new Negation(cell, name -> "boolean").isJava(line.group(1))
                        ? "$0"
                        : " ".repeat(line.end() - line.start()));
        return QUESTION.matcher(text).replaceAll(line -> " ".repeat(line.end() - line.start()));
    }
}
