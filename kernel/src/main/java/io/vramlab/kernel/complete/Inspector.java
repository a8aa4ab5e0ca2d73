package io.vramlab.kernel.complete;

import io.vramlab.kernel.magic.Magics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Documentation;

/** Signatures and documentation of what the cursor is on. */
public final class Inspector {

    private static final Pattern MAGIC = Pattern.compile("(?:^|=)[ \\t]*%%?(\\w+)");

    private final Magics magics;

    /** An inspector that knows these magics. */
    public Inspector(Magics magics) {
        this.magics = magics;
    }

    /**
     * What is known of the thing at {@code cursor}, as plain text.
     *
     * @param full
     *            true for the documentation too, false for its first paragraph only
     */
    public Optional<String> inspect(SourceCodeAnalysis analysis, String cell, int cursor, boolean full) {
        int lineStart = cell.lastIndexOf('\n', cursor - 1) + 1;
        int lineEnd = cell.indexOf('\n', cursor);
        Matcher magic = MAGIC.matcher(cell.substring(lineStart, lineEnd < 0 ? cell.length() : lineEnd));
        if (magic.find() && magics.has(magic.group(1))) {
            return Optional.of("%" + magic.group(1) + "\n" + magics.named(magic.group(1)).summary());
        }
        int end = cursor;
        while (end < cell.length() && Character.isJavaIdentifierPart(cell.charAt(end))) {
            end++;
        }
        CursorContext context = CursorContext.of(analysis, cell, end);
        List<Documentation> found = analysis.documentation(context.text(), context.text().length(), true);
        if (found.isEmpty() && !context.text().isBlank()) {
            String call = context.text() + "(";
            found = analysis.documentation(call, call.length(), true);
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(text(found, full));
    }

    private static String text(List<Documentation> found, boolean full) {
        Set<String> parts = new LinkedHashSet<>();
        for (Documentation each : found) {
            String javadoc = each.javadoc() == null ? "" : JavadocText.of(each.javadoc(), full);
            parts.add(each.signature() + (javadoc.isEmpty() ? "" : "\n" + javadoc.indent(4).stripTrailing()));
        }
        return String.join("\n\n", parts);
    }
}
