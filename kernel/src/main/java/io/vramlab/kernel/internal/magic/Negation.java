package io.vramlab.kernel.internal.magic;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells {@code !done}, which is Java, from {@code !ls}, which is the shell's. What can be Java is Java: a call, a member of a
 * variable, a variable that is true or false. All else would not compile, so the shell takes nothing away.
 */
final class Negation {

    private static final String NAME = "[A-Za-z_$][\\w$]*";
    private static final Pattern PATH = Pattern.compile("(" + NAME + ")((?:\\s*\\.\\s*" + NAME + ")*)");
    private static final Pattern SIGNS = Pattern.compile("[!\\s]*(\\(?)[!(\\s]*");
    private static final Pattern LITERAL = Pattern.compile(
            "(?:new\\s+[\\w.<>\\[\\]]+\\s*[({]|this\\b|\"(?:\\\\.|[^\"\\\\])*\"\\s*\\.|\\d[\\w.]*\\s*(?:[<>*/%]|[=!]=)).*");
    private static final Pattern FUNCTION = Pattern.compile("\\(\\)\\s*\\{.*");
    /** What may follow a value that is true or false. */
    private static final Pattern TAIL = Pattern.compile("\\s*(?:$|[;?)^]|&&|\\|\\||[&|]\\s|[=!]=|//|/\\*).*");
    private static final Pattern OPERATOR = Pattern.compile("\\s*(?:[<>+\\-*/%]|instanceof\\b).*");
    private static final Pattern CONSTANT = Pattern.compile("\\.[A-Z][A-Z\\d_]*");

    private final String before;
    private final UnaryOperator<String> typeOf;

    /**
     * A judge.
     *
     * @param before
     *            the Java of the cell above the line
     * @param typeOf
     *            the type of the session's variable of a name, null if there is none
     */
    Negation(String before, UnaryOperator<String> typeOf) {
        this.before = before;
        this.typeOf = typeOf;
    }

    /**
     * Whether a text is Java.
     *
     * @param text
     *            from the exclamation mark to the end of the line
     */
    boolean isJava(String text) {
        if (text.startsWith("!=")) {
            return true;
        }
        Matcher signs = SIGNS.matcher(text);
        signs.lookingAt();
        boolean parenthesis = !signs.group(1).isEmpty();
        String rest = text.substring(signs.end());
        if (LITERAL.matcher(rest).matches()) {
            return parenthesis || !Character.isDigit(rest.charAt(0));
        }
        Matcher path = PATH.matcher(rest);
        if (!path.lookingAt()) {
            return false;
        }
        String tail = rest.substring(path.end());
        if (tail.startsWith("(")) {
            return !FUNCTION.matcher(tail).matches();
        }
        String name = path.group(1);
        String member = path.group(2).replaceAll("\\s", "");
        if (name.equals("true") || name.equals("false")) {
            return TAIL.matcher(tail).matches();
        }
        String type = type(name);
        if (type == null) {
            return Character.isUpperCase(name.charAt(0)) && CONSTANT.matcher(member).matches()
                    && TAIL.matcher(tail).matches();
        }
        if (tail.startsWith("[") || parenthesis && OPERATOR.matcher(tail).matches()) {
            return true;
        }
        boolean truth = !member.isEmpty() || type.equals("boolean") || type.equals("Boolean") || type.equals("var");
        return truth && TAIL.matcher(tail).matches();
    }

    private String type(String name) {
        Matcher declared = Pattern
                .compile("\\b(?!return\\b|new\\b|else\\b|throw\\b)([A-Za-z_$][\\w$.]*)(?:<[^;()]*>)?(\\[\\])*"
                        + "\\s+(?:\\w+\\s*(?:=[^;]*)?,\\s*)*" + Pattern.quote(name) + "\\s*(?=[=;,)])")
                .matcher(before);
        String type = null;
        while (declared.find()) {
            type = declared.group(1);
        }
        return type == null ? typeOf.apply(name) : type;
    }
}
