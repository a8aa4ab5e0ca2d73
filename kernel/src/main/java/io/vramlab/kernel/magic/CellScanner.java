package io.vramlab.kernel.magic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the magics of a cell. One use per cell. */
public final class CellScanner {

    private static final Pattern CELL_MAGIC = Pattern.compile("\\A\\s*?[ \\t]*%%([A-Za-z_]\\w*)([^\\n]*)(?:\\n|\\z)");
    private static final Pattern LINE_MAGIC = Pattern.compile("[ \\t]*%([A-Za-z_]\\w*)([^\\n]*)");
    private static final Pattern ASSIGNED = Pattern.compile("=[ \\t]*%([A-Za-z_]\\w*)([^\\n]*)");

    private final String cell;
    private final Predicate<String> known;
    private final List<CellPart> parts = new ArrayList<>();
    private final StringBuilder java = new StringBuilder();
    private int javaLine = 1;
    private int line = 1;
    private int depth;
    private char last = ';';

    /**
     * A scanner.
     *
     * @param cell
     *            the text of the cell
     * @param known
     *            whether a magic of that name exists; asked only where a percent sign could also be the operator
     */
    public CellScanner(String cell, Predicate<String> known) {
        this.cell = cell.replace("\r\n", "\n");
        this.known = known;
    }

    /** The parts of the cell in order. */
    public List<CellPart> scan() {
        Matcher whole = CELL_MAGIC.matcher(cell);
        if (whole.find()) {
            String before = whole.group().substring(0, whole.group().indexOf("%%"));
            int at = 1 + (int) before.chars().filter(c -> c == '\n').count();
            return List.of(new CellPart.Use(whole.group(1), whole.group(2).strip(), cell.substring(whole.end()), at));
        }
        int i = 0;
        while (i < cell.length()) {
            i = (i == 0 || cell.charAt(i - 1) == '\n') && magicLine(i) ? endOfLine(i) : token(i);
        }
        endJava();
        return parts;
    }

    private int endOfLine(int from) {
        int end = cell.indexOf('\n', from);
        return end < 0 ? cell.length() : end;
    }

    /** Takes the line that begins at {@code i} if it is a magic. */
    private boolean magicLine(int i) {
        Matcher magic = LINE_MAGIC.matcher(cell).region(i, cell.length());
        if (!magic.lookingAt()) {
            return false;
        }
        String name = magic.group(1);
        String arguments = magic.group(2).strip();
        boolean afterStatement = last == ';' || last == '{' || last == '}';
        if (!afterStatement && (arguments.endsWith(";") || !known.test(name))) {
            return false;
        }
        if (depth > 0) {
            java.append(call(name, arguments));
        } else {
            endJava();
            parts.add(new CellPart.Use(name, withoutSemicolon(arguments), null, line));
            javaLine = line;
        }
        last = ';';
        return true;
    }

    private static String withoutSemicolon(String arguments) {
        return arguments.endsWith(";") ? arguments.substring(0, arguments.length() - 1).strip() : arguments;
    }

    private static String call(String name, String arguments) {
        String quoted = withoutSemicolon(arguments).replace("\\", "\\\\").replace("\"", "\\\"");
        return "magic(\"" + name + "\", \"" + quoted + "\");";
    }

    private void endJava() {
        if (!java.toString().isBlank()) {
            parts.add(new CellPart.Java(java.toString(), javaLine));
        }
        java.setLength(0);
    }

    /** Takes one token of Java that begins at {@code i}; where the next one begins. */
    private int token(int i) {
        char c = cell.charAt(i);
        if (cell.startsWith("//", i)) {
            return copy(i, endOfLine(i));
        }
        if (cell.startsWith("/*", i)) {
            return copy(i, after("*/", i + 2));
        }
        if (cell.startsWith("\"\"\"", i)) {
            last = c;
            return copy(i, textBlockEnd(i + 3));
        }
        if (c == '"' || c == '\'') {
            last = c;
            return copy(i, quotedEnd(i));
        }
        if (c == '=') {
            Matcher assigned = ASSIGNED.matcher(cell).region(i, cell.length());
            if (assigned.lookingAt()) {
                java.append("= ").append(call(assigned.group(1), assigned.group(2).strip()));
                last = ';';
                return assigned.end();
            }
        }
        depth = switch (c) {
            case '{', '(', '[' -> depth + 1;
            case '}', ')', ']' -> Math.max(0, depth - 1);
            default -> depth;
        };
        if (!Character.isWhitespace(c)) {
            last = c;
        }
        return copy(i, i + 1);
    }

    private int copy(int from, int to) {
        for (int i = from; i < to; i++) {
            if (cell.charAt(i) == '\n') {
                line++;
            }
        }
        java.append(cell, from, to);
        return to;
    }

    private int after(String end, int from) {
        int at = cell.indexOf(end, from);
        return at < 0 ? cell.length() : at + end.length();
    }

    private int textBlockEnd(int from) {
        int i = from;
        while (i < cell.length() && !cell.startsWith("\"\"\"", i)) {
            i += cell.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(cell.length(), i + 3);
    }

    private int quotedEnd(int from) {
        char quote = cell.charAt(from);
        int i = from + 1;
        while (i < cell.length() && cell.charAt(i) != quote && cell.charAt(i) != '\n') {
            i += cell.charAt(i) == '\\' ? 2 : 1;
        }
        return i < cell.length() && cell.charAt(i) == quote ? i + 1 : Math.min(i, cell.length());
    }
}
