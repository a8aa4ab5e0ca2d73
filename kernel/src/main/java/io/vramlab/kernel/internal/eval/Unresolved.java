package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.hint.Hints;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;

/** Says what a declaration lacks. */
final class Unresolved {

    private Unresolved() {
    }

    /**
     * "method early is declared, but there is no method late(): it can be used once there is one", true whether the other
     * comes later or was misspelt; with what could have been meant, if anything.
     */
    static String describe(JShell shell, DeclarationSnippet snippet) {
        List<String> missing = shell.unresolvedDependencies(snippet).toList();
        Hints hints = new Hints(new Known(shell));
        String hint = missing.stream()
                .map(each -> hints.ofUnresolved(each, snippet.source()).map(text -> " (" + text + ")"))
                .flatMap(Optional::stream).collect(Collectors.joining());
        return "%s %s is declared, but there is no %s%s: it can be used once there is %s".formatted(
                snippet instanceof MethodSnippet ? "method" : "class", snippet.name(),
                missing.isEmpty() ? "such thing as it refers to" : String.join(" and no ", missing), hint,
                missing.size() > 1 ? "each" : "one");
    }
}
