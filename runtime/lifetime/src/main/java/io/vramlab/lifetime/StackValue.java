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
record StackValue(boolean wide, boolean counted, int temp, List<Load> loads, int made) {

    /** An instruction that loaded from a variable of the source. */
    record Load(String variable, int at) {
    }

    static final StackValue SINGLE = new StackValue(false, false, -1, List.of(), -1);
    static final StackValue WIDE = new StackValue(true, false, -1, List.of(), -1);
    static final StackValue REFERENCE = new StackValue(false, true, -1, List.of(), -1);

    static StackValue loaded(String variable, int at) {
        return new StackValue(false, true, -1, List.of(new Load(variable, at)), -1);
    }

    static StackValue made(int at) {
        return new StackValue(false, true, -1, List.of(), at);
    }

    StackValue heldBy(int number) {
        return new StackValue(wide, counted, number, List.of(), -1);
    }

    /** The same value in another place of the stack, not held for its own sake. */
    StackValue copy() {
        return new StackValue(wide, counted, -1, loads, made);
    }

    /** What is one value or the other. */
    StackValue or(StackValue other) {
        if (temp >= 0 && other.temp >= 0 && temp != other.temp) {
            throw new OperandStack.Uncountable("values meet that different variables hold");
        }
        if (made != other.made) {
            throw new OperandStack.Uncountable("an object meets one that was not made yet");
        }
        List<Load> both = new ArrayList<>(loads);
        other.loads.stream().filter(each -> !loads.contains(each)).forEach(both::add);
        return new StackValue(wide, counted || other.counted, Math.max(temp, other.temp), List.copyOf(both), made);
    }
}
