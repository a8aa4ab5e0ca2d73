package io.vramlab.kernel.internal.eval;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.Snippet;
import jdk.jshell.SourceCodeAnalysis;

/** From which piece of which cell each of JShell's numbered classes was made. */
final class SnippetOrigins {

    private static final Pattern INDEX = Pattern.compile("\\$JShell\\$(\\d+)");

    /** A snippet that JShell does not know yet is null. */
    private record Origin(Snippet snippet, Piece piece) {
    }

    private final Map<Integer, Origin> all = new HashMap<>();

    /** A class of that number is about to be made; the snippet is null while JShell does not know it. */
    void add(int number, Snippet snippet, Piece piece) {
        all.put(number, new Origin(snippet, piece));
    }

    /** Forgets all others. */
    void retain(Collection<Integer> numbers) {
        all.keySet().retainAll(numbers);
    }

    Optional<Snippet> snippet(int number) {
        return Optional.ofNullable(all.get(number)).map(Origin::snippet);
    }

    /** Where a snippet stands. */
    Optional<Piece> piece(Snippet snippet) {
        return Optional.ofNullable(all.get(Integer.valueOf(snippet.id()))).map(Origin::piece);
    }

    /** The n of In [n] that a class is of; 0 for none. */
    int cell(String className) {
        return origin(className).map(each -> each.piece().cell()).orElse(0);
    }

    /**
     * How a class's lines become those of its cell.
     *
     * @param compiledAt
     *            the line of its source on which the piece begins, where it is not JShell who made it
     * @param analysis
     *            knows where JShell put the piece
     * @return null for a class of no cell
     */
    SnippetLines lines(String className, Optional<Integer> compiledAt, Supplier<SourceCodeAnalysis> analysis) {
        return origin(className)
                .map(each -> compiledAt.isPresent()
                        ? SnippetLines.moved(each.piece(), compiledAt.get())
                        : SnippetLines.of(each.piece(), analysis.get().wrapper(each.snippet())))
                .orElse(null);
    }

    private Optional<Origin> origin(String className) {
        Matcher matcher = INDEX.matcher(className);
        return matcher.find() ? Optional.ofNullable(all.get(Integer.valueOf(matcher.group(1)))) : Optional.empty();
    }
}
