package io.vramlab.kernel.complete;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A doc comment as plain text. */
final class JavadocText {

    private static final Pattern INLINE = Pattern
            .compile("\\{@(?:code|literal|link|linkplain|value|index)\\s+([^{}]*)}");
    private static final Pattern OTHER_INLINE = Pattern.compile("\\{@\\w+\\s*([^{}]*)}");
    private static final Pattern BREAK = Pattern
            .compile("(?i)<(?:p|br|tr|/?ul|/?ol|/?table|h\\d|/?pre|blockquote)\\b[^>]*>");
    private static final Pattern ITEM = Pattern.compile("(?i)<(?:li|dt|dd)\\b[^>]*>");
    private static final Pattern TAG = Pattern.compile("</?[A-Za-z][^>]*>");

    private JavadocText() {
    }

    /** The text of a comment; up to its first paragraph if not {@code full}. */
    static String of(String comment, boolean full) {
        String text = INLINE.matcher(comment).replaceAll(match -> quote(reference(match.group(1))));
        text = OTHER_INLINE.matcher(text).replaceAll("$1");
        text = BREAK.matcher(text).replaceAll("\n\n");
        text = ITEM.matcher(text).replaceAll("\n- ");
        text = TAG.matcher(text).replaceAll("");
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ").replace("&quot;", "\"")
                .replace("&amp;", "&");
        text = text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
        text = text.replaceAll("\\n{3,}", "\n\n").strip();
        int end = text.indexOf("\n\n");
        return full || end < 0 ? text : text.substring(0, end);
    }

    private static String reference(String target) {
        int label = target.indexOf(' ');
        boolean labelled = label > 0 && target.substring(0, label).contains("#");
        return (labelled ? target.substring(label + 1) : target).replace('#', '.').replaceFirst("^\\.", "");
    }

    private static String quote(String text) {
        return Matcher.quoteReplacement(text);
    }
}
