package io.vramlab.kernel.internal.eval;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The source of records as JShell takes it: it declares every type public, and Java wants the canonical constructor of a
 * public record to be so too, which most people leave out.
 */
final class RecordText {

    private static final Pattern RECORD = Pattern
            .compile("\\brecord\\s+(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)\\s*[<(]");

    private RecordText() {
    }

    /** The source, with {@code public} before the constructors of records that say nothing; no line is added. */
    static String of(String source) {
        if (!source.contains("record")) {
            return source;
        }
        String text = source;
        Matcher records = RECORD.matcher(Comments.blanked(source));
        while (records.find()) {
            String name = Pattern.quote(records.group(1));
            Pattern constructor = Pattern
                    .compile("([{;}]\\s*)(" + name + "\\s*(?:\\([^(){}]*\\)\\s*(?:throws[\\w.,\\s]+)?)?\\{)");
            String blanked = Comments.blanked(text);
            StringBuilder changed = new StringBuilder();
            int copied = 0;
            Matcher found = constructor.matcher(blanked);
            while (found.find()) {
                changed.append(text, copied, found.start(2)).append("public ");
                copied = found.start(2);
            }
            text = changed.append(text.substring(copied)).toString();
        }
        return text;
    }
}
