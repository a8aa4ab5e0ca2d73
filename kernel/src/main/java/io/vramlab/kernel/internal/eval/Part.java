package io.vramlab.kernel.internal.eval;

import java.util.List;
import java.util.Set;

/**
 * A piece of a cell, with what the parser found in it.
 *
 * @param piece
 *            its place
 * @param code
 *            its text with the semicolon at its end, without the comment behind it
 * @param kind
 *            what it is
 * @param names
 *            what it declares, by simple name; of an import, the name imported singly, if any
 * @param signature
 *            for a method, the types of its parameters as they are written, joined by commas
 * @param variables
 *            for a variable, its declarators
 * @param plain
 *            whether it has neither modifiers nor annotations
 */
record Part(Piece piece, String code, Kind kind, List<String> names, String signature, List<Variable> variables,
        boolean plain) {

    /** What a piece can be. */
    enum Kind {
        IMPORT, TYPE, METHOD, VARIABLE, STATEMENT, EXPRESSION
    }

    /**
     * One declarator.
     *
     * @param name
     *            of the variable
     * @param type
     *            as source; null for {@code var}
     * @param typeAt
     *            where the type stands in the code
     * @param initialFrom
     *            where its initial value begins in the code; -1 if it has none
     * @param initialTo
     *            where that ends
     */
    record Variable(String name, String type, int typeAt, int initialFrom, int initialTo) {

        boolean hasInitial() {
            return initialFrom >= 0;
        }
    }

    /** Where its code begins, behind blanks and comments. */
    int start() {
        String text = Comments.blanked(code);
        return text.length() - text.stripLeading().length();
    }

    /** The words of Java in it. */
    Set<String> words() {
        return ImportsInForce.words(code);
    }

    boolean declaresCode() {
        return kind == Kind.TYPE || kind == Kind.METHOD;
    }
}
