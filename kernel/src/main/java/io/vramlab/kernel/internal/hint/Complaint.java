package io.vramlab.kernel.internal.hint;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the compiler says of a place.
 *
 * @param message
 *            its words in English
 * @param line
 *            the text of the line that it is about
 * @param code
 *            all of the code that is refused
 */
public record Complaint(String message, String line, String code) {

    private static final Pattern SYNTAX = Pattern
            .compile("expected|illegal|unclosed|not a statement|orphaned|underscore|"
                    + "reached end|malformed|invalid|class, interface|unnamed|without");

    private static final Pattern SYMBOL = Pattern
            .compile("symbol:\\s+(class|interface|variable|method|constructor) ([\\w$]+)");
    private static final Pattern LOCATION = Pattern
            .compile(
                    "location:\\s+(?:variable (\\S+) of type|class|interface|enum|record) ([\\w.$]+)(?:<[^\\n]*>)?(\\[\\])?");
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+) does not exist");

    private static final Pattern IMPORT = Pattern.compile("^\\s*import\\s+(?:static\\s+)?[\\w.]+\\.(\\w+|\\*)\\s*;");
    /** A value alone on a line, that could be a type before a name. */
    private static final Pattern BARE = Pattern.compile("\\s*[A-Za-z_$][\\w.$]*\\s*");

    private static final Pattern NO_ARRAY = Pattern.compile("array required, but ([\\w.$]+)");
    private static final Pattern BINARY = Pattern.compile(
            "bad operand types for binary operator '(\\S+)'\\s+first type:\\s+([\\w.$]+)\\S*\\s+second type:\\s+([\\w.$]+)");
    private static final Pattern UNARY = Pattern
            .compile("bad operand type ([\\w.$]+)\\S* for unary operator '(\\S+)'");

    /** What kind of thing is missing, with its name. */
    public record Missing(String kind, String name) {
    }

    /**
     * An operator with values that it is not for.
     *
     * @param first
     *            the class of the first value; empty for an operator with one
     */
    record Operation(String operator, String first, String second) {
    }

    /** Whether it is no Java at all, rather than Java that means nothing. */
    boolean syntax() {
        return SYNTAX.matcher(message).find();
    }

    /** What cannot be found. */
    Optional<Missing> missing() {
        Matcher symbol = SYMBOL.matcher(message);
        if (symbol.find()) {
            return Optional.of(new Missing(symbol.group(1), symbol.group(2)));
        }
        Matcher name = PACKAGE.matcher(message);
        return name.find() ? Optional.of(new Missing("package", name.group(1))) : Optional.empty();
    }

    /** The simple name of the class that a line imports; empty where it is no such line. */
    Optional<String> imported() {
        Matcher found = IMPORT.matcher(line);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** Whether the compiler wants a semicolon within a line, and the line above has none: it has read the two as one. */
    boolean joined() {
        String[] above = code.substring(0, Math.max(0, code.indexOf(line))).strip().split("\\n");
        return message.contains("';' expected") && BARE.matcher(above[above.length - 1]).matches()
                && line.strip().endsWith(";");
    }

    /** The class of a value that was indexed as an array is. */
    Optional<String> indexed() {
        Matcher found = NO_ARRAY.matcher(message);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** The class in which it is not; empty for the cell itself. */
    Optional<String> owner() {
        Matcher location = LOCATION.matcher(message);
        return location.find() && !location.group(2).contains("$JShell$") && !location.group(2).startsWith("REPL.")
                ? Optional.of(location.group(2))
                : Optional.empty();
    }

    /** The array that was asked for what arrays do not have. */
    Optional<String> array() {
        Matcher location = LOCATION.matcher(message);
        return location.find() && location.group(3) != null ? Optional.ofNullable(location.group(1)) : Optional.empty();
    }

    /** The operator that is not for these values. */
    Optional<Operation> operation() {
        Matcher two = BINARY.matcher(message);
        if (two.find()) {
            return Optional.of(new Operation(two.group(1), two.group(2), two.group(3)));
        }
        Matcher one = UNARY.matcher(message);
        return one.find() ? Optional.of(new Operation(one.group(2), "", one.group(1))) : Optional.empty();
    }
}
