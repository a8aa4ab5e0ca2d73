package io.vramlab.kernel.internal.eval;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Declarations that run already and that JShell does not know yet. It takes some thirty milliseconds over each; it is told
 * when nobody waits, or when something is asked that only it can answer.
 */
final class Untold {

    /**
     * One of them.
     *
     * @param piece
     *            its place
     * @param className
     *            its class with the package; null for an import
     * @param name
     *            what it declares; empty for an import
     * @param type
     *            for a variable, its type; else null
     * @param isType
     *            whether it declares one
     */
    record Declaration(Piece piece, String className, String name, String type, boolean isType) {
    }

    private final Queue<Declaration> waiting = new ArrayDeque<>();

    void add(Declaration declaration) {
        waiting.add(declaration);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The next to tell. */
    Declaration next() {
        return waiting.element();
    }

    /** The same; it is forgotten here. */
    Declaration take() {
        return waiting.remove();
    }

    /** Those that declare variables, in order. */
    List<Declaration> variables() {
        List<Declaration> all = new ArrayList<>(waiting);
        all.removeIf(each -> each.type() == null);
        return all;
    }
}
