package io.vramlab.lifetime;

/**
 * A value on the operand stack, as far as counting goes.
 *
 * @param wide
 *            whether it is a long or double
 * @param counted
 *            whether it is a reference to what may be counted
 * @param temp
 *            the number of the local variable that holds it while it is here, unless that is null; -1 if none does
 * @param local
 *            the local variable that it was loaded from, -1 if from none
 * @param at
 *            which instruction loaded it
 * @param made
 *            which instruction made it, as long as no constructor was called; -1 for every other
 */
record Operand(boolean wide, boolean counted, int temp, int local, int at, int made) {

    static final Operand SINGLE = new Operand(false, false, -1, -1, -1, -1);
    static final Operand WIDE = new Operand(true, false, -1, -1, -1, -1);
    static final Operand REFERENCE = new Operand(false, true, -1, -1, -1, -1);

    static Operand loaded(int local, int at) {
        return new Operand(false, true, -1, local, at, -1);
    }

    static Operand made(int at) {
        return new Operand(false, true, -1, -1, at, at);
    }

    Operand heldBy(int number) {
        return new Operand(wide, counted, number, -1, -1, -1);
    }

    /** The same value in another place of the stack, not held for its own sake. */
    Operand copy() {
        return new Operand(wide, counted, -1, local, at, made);
    }
}
