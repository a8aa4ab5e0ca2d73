package io.vramlab.kernel.internal.complete;

import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.text.Html;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Documentation;

/** Signatures and documentation of what the cursor is on. */
public final class Inspector {

    /**
     * What is known of a thing.
     *
     * @param plain
     *            as plain text
     * @param html
     *            the same as HTML
     */
    public record Known(String plain, String html) {
    }

    private static final Pattern MAGIC = Pattern.compile("(?:^|=)[ \\t]*%%?(\\w+)(?:[ \\t](.*))?");
    private static final Pattern CONSTRUCTOR = Pattern.compile("\\bnew\\s+[\\w.$]+$");

    private final Magics magics;
    private final Supplier<List<String>> addedJars;
    private final Supplier<List<String>> declarations;
    private final Consumer<Set<Path>> tellSources;
    private final SourceJars sources = new SourceJars();
    private DocComments comments;

    /**
     * An inspector.
     *
     * @param magics
     *            the magics that it knows
     * @param addedJars
     *            the jars that the session has added to its class path
     * @param declarations
     *            the source of what cells declared
     * @param tellSources
     *            lets JShell read doc comments in these jars, where it can be had
     */
    public Inspector(Magics magics, Supplier<List<String>> addedJars, Supplier<List<String>> declarations,
            Consumer<Set<Path>> tellSources) {
        this.magics = magics;
        this.addedJars = addedJars;
        this.declarations = declarations;
        this.tellSources = tellSources;
    }

    /**
     * What is known of the thing at {@code cursor}.
     *
     * @param full
     *            true for all of the documentation even where one name means several things; else those are told in a
     *            sentence each
     */
    public Optional<Known> inspect(SourceCodeAnalysis analysis, String cell, int cursor, boolean full) {
        int lineStart = cell.lastIndexOf('\n', cursor - 1) + 1;
        int lineEnd = cell.indexOf('\n', cursor);
        Matcher magic = MAGIC.matcher(cell.substring(lineStart, lineEnd < 0 ? cell.length() : lineEnd));
        if (magic.find() && magics.has(magic.group(1)) && !inCode(magic, cursor - lineStart)) {
            String help = magics.named(magic.group(1)).help();
            return Optional.of(new Known(help, "<pre>" + Html.escape(help) + "</pre>"));
        }
        int end = cursor;
        while (end < cell.length() && Character.isJavaIdentifierPart(cell.charAt(end))) {
            end++;
        }
        CursorContext context = CursorContext.of(analysis, magics, cell, end);
        tellSources.accept(sources.all(addedJars.get()));
        String thing = context.text();
        // JShell tells of methods and constructors only when it sees a call
        String call = thing + "(";
        List<Documentation> found = new ArrayList<>();
        if (CONSTRUCTOR.matcher(thing).find()) {
            found.addAll(documentation(analysis, call));
        }
        // of a constructor, its class too: that is where one reads what it is for
        found.addAll(documentation(analysis, thing));
        if (found.isEmpty() && !thing.isBlank()) {
            found.addAll(documentation(analysis, call));
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(describe(found, full));
    }

    private boolean inCode(Matcher magic, int cursor) {
        String arguments = magic.group(2);
        int code = arguments == null ? -1 : magics.named(magic.group(1)).codeStart(arguments);
        return code >= 0 && cursor >= magic.start(2) + code;
    }

    private static List<Documentation> documentation(SourceCodeAnalysis analysis, String text) {
        return analysis.documentation(text, text.length(), true);
    }

    private Known describe(List<Documentation> found, boolean full) {
        if (comments == null) {
            comments = new DocComments();
        }
        OwnComments own = new OwnComments(comments, declarations.get());
        InheritedMembers inherited = new InheritedMembers(comments, sources.all(addedJars.get()));
        Map<String, String> commentOf = new LinkedHashMap<>();
        for (Documentation each : found) {
            Optional<InheritedMembers.Member> member = each.javadoc() == null
                    ? inherited.of(each.signature())
                    : Optional.empty();
            String comment = Optional.ofNullable(each.javadoc()).or(() -> member.map(InheritedMembers.Member::comment))
                    .or(() -> own.of(each.signature())).orElse("");
            commentOf.putIfAbsent(member.map(InheritedMembers.Member::signature).orElse(each.signature()), comment);
        }
        List<String> texts = comments.html(List.copyOf(commentOf.values()), full || commentOf.size() == 1);
        List<String> plain = new ArrayList<>();
        StringBuilder html = new StringBuilder();
        int i = 0;
        for (String signature : commentOf.keySet()) {
            String text = texts.get(i++);
            plain.add(
                    (signature + "\n" + CommentText.of(text).indent(4)).replaceAll("(?m)[ \\t]+$", "").stripTrailing());
            html.append("<p><code><b>").append(Html.escape(signature)).append("</b></code></p>").append(text);
        }
        return new Known(String.join("\n\n", plain), html.toString());
    }
}
