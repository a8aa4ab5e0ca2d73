package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.hint.Complaint;
import io.vramlab.kernel.internal.hint.Hints;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.VarSnippet;

/** Turns JShell's complaints about a snippet into an error with lines of the cell. */
final class CompileComplaint {

    private static final Pattern GENERATED = Pattern
            .compile("REPL\\.\\$(?:JShell|Part|Chain)\\$\\w+\\.| in class REPL\\.\\$(?:JShell|Part|Chain)\\$\\w+");

    private final JShell shell;
    private final Piece piece;
    private final Map<String, Integer> expired;
    private final Hints hints;
    private final Set<String> told = new HashSet<>();

    CompileComplaint(JShell shell, Piece piece, Map<String, Integer> expired) {
        this.shell = shell;
        this.piece = piece;
        this.expired = expired;
        this.hints = new Hints(new Known(shell));
    }

    /**
     * Looks at what became of a snippet.
     *
     * @throws CompileException
     *             if it was refused, or is a variable of a type that does not exist
     */
    void check(SnippetEvent event) throws CompileException {
        if (isRefused(shell, event)) {
            throw new CompileException(piece.cell(), problems(event.snippet()));
        }
    }

    /**
     * Whether JShell did not take a declaration. Of some that no later one can mend, a constructor that calls one which is
     * not there, it says that they wait for something.
     */
    static boolean isRefused(JShell shell, SnippetEvent event) {
        Snippet snippet = event.snippet();
        return event.status() == Status.REJECTED || event.status() == Status.RECOVERABLE_NOT_DEFINED
                && (snippet instanceof VarSnippet || snippet instanceof DeclarationSnippet declaration
                        && shell.unresolvedDependencies(declaration).findAny().isEmpty()
                        && shell.diagnostics(snippet).anyMatch(Diag::isError));
    }

    private List<CompileException.Problem> problems(Snippet snippet) {
        List<CompileException.Problem> all = new ArrayList<>();
        shell.diagnostics(snippet).filter(Diag::isError).forEach(each -> all.add(problem(each)));
        if (all.isEmpty() && snippet instanceof DeclarationSnippet declaration) {
            String missing = String.join(", ", shell.unresolvedDependencies(declaration).toList());
            String text = "cannot find " + (missing.isEmpty() ? "a symbol" : missing);
            all.add(at(0, 1, missing.isEmpty() ? text : text + "\n  symbol: " + missing, text));
        }
        if (all.isEmpty()) {
            String text = "this is not Java that can run here";
            all.add(at(0, 1, "illegal: " + text, text));
        }
        return all;
    }

    private CompileException.Problem problem(Diag diag) {
        return problem((int) Math.max(0, diag.getStartPosition()), (int) diag.getEndPosition(),
                diag.getMessage(Locale.ENGLISH));
    }

    /** A complaint of the compiler about the piece from one offset of its text to another. */
    CompileException.Problem problem(int from, int to, String message) {
        String text = GENERATED.matcher(message).replaceAll("");
        return at(from, Math.max(from + 1, to), text, told(text));
    }

    private String told(String message) {
        StringBuilder text = new StringBuilder();
        message.lines().filter(line -> !line.strip().startsWith("location:"))
                .forEach(line -> text.append(text.isEmpty() ? "" : "\n").append(line.stripTrailing()));
        expired.forEach((name, cell) -> {
            if (text.toString().matches("(?s).*symbol:\\s+variable \\Q" + name + "\\E\\b.*")) {
                text.append("\n%s, the unnamed result of In [%d], was released at the end of the cell after it: give "
                        .formatted(name, cell)).append("results that you need a name (var r = …)");
            }
        });
        return text.toString();
    }

    private CompileException.Problem at(int start, int end, String words, String message) {
        String source = piece.source();
        int from = Math.min(start, source.length());
        int lineStart = source.lastIndexOf('\n', from - 1) + 1;
        int lineEnd = source.indexOf('\n', from);
        String text = source.substring(lineStart, lineEnd < 0 ? source.length() : lineEnd);
        int line = piece.line() + (int) source.substring(0, lineStart).chars().filter(c -> c == '\n').count();
        int indent = lineStart == 0 ? piece.column() : 0;
        int length = Math.max(1, Math.min(end, lineStart + text.length()) - from);
        String hint = hints.of(new Complaint(words, text, source)).filter(told::add).orElse("");
        return new CompileException.Problem(line, indent + from - lineStart, length, message, hint);
    }
}
