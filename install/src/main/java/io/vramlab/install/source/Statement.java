package io.vramlab.install.source;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement of Python's, or the head of one that holds others.
 *
 * @param index its number in the file
 * @param first its first line, from 1
 * @param last its last line
 * @param indent the columns before it
 * @param text what it says in one line, without comments and without what strings say
 * @param parent the number of the head that it stands under; -1 at the file's own level
 */
public record Statement(int index, int first, int last, int indent, String text, int parent) {

    private static final Pattern LOOP = Pattern.compile("(async )?(for|while)\\b.*");
    private static final Pattern FUNCTION = Pattern.compile("(async )?def\\s+(\\w+).*");
    private static final Pattern COMPREHENSION = Pattern.compile(".*[\\[({].*\\bfor\\b.+\\bin\\b.*");
    /** A plain or augmented assignment: what stands before it, and which of both. */
    private static final Pattern ASSIGNMENT = Pattern
            .compile("([^=!<>:]+?)(:[^=]+)?\\s*([-+*/%&|^@]|//|\\*\\*|<<|>>)?=(?!=)(.*)");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.\"])(?:self\\.)?[A-Za-z_]\\w*");

    /** Whether it repeats what stands under it. */
    boolean isLoop() {
        return LOOP.matcher(text).matches();
    }

    /** Whether it repeats something within itself, as a list that is made of a loop. */
    boolean isComprehension() {
        return !isLoop() && COMPREHENSION.matcher(text).matches();
    }

    boolean isFunction() {
        return FUNCTION.matcher(text).matches();
    }

    /** What a function's head calls it. */
    String functionName() {
        Matcher head = FUNCTION.matcher(text);
        return head.matches() ? head.group(2) : "";
    }

    boolean isClass() {
        return text.startsWith("class ");
    }

    /** The names that it gives something to: before its {@code =}, or a loop's own. */
    Set<String> targets() {
        if (text.contains(" in ") && LOOP.matcher(text).matches()) {
            return words(text.substring(text.indexOf("for ") + 4, text.indexOf(" in ")));
        }
        Matcher assignment = ASSIGNMENT.matcher(text);
        return isHead() || !assignment.matches() || opens(assignment.group(1)) ? Set.of() : words(assignment.group(1));
    }

    /** Whether it computes a name's new value from its old one, by which both are there for a moment. */
    boolean isOfItself() {
        Set<String> own = targets();
        return !isHead() && !isAugmented() && !own.isEmpty() && words(read()).stream().anyMatch(own::contains);
    }

    /** What it reads: the words after its {@code =}, or all; of an augmented assignment both. */
    String read() {
        Matcher assignment = ASSIGNMENT.matcher(text);
        return isHead() || !assignment.matches() || opens(assignment.group(1)) || assignment.group(3) != null
                ? text
                : assignment.group(4);
    }

    /** Whether it adds to what it assigns. */
    boolean isAugmented() {
        Matcher assignment = ASSIGNMENT.matcher(text);
        return !isHead() && assignment.matches() && !opens(assignment.group(1)) && assignment.group(3) != null;
    }

    /** A keyword's argument is no assignment. */
    private static boolean opens(String before) {
        return before.chars().filter(each -> each == '(').count() > before.chars().filter(each -> each == ')').count();
    }

    private boolean isHead() {
        return isLoop() || isFunction() || isClass() || text.startsWith("@")
                || text.matches("(async )?(with|if|elif|else|try|except|finally|return|assert|match|case)\\b.*");
    }

    /** Whether it calls one of some names. */
    boolean callsAny(Set<String> names) {
        return names.stream()
                .anyMatch(name -> Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "\\(").matcher(text).find());
    }

    /** The names in a text. */
    static Set<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        Matcher names = NAME.matcher(text);
        while (names.find()) {
            words.add(names.group());
        }
        words.remove("self");
        return words;
    }
}
