package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;

/**
 * The variables that code could name now, as they were after the last change: for threads that must not ask JShell while it
 * works.
 */
final class DeclaredVariables {

    private record Declared(String name, String type, int cell) {
    }

    private final JShell shell;
    private final Results unnamed;
    private final SnippetOrigins origins;
    private final Untold untold;
    private final VariableFields values;
    private volatile List<Declared> declared = List.of();

    /**
     * None yet.
     *
     * @param shell
     *            knows all but those it has not been told of
     * @param unnamed
     *            the unnamed results, which are no variables when they have expired
     * @param origins
     *            where snippets come from
     * @param untold
     *            declarations that run and that the shell has not been told of
     * @param values
     *            what the variables hold
     */
    DeclaredVariables(JShell shell, Results unnamed, SnippetOrigins origins, Untold untold, VariableFields values) {
        this.shell = shell;
        this.unnamed = unnamed;
        this.origins = origins;
        this.untold = untold;
        this.values = values;
    }

    /** One more, which the shell has not been told of. */
    void added(String name, String type, int cell) {
        List<Declared> all = new ArrayList<>(declared);
        all.add(new Declared(name, type, cell));
        declared = all;
    }

    /** Asks the shell for them, after a change. */
    void changed() {
        Stream<Declared> told = shell.variables()
                .filter(each -> shell.status(each).isDefined() && !unnamed.isExpired(each.name()))
                .map(each -> new Declared(each.name(), each.typeName(), cell(each)));
        declared = Stream.concat(told, untold.variables().stream()
                .map(each -> new Declared(each.name(), each.type(), each.piece().cell())))
                .toList();
    }

    private int cell(Snippet snippet) {
        return origins.piece(snippet).map(Piece::cell).orElse(0);
    }

    /** The variables that code could name now, in order of declaration. From any thread. */
    List<Variable> all() {
        return declared.stream().map(each -> new Variable(each.name(), each.type(),
                values.value(each.name()).orElse(null), each.cell())).toList();
    }
}
