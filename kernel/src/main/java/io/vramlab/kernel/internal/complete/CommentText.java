package io.vramlab.kernel.internal.complete;

import java.util.regex.Pattern;

/** The text of {@link CommentHtml}'s HTML, for where there is nothing better. */
final class CommentText {

    private static final Pattern SPACE_BEFORE_BLOCK = Pattern
            .compile("\\s+(?=</?(?:p|ul|ol|dl|li|dt|dd|pre|table|tr)>)");
    private static final Pattern BREAK = Pattern.compile("</?(?:p|ul|ol|dl|table|h\\d|pre|blockquote)>");
    private static final Pattern LINE = Pattern.compile("<(?:br|tr)>");
    private static final Pattern ITEM = Pattern.compile("<(?:li|dt|dd)>\\s*");
    private static final Pattern TAG = Pattern.compile("</?[a-z][a-z0-9]*>");

    private CommentText() {
    }

    static String of(String html) {
        String text = SPACE_BEFORE_BLOCK.matcher(html).replaceAll("");
        text = text.replace("</p><ul>", "");
        text = ITEM.matcher(text).replaceAll("\n- ");
        text = BREAK.matcher(text).replaceAll("\n\n");
        text = LINE.matcher(text).replaceAll("\n");
        text = TAG.matcher(text).replaceAll("");
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ").replace("&quot;", "\"")
                .replace("&#39;", "'").replace("&amp;", "&");
        return text.replaceAll("(?m)[ \\t]+$|^ ", "").replaceAll("\\n{3,}", "\n\n").strip();
    }
}
