package io.vramlab.lifetime;

import java.util.ArrayList;
import java.util.List;

/**
 * A value on the operand stack, as far as counting goes.
 *
 * @param wide
 *            whether it is a long or double
 * @param counted
 *            whether it is a reference to what may be counted
 * @param temp
 *            the number of the local variable that holds it while it is here, unless that is null; -1 if none does
 * @param loads
 *            the instructions that may have loaded it from a variable, as long as nothing else holds it
 * @param made
 *            which instruction made it, as long as no constructor was called; -1 for every other
 */
record Operand(boolean wide, boolean counted, int temp, List<Load> loads, int made) {

    /** An instruction that loaded from a variable of the source. */
    record Load(String variable, int at) {
    }

    static final Operand SINGLE = new Operand(false, false, -1, List.of(), -1);
    static final Operand WIDE = new Operand(true, false, -1, List.of(), -1);
    static final Operand REFERENCE = new Operand(false, true, -1, List.of(), -1);

    static Operand loaded(String variable, int at) {
        return new Operand(false, true, -1, List.of(new Load(variable, at)), -1);
    }

    static Operand made(int at) {
        return new Operand(false, true, -1, List.of(), at);
    }

    Operand heldBy(int number) {
        return new Operand(wide, counted, number, List.of(), -1);
    }

    /** The same value in another place of the stack, not held for its own sake. */
    Operand copy() {
        return new Operand(wide, counted, -1, loads, made);
    }

    /** What is one value or the other. */
    Operand or(Operand other) {
        if (temp >= 0 && other.temp >= 0 && temp != other.temp) {
            throw new OperandStack.Uncountable("values meet that different variables hold");
        }
        if (made != other.made) {
            throw new OperandStack.Uncountable("an object meets one that was not made yet");
        }
        List<Load> both = new ArrayList<>(loads);
        other.loads.stream().filter(each -> !loads.contains(each)).forEach(both::add);
        return new Operand(wide, counted || other.counted, Math.max(temp, other.temp), List.copyOf(both), made);
    }
}
