package io.vramlab.kernel.eval;

import java.util.List;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;

/** Says what a declaration still waits for. */
final class Unresolved {

    private Unresolved() {
    }

    /** "method f cannot be used until class X is declared". */
    static String describe(JShell shell, DeclarationSnippet snippet) {
        List<String> missing = shell.unresolvedDependencies(snippet).toList();
        return "%s %s cannot be used until %s is declared".formatted(
                snippet instanceof MethodSnippet ? "method" : "class", snippet.name(),
                missing.isEmpty() ? "everything it refers to" : String.join(", ", missing));
    }
}
