package io.vramlab.kernel.internal.complete;

import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.internal.magic.OtherLines;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a cell that begin with a magic or give a variable its value. */
final class MagicLines {

    private static final Pattern LINE = Pattern
            .compile("(?m)^(?:[ \\t]*|[\\w<>\\[\\], \\t]*=[ \\t]*)%%?([A-Za-z_]\\w*)(?:[ \\t](.*))?$");

    private MagicLines() {
    }

    /** The cell with blanks in place of these lines, but for the Java that a magic takes: every position stays. */
    static String blanked(Magics magics, String cell) {
        Matcher lines = LINE.matcher(OtherLines.blanked(cell));
        return lines.replaceAll(line -> Matcher.quoteReplacement(blanked(magics, line)));
    }

    private static String blanked(Magics magics, MatchResult line) {
        int length = line.end() - line.start();
        String arguments = line.group(2);
        int code = arguments != null && magics.has(line.group(1))
                ? magics.named(line.group(1)).codeStart(arguments)
                : -1;
        return code < 0
                ? " ".repeat(length)
                : " ".repeat(length - arguments.length() + code) + arguments.substring(code);
    }
}
