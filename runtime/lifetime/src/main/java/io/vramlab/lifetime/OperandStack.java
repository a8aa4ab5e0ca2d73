package io.vramlab.lifetime;

import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What stands on the operand stack, followed from instruction to instruction in the order of the class file. */
final class OperandStack {

    private final Map<Label, List<StackValue>> expected = new HashMap<>();
    private List<StackValue> values = new ArrayList<>();
    private boolean reachable = true;
    private int temps;

    /** How many local variables the values on it needed at most. */
    int temps() {
        return temps;
    }

    /** How many of them may hold something now. */
    int live() {
        return values.stream().mapToInt(each -> each.temp() + 1).max().orElse(0);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    void push(StackValue value) {
        values.add(value);
    }

    void push(TypeKind kind) {
        if (kind != TypeKind.VOID) {
            push(kind.slotSize() == 2 ? StackValue.WIDE : StackValue.SINGLE);
        }
    }

    StackValue pop() {
        if (values.isEmpty()) {
            throw new Uncountable("the stack is empty");
        }
        return values.removeLast();
    }

    StackValue peek() {
        return values.isEmpty() ? StackValue.SINGLE : values.getLast();
    }

    /** The topmost values, the last one last. */
    List<StackValue> pop(int count) {
        if (values.size() < count) {
            throw new Uncountable("the stack is too small");
        }
        List<StackValue> top = values.subList(values.size() - count, values.size());
        List<StackValue> popped = List.copyOf(top);
        top.clear();
        return popped;
    }

    /** The topmost value gets a local variable of its own; its number. */
    int hold() {
        StackValue value = pop();
        int number = 0;
        while (uses(number)) {
            number++;
        }
        temps = Math.max(temps, number + 1);
        push(value.heldBy(number));
        return number;
    }

    private boolean uses(int number) {
        return values.stream().anyMatch(each -> each.temp() == number);
    }

    /** Which loads put values here that came from the variable that is now stored to, or ends. */
    List<Integer> loadsOf(String variable) {
        return values.stream().flatMap(each -> each.loads().stream())
                .filter(each -> each.variable().equals(variable)).map(StackValue.Load::at).toList();
    }

    /** A jump goes there with what stands here. */
    void jumpsTo(Label target) {
        expected.merge(target, List.copyOf(values), OperandStack::met);
    }

    /** What follows is reached by jumps alone. */
    void ends() {
        reachable = false;
    }

    /** Whether the instruction before lets what follows be reached, or something jumps here. */
    boolean isReachable() {
        return reachable;
    }

    /** Jumps may come in here, if the compiler has left a frame for them. */
    void at(Label label, boolean handler, boolean framed) {
        if (!reachable && !handler && !framed) {
            return;
        }
        if (handler) {
            values = new ArrayList<>(List.of(StackValue.REFERENCE));
        } else if (expected.containsKey(label)) {
            values = new ArrayList<>(reachable ? met(expected.get(label), values) : expected.get(label));
        } else if (!reachable) {
            values = new ArrayList<>();
        } else {
            return;
        }
        reachable = true;
    }

    private static List<StackValue> met(List<StackValue> some, List<StackValue> others) {
        if (some.size() != others.size()) {
            throw new Uncountable("stacks of different sizes meet");
        }
        List<StackValue> both = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            both.add(some.get(i).or(others.get(i)));
        }
        return both;
    }

    void constant(ConstantInstruction constant) {
        switch (constant.typeKind()) {
            case REFERENCE -> push(constant.opcode() == Opcode.ACONST_NULL ? StackValue.REFERENCE : StackValue.SINGLE);
            default -> push(constant.typeKind());
        }
    }

    void convert(ConvertInstruction conversion) {
        pop();
        push(conversion.toType());
    }

    /** An operator, whose operands are popped. */
    List<StackValue> operate(OperatorInstruction operator) {
        List<StackValue> operands = switch (operator.opcode()) {
            case INEG, LNEG, FNEG, DNEG, ARRAYLENGTH -> pop(1);
            default -> pop(2);
        };
        switch (operator.opcode()) {
            case LCMP, FCMPL, FCMPG, DCMPL, DCMPG, ARRAYLENGTH -> push(TypeKind.INT);
            default -> push(operator.typeKind());
        }
        return operands;
    }

    void load(ArrayLoadInstruction load) {
        pop(2);
        if (load.typeKind() == TypeKind.REFERENCE) {
            push(StackValue.REFERENCE);
        } else {
            push(load.typeKind());
        }
    }

    /** The deeper of two copies stays with whoever held the value. */
    List<StackValue> shuffle(StackInstruction instruction) {
        switch (instruction.opcode()) {
            case POP -> {
                return List.of(pop());
            }
            case POP2 -> {
                return peek().wide() ? List.of(pop()) : pop(2);
            }
            case DUP -> push(peek().copy());
            case DUP_X1 -> under(1, 1);
            case DUP_X2 -> {
                StackValue top = pop();
                boolean wide = peek().wide();
                push(top);
                under(1, wide ? 1 : 2);
            }
            case DUP2 -> {
                if (peek().wide()) {
                    push(peek().copy());
                } else {
                    List<StackValue> two = pop(2);
                    two.forEach(this::push);
                    two.forEach(each -> push(each.copy()));
                }
            }
            case DUP2_X1 -> under(peek().wide() ? 1 : 2, 1);
            case DUP2_X2 -> {
                int count = peek().wide() ? 1 : 2;
                List<StackValue> top = pop(count);
                boolean wide = peek().wide();
                top.forEach(this::push);
                under(count, wide ? 1 : 2);
            }
            case SWAP -> {
                List<StackValue> two = pop(2);
                push(two.get(1));
                push(two.get(0));
            }
            default -> throw new Uncountable("an instruction " + instruction.opcode());
        }
        return List.of();
    }

    private void under(int count, int deeper) {
        List<StackValue> top = pop(count);
        List<StackValue> below = pop(deeper);
        top.forEach(this::push);
        below.forEach(this::push);
        top.forEach(each -> push(each.copy()));
    }

    /** A constructor was called: the object that this instruction made is one now. */
    boolean initialised(int made) {
        boolean left = false;
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).made() == made) {
                left = i == values.size() - 1;
                values.set(i, StackValue.REFERENCE);
            }
        }
        return left;
    }

    /** A method that cannot be followed. */
    static final class Uncountable extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        Uncountable(String why) {
            super(why);
        }
    }
}
