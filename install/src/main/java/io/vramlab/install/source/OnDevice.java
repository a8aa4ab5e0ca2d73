package io.vramlab.install.source;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a statement reads that stays on the GPU: without numbers that are taken out of tensors, copies on the host, sizes. */
final class OnDevice {

    private static final Pattern TAKEN = Pattern
            .compile("\\.(item|tolist|numpy|cpu|numel|size|dim|element_size)\\(|\\.(shape|dtype|device|grad_fn)\\b");
    private static final Pattern ASKED = Pattern
            .compile("(?<![\\w.])(float|int|bool|len|str|repr|format|type|isinstance|print)\\(");
    /** What is cut off from a graph: also what is drawn from a distribution, and where the largest is. */
    private static final Pattern CUT = Pattern.compile("\\.(detach|sample|argmax|multinomial)\\(|\\.data\\b(?!\\()");

    private OnDevice() {
    }

    /**
     * The names that a text reads so.
     *
     * @param graph whether what is cut off from its graph is left out too
     */
    static Set<String> words(String text, boolean graph) {
        StringBuilder left = new StringBuilder(text);
        cutBefore(left, TAKEN);
        if (graph) {
            cutBefore(left, CUT);
        }
        Matcher asked = ASKED.matcher(left);
        while (asked.find()) {
            blank(left, asked.start(), closing(left, asked.end() - 1));
        }
        return Statement.words(left.toString());
    }

    /** Each operand that something is taken of. */
    private static void cutBefore(StringBuilder text, Pattern taken) {
        Matcher each = taken.matcher(text);
        while (each.find()) {
            blank(text, operand(text, each.start()), each.start());
        }
    }

    /** As many spaces, so that a matcher goes on where it was. */
    private static void blank(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            text.setCharAt(i, ' ');
        }
    }

    /** Where the operand begins that ends before a point: names, points, and what is in brackets. */
    private static int operand(StringBuilder text, int end) {
        int at = end;
        int open = 0;
        while (at > 0) {
            char before = text.charAt(at - 1);
            open += ")]".indexOf(before) >= 0 ? 1 : "([".indexOf(before) >= 0 ? -1 : 0;
            boolean outside = open == 0 && "([".indexOf(before) < 0;
            if (open < 0 || outside && !Character.isJavaIdentifierPart(before) && before != '.') {
                break;
            }
            at--;
        }
        return at;
    }

    private static int closing(StringBuilder text, int from) {
        int open = 0;
        for (int i = from; i < text.length(); i++) {
            open += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (open == 0) {
                return i + 1;
            }
        }
        return text.length();
    }
}
