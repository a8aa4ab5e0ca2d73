package io.vramlab.kernel.internal.complete;

import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.option.FileNames;
import io.vramlab.kernel.spi.option.Words;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Suggestion;

/** Completes magics and their arguments, file names in strings, and Java. */
public final class Completer {

    private static final Pattern MAGIC_NAME = Pattern.compile("(?:^|=)[ \\t]*(%%?)(\\w*)$");
    private static final Pattern MAGIC_ARGUMENTS = Pattern.compile("(?:^|=)[ \\t]*%%?(\\w+)[ \\t](.*)$");
    private static final Pattern OPEN_STRING = Pattern
            .compile("(?:[^\"\\\\]|\\\\.|\"(?:[^\"\\\\]|\\\\.)*\")*\"([^\"]*)$");
    /** JShell does not offer what the cell itself declares above the cursor. */
    private static final Pattern DECLARED = Pattern.compile("[\\w>\\]]\\s+([A-Za-z_$]\\w*)\\s*(?:=(?!=)|;|:|\\{)");
    private static final Set<String> LITERALS = Set.of("true", "false", "null");

    private final Magics magics;
    private final Session session;

    /** A completer for these magics. */
    public Completer(Magics magics, Session session) {
        this.magics = magics;
        this.session = session;
    }

    /**
     * What could stand at {@code cursor}.
     *
     * @param cell
     *            the cell's text
     * @param cursor
     *            a char index in it
     */
    public Completion complete(SourceCodeAnalysis analysis, String cell, int cursor) {
        String line = cell.substring(cell.lastIndexOf('\n', cursor - 1) + 1, cursor);
        Matcher name = MAGIC_NAME.matcher(line);
        if (name.find()) {
            return magicNames(name.group(1), name.group(2), cursor);
        }
        Matcher arguments = MAGIC_ARGUMENTS.matcher(line);
        if (arguments.find() && magics.has(arguments.group(1))) {
            Magic magic = magics.named(arguments.group(1));
            if (magic.codeStart(arguments.group(2)) < 0) {
                return magicArguments(magic, arguments.group(2), cursor);
            }
        }
        Matcher string = OPEN_STRING.matcher(line);
        if (string.matches() && FileNames.looksLikePath(string.group(1))) {
            return paths(string.group(1), cursor);
        }
        return java(analysis, cell, cursor);
    }

    private Completion magicNames(String sign, String prefix, int cursor) {
        Magic.Kind other = sign.equals("%%") ? Magic.Kind.LINE : Magic.Kind.CELL;
        Stream<String> others = magics.otherNames().stream()
                .filter(each -> magics.named(each).kind() != other && !magics.named(each).name().startsWith(each));
        return new Completion(
                Stream.concat(magics.all().stream().filter(each -> each.kind() != other).map(Magic::name), others)
                        .filter(each -> each.startsWith(prefix)).map(each -> new Completion.Match(each, "magic"))
                        .toList(),
                cursor - prefix.length(), cursor);
    }

    private Completion magicArguments(Magic magic, String arguments, int cursor) {
        List<String> known = magic.complete(arguments, session);
        int start = cursor - arguments.length() + Words.lastStart(arguments);
        return new Completion(known.stream().map(each -> new Completion.Match(each, "magic")).toList(), start, cursor);
    }

    private static Completion paths(String word, int cursor) {
        return new Completion(
                FileNames.startingWith(word).stream().map(each -> new Completion.Match(each, "path")).toList(),
                cursor - word.length(), cursor);
    }

    private Completion java(SourceCodeAnalysis analysis, String cell, int cursor) {
        CursorContext context = CursorContext.of(analysis, magics, cell, cursor);
        int[] anchor = {context.text().length()};
        List<Suggestion> suggestions = analysis.completionSuggestions(context.text(), context.text().length(), anchor);
        Stream<String> fitting = suggestions.stream().filter(Suggestion::matchesType).map(Suggestion::continuation);
        Stream<String> others = suggestions.stream().filter(each -> !each.matchesType()).map(Suggestion::continuation);
        // where nothing is suggested, JShell's anchor is the word's beginning up to JDK 25, and the cursor from 26 on
        int start = suggestions.isEmpty() ? wordStart(cell, cursor) : context.start() + anchor[0];
        Stream<String> own = start > 0 && cell.charAt(start - 1) == '.'
                ? Stream.empty()
                : DECLARED.matcher(cell.substring(0, start)).results().map(each -> each.group(1))
                        .filter(each -> each.startsWith(cell.substring(start, cursor)));
        return new Completion(Stream.of(own, fitting, others).flatMap(each -> each).distinct()
                .map(each -> new Completion.Match(each, typeOf(each))).toList(), start, cursor);
    }

    private static int wordStart(String cell, int cursor) {
        int start = cursor;
        while (start > 0 && Character.isJavaIdentifierPart(cell.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static String typeOf(String text) {
        if (text.endsWith("(") || text.endsWith("()")) {
            return "function";
        }
        String word = text.strip();
        if (SourceVersion.isKeyword(word) || LITERALS.contains(word)) {
            return "keyword";
        }
        return !word.isEmpty() && Character.isUpperCase(word.charAt(0)) ? "class" : "instance";
    }
}
