package io.vramlab.install.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A file of Python's as statements, each under the head that it stands under. No grammar: lines, brackets, strings and columns. */
public final class PythonFile {

    private static final int TAB = 8;
    /** What is longer is data. */
    private static final int LONGEST = 2000;
    /** What a string may say that tells of the program: a device, a key, an implementation. */
    private static final Pattern WORD = Pattern.compile("\\w[\\w:-]{0,23}");

    private final List<String> lines;
    private final List<Statement> statements = new ArrayList<>();
    private final Deque<Statement> heads = new ArrayDeque<>();
    private String string = "";
    private int open;

    private PythonFile(List<String> lines) {
        this.lines = lines;
    }

    /** Reads one. What is no Python is read as well as it goes. */
    public static PythonFile of(List<String> lines) {
        PythonFile file = new PythonFile(lines);
        file.read();
        return file;
    }

    private void read() {
        StringBuilder text = new StringBuilder();
        int first = 0;
        for (int line = 1; line <= lines.size(); line++) {
            boolean begins = string.isEmpty() && open == 0 && text.isEmpty();
            String code = code(lines.get(line - 1));
            if (begins) {
                first = line;
            }
            boolean goesOn = code.endsWith("\\");
            text.append(goesOn ? code.substring(0, code.length() - 1) : code).append(' ');
            if (string.isEmpty() && open == 0 && !goesOn) {
                add(first, line, text.toString());
                text.setLength(0);
            }
        }
        if (!text.isEmpty()) {
            add(first, lines.size(), text.toString());
        }
    }

    private void add(int first, int last, String said) {
        String plain = said.strip().replaceAll("\\s+", " ");
        if (plain.isEmpty()) {
            return;
        }
        int indent = indent(lines.get(first - 1));
        while (!heads.isEmpty() && heads.peek().indent() >= indent) {
            heads.pop();
        }
        String text = plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST);
        Statement statement = new Statement(statements.size(), first, last, indent, text,
                heads.isEmpty() ? -1 : heads.peek().index());
        statements.add(statement);
        heads.push(statement);
    }

    private static int indent(String line) {
        int columns = 0;
        for (int i = 0; i < line.length() && Character.isWhitespace(line.charAt(i)); i++) {
            columns += line.charAt(i) == '\t' ? TAB - columns % TAB : 1;
        }
        return columns;
    }

    /** A line without its comment and without what its strings say, but for a word; what is open at its end is remembered. */
    private String code(String line) {
        StringBuilder code = new StringBuilder();
        int began = -1;
        for (int i = 0; i < line.length(); i++) {
            char at = line.charAt(i);
            if (!string.isEmpty()) {
                if (at == '\\') {
                    i++;
                } else if (line.startsWith(string, i)) {
                    String said = began < 0 ? "" : line.substring(began, i);
                    code.append(WORD.matcher(said).matches() ? said : "").append('"');
                    i += string.length() - 1;
                    string = "";
                }
            } else if (at == '#') {
                break;
            } else if (at == '"' || at == '\'') {
                String three = ("" + at).repeat(3);
                string = line.startsWith(three, i) ? three : "" + at;
                i += string.length() - 1;
                began = i + 1;
                code.append('"');
            } else {
                open = Math.max(0, open + ("([{".indexOf(at) >= 0 ? 1 : ")]}".indexOf(at) >= 0 ? -1 : 0));
                code.append(at);
            }
        }
        if (string.length() == 1) {
            string = "";
            code.append('"');
        }
        return code.toString().stripTrailing();
    }

    /** All statements, in their order. */
    public List<Statement> statements() {
        return statements;
    }

    /** What a line says, from 1, without the space around it; empty where there is none. */
    public String line(int number) {
        return number < 1 || number > lines.size() ? "" : lines.get(number - 1).strip();
    }

    /** The statement that a line is part of. */
    Optional<Statement> at(int line) {
        int low = 0;
        int high = statements.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Statement statement = statements.get(middle);
            if (line < statement.first()) {
                high = middle - 1;
            } else if (line > statement.last()) {
                low = middle + 1;
            } else {
                return Optional.of(statement);
            }
        }
        return Optional.empty();
    }

    /** The heads that a statement stands under, innermost first. */
    List<Statement> enclosing(Statement statement) {
        List<Statement> above = new ArrayList<>();
        for (int at = statement.parent(); at >= 0; at = statements.get(at).parent()) {
            above.add(statements.get(at));
        }
        return above;
    }

    /** What stands under a head, with itself. */
    List<Statement> within(Statement head) {
        int end = head.index() + 1;
        while (end < statements.size() && statements.get(end).indent() > head.indent()) {
            end++;
        }
        return statements.subList(head.index(), end);
    }

    /** What comes after a statement, and what stands under it, in the same function or at the file's own level. */
    List<Statement> after(Statement statement) {
        int end = within(statement).getLast().index() + 1;
        int limit = function(statement).map(head -> within(head).getLast().index() + 1).orElse(statements.size());
        return statements.subList(end, Math.max(end, limit));
    }

    /** The function that a statement stands in. */
    Optional<Statement> function(Statement statement) {
        return enclosing(statement).stream().filter(Statement::isFunction).findFirst();
    }

    /** The decorators of a function. */
    List<Statement> decorators(Statement function) {
        List<Statement> found = new ArrayList<>();
        for (int at = function.index() - 1; at >= 0 && statements.get(at).text().startsWith("@")
                && statements.get(at).indent() == function.indent(); at--) {
            found.add(statements.get(at));
        }
        return found;
    }
}
