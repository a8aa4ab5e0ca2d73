package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.VarSnippet;

/**
 * Brings back what JShell forgets. A declaration that the compiler refuses still makes JShell forget the one that it was
 * to replace; and a variable declared with {@code var} is forgotten when what its initializer names is declared again or
 * dropped.
 * Both are declared anew here, without running their initializers, and get the value that they had.
 */
final class Recovery {

    private final JShell shell;
    private final VariableFields holders;
    private final BiFunction<Snippet, String, List<SnippetEvent>> declare;
    private final UnaryOperator<String> qualified;

    /**
     * A recovery.
     *
     * @param declare
     *            evaluates a declaration that takes the place of that snippet
     * @param qualified
     *            gives a type with the full names of what was hidden since the variable was declared
     */
    Recovery(JShell shell, VariableFields holders, BiFunction<Snippet, String, List<SnippetEvent>> declare,
            UnaryOperator<String> qualified) {
        this.shell = shell;
        this.holders = holders;
        this.declare = declare;
        this.qualified = qualified;
    }

    /**
     * Brings back what these events took away.
     *
     * @return the variables that are lost: their objects are of a class that is no more
     */
    List<String> recover(List<SnippetEvent> events) {
        if (!events.isEmpty() && CompileComplaint.isRefused(shell, events.getFirst())) {
            for (SnippetEvent event : events) {
                if (event.status() == Status.OVERWRITTEN) {
                    bringBack(event.snippet());
                }
            }
        }
        List<String> lost = new ArrayList<>();
        for (SnippetEvent event : events) {
            if (event.causeSnippet() != null && event.snippet() instanceof VarSnippet variable
                    && shell.status(variable) == Status.RECOVERABLE_NOT_DEFINED && !bringBack(variable)) {
                lost.add(variable.name());
            }
        }
        return lost;
    }

    private boolean bringBack(Snippet snippet) {
        if (!(snippet instanceof VarSnippet variable)) {
            declare.apply(snippet, snippet.source());
            return true;
        }
        Optional<Object> value = holders.value(variable.name());
        // the declaration sets its field to null first
        value.ifPresent(CellWeavers::hold);
        List<SnippetEvent> events = declare.apply(variable,
                qualified.apply(variable.typeName()) + " " + variable.name() + ";");
        boolean kept = !events.isEmpty() && events.getFirst().status().isDefined()
                && (value.isEmpty() || holders.set(variable.name(), value.get()));
        if (kept) {
            holders.keepNewest(variable.name());
        } else {
            events.stream().map(SnippetEvent::snippet).filter(each -> shell.status(each).isActive())
                    .findFirst().ifPresent(shell::drop);
            holders.release(variable.name());
        }
        value.ifPresent(CellWeavers::drop);
        return kept;
    }
}
