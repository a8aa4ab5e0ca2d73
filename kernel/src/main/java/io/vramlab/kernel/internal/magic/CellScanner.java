package io.vramlab.kernel.internal.magic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the magics of a cell, shell commands and questions among them. One use per cell. */
public final class CellScanner {

    private static final Pattern CELL_MAGIC = Pattern.compile("\\A\\s*?[ \\t]*%%([A-Za-z_]\\w*)([^\\n]*)(?:\\n|\\z)");
    private static final Pattern LINE_MAGIC = Pattern.compile("[ \\t]*%([A-Za-z_]\\w*)([^\\n]*)");
    private static final Pattern ASSIGNED = Pattern.compile("=[ \\t]*%([A-Za-z_]\\w*)([^\\n]*)");
    private static final Pattern COMMAND = Pattern.compile("[ \\t]*(!!?)([^\\n]*)");
    private static final Pattern CAPTURED = Pattern
            .compile("[ \\t]*((?:[\\w.<>\\[\\], \\t]*[\\w>\\]][ \\t]+)?)([A-Za-z_$][\\w$]*)[ \\t]*=[ \\t]*(![^\\n]*)");
    private static final String NOTEBOOK = "io.vramlab.kernel.spi.Notebook.";
    private static final String LINES = " = " + NOTEBOOK + "<java.util.List<String>>";
    /** Words that a value follows. */
    private static final Set<String> BEFORE_VALUE = Set.of("return", "yield", "assert", "throw", "case", "when", "else",
            "do", "instanceof", "new");

    private final String cell;
    private final Predicate<String> known;
    private final UnaryOperator<String> typeOf;
    private final List<CellPart> parts = new ArrayList<>();
    private final StringBuilder java = new StringBuilder();
    private final StringBuilder above = new StringBuilder();
    private final Deque<Character> open = new ArrayDeque<>();
    private final StringBuilder word = new StringBuilder();
    private int javaLine = 1;
    private int line = 1;
    private char last = ';';

    /**
     * A scanner.
     *
     * @param cell
     *            the text of the cell
     * @param known
     *            whether a magic of that name exists; asked only where a percent sign could also be the operator
     * @param typeOf
     *            the type of the session's variable of a name, null if there is none; asked only where an exclamation mark
     *            could also be a negation
     */
    public CellScanner(String cell, Predicate<String> known, UnaryOperator<String> typeOf) {
        this.cell = cell.replace("\r\n", "\n");
        this.known = known;
        this.typeOf = typeOf;
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
            i = (i == 0 || cell.charAt(i - 1) == '\n') && ownLine(i) ? endOfLine(i) : token(i);
        }
        endJava();
        return parts;
    }

    private int endOfLine(int from) {
        int end = cell.indexOf('\n', from);
        return end < 0 ? cell.length() : end;
    }

    /** Takes the line that begins at {@code i} if it is not Java. */
    private boolean ownLine(int i) {
        return question(i) || magicLine(i) || command(i) || captured(i);
    }

    private boolean afterStatement() {
        return last == ';' || last == '{' || last == '}';
    }

    /** Where a semicolon was forgotten: behind a value, at the top level. */
    private boolean afterValue() {
        boolean value = last == '"' || last == ']' || last == ')' || Character.isJavaIdentifierPart(last);
        return open.isEmpty() && value && !BEFORE_VALUE.contains(word.toString());
    }

    private boolean magicLine(int i) {
        Matcher magic = LINE_MAGIC.matcher(cell).region(i, cell.length());
        if (!magic.lookingAt()) {
            return false;
        }
        String name = magic.group(1);
        String arguments = magic.group(2).strip();
        if (!afterStatement() && (arguments.endsWith(";") || !known.test(name))) {
            return false;
        }
        use(name, withoutSemicolon(arguments));
        return true;
    }

    private boolean command(int i) {
        Matcher command = COMMAND.matcher(cell).region(i, cell.length());
        if (!command.lookingAt() || !afterStatement() && !afterValue() || open.peek() == Character.valueOf('(')
                || negation(cell.substring(command.start(1), command.end()))) {
            return false;
        }
        use(command.group(1).equals("!") ? "sh" : "sx", command.group(2).strip());
        return true;
    }

    /** {@code files = !ls}. */
    private boolean captured(int i) {
        Matcher line = CAPTURED.matcher(cell).region(i, cell.length());
        if (!line.lookingAt() || !open.isEmpty() || !afterStatement() && !afterValue()) {
            return false;
        }
        String command = line.group(3).strip();
        if (command.endsWith(";") || negation(command)) {
            return false;
        }
        String type = line.group(1).strip();
        String name = line.group(2);
        boolean fresh = type.isEmpty() && typeOf.apply(name) == null;
        java.append(fresh ? "var" : type).append(' ').append(name).append(LINES)
                .append(call("magic", "sx", command.replaceFirst("^!+\\s*", "")));
        last = ';';
        return true;
    }

    private boolean negation(String text) {
        return new Negation(above.toString() + java, typeOf).isJava(text);
    }

    private boolean question(int i) {
        int end = endOfLine(i);
        Question asked = Question.of(cell.substring(i, end));
        if (asked == null || !open.isEmpty() || !afterStatement() && (asked.leading() || !afterValue())) {
            return false;
        }
        // flag?  1 : 2 may go on on the next line
        if (!asked.leading() && cell.substring(end).split(";", 2)[0].contains(":")) {
            return false;
        }
        use("pinfo", asked.arguments());
        return true;
    }

    private void use(String name, String arguments) {
        if (open.isEmpty()) {
            endJava();
            parts.add(new CellPart.Use(name, arguments, null, line));
            javaLine = line;
        } else {
            java.append(NOTEBOOK).append(call("tell", name, arguments));
        }
        last = ';';
    }

    private static String withoutSemicolon(String arguments) {
        return arguments.endsWith(";") ? arguments.substring(0, arguments.length() - 1).strip() : arguments;
    }

    private static String call(String method, String name, String arguments) {
        String quoted = arguments.replace("\\", "\\\\").replace("\"", "\\\"");
        return method + "(\"" + name + "\", \"" + quoted + "\");";
    }

    private void endJava() {
        if (!java.toString().isBlank()) {
            parts.add(new CellPart.Java(java.toString(), javaLine));
        }
        above.append(java);
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
                java.append("= ").append(call("magic", assigned.group(1), withoutSemicolon(assigned.group(2).strip())));
                last = ';';
                return assigned.end();
            }
        }
        sign(i, c);
        return copy(i, i + 1);
    }

    private void sign(int i, char c) {
        if (Character.isJavaIdentifierPart(c)) {
            if (i == 0 || !Character.isJavaIdentifierPart(cell.charAt(i - 1))) {
                word.setLength(0);
            }
            word.append(c);
        }
        if (Character.isWhitespace(c)) {
            return;
        }
        boolean values = c == '{' && "=],[".indexOf(last) >= 0;
        switch (c) {
            case '{', '(', '[' -> open.push(c);
            case '}', ')', ']' -> open.poll();
            default -> {
            }
        }
        // the values of an array are no statements
        last = values ? '[' : c;
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
