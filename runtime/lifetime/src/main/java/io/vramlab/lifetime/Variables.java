package io.vramlab.lifetime;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which variable of the source a slot is, where. Python has one variable of a name in a function, and it lives to the
 * function's end; javac gives each block's variable a slot, which the next block's takes. So what holds a value goes by the
 * variable's name. What has none (a loop's iterator, a caught exception) goes by its slot, and ends where the slot does. Of a
 * variable that is never used after it was made the name is not known; it lives to the method's end too.
 */
final class Variables {

    private record Access(int slot, boolean load) {
    }

    private record Named(int slot, int from, int to, String name) {
    }

    private final CodeAttribute code;
    private final List<Named> named;
    private final NavigableMap<Integer, Access> accesses = new TreeMap<>();
    private final Map<Label, Set<Integer>> alive = new HashMap<>();
    /** The slots of caught exceptions by the end of what handles them. */
    private final Map<Integer, Set<Integer>> handled = new HashMap<>();

    Variables(CodeModel code) {
        this.code = (CodeAttribute) code;
        this.named = code.elementStream().filter(LocalVariable.class::isInstance).map(LocalVariable.class::cast)
                .map(each -> new Named(each.slot(), this.code.labelToBci(each.startScope()),
                        this.code.labelToBci(each.endScope()), each.name().stringValue()))
                .toList();
        int offset = 0;
        for (CodeElement each : code) {
            switch (each) {
                case LabelTarget label -> offset = this.code.labelToBci(label.label());
                case LoadInstruction load when load.typeKind() == TypeKind.REFERENCE ->
                    accesses.put(offset, new Access(load.slot(), true));
                case StoreInstruction store -> accesses.put(offset, new Access(store.slot(), false));
                default -> {
                    // touches no variable
                }
            }
            offset += each instanceof Instruction instruction ? instruction.sizeInBytes() : 0;
        }
        code.findAttribute(Attributes.stackMapTable()).ifPresent(
                table -> table.entries().forEach(each -> alive.put(each.target(), slots(each))));
    }

    private static Set<Integer> slots(StackMapFrameInfo frame) {
        Set<Integer> slots = new HashSet<>();
        int slot = 0;
        for (VerificationTypeInfo each : frame.locals()) {
            if (each != SimpleVerificationTypeInfo.TOP) {
                slots.add(slot);
            }
            slot += each == SimpleVerificationTypeInfo.LONG || each == SimpleVerificationTypeInfo.DOUBLE ? 2 : 1;
        }
        return slots;
    }

    /** The variable in a slot where an instruction loads it. */
    String loaded(int slot, int offset) {
        return name(slot, offset).orElseGet(() -> nameless(slot));
    }

    /**
     * The variable in a slot that an instruction stores to.
     *
     * @param offset
     *            of the instruction
     * @param after
     *            of the next one, where a new variable begins
     */
    String stored(int slot, int offset, int after) {
        return name(slot, after).or(() -> name(slot, offset))
                .orElseGet(() -> isLoaded(slot, after) ? nameless(slot) : "@" + offset);
    }

    private Optional<String> name(int slot, int offset) {
        return named.stream().filter(each -> each.slot == slot && each.from <= offset && offset < each.to)
                .map(Named::name).findFirst();
    }

    /** Whether what is stored is used. Javac forgets the name of a variable that is declared where its block ends. */
    private boolean isLoaded(int slot, int after) {
        return accesses.tailMap(after).values().stream().filter(each -> each.slot == slot).findFirst()
                .map(Access::load).orElse(false);
    }

    /** What has no name. */
    static String nameless(int slot) {
        return "#" + slot;
    }

    /** The slot of what has no name; -1 for what has one. */
    static int slot(String variable) {
        return variable.startsWith("#") || variable.startsWith("^") ? Integer.parseInt(variable.substring(1)) : -1;
    }

    /** What was left by the exception in that slot. */
    static String traceback(int slot) {
        return "^" + slot;
    }

    /**
     * A handler begins by storing the exception in a slot.
     *
     * @param after
     *            the offset of the next instruction
     * @return whether it does more than that
     */
    boolean caught(int slot, int after) {
        Optional<Named> exception = named.stream().filter(each -> each.slot == slot && each.from == after).findFirst();
        exception.ifPresent(each -> handled.computeIfAbsent(each.to, end -> new HashSet<>()).add(slot));
        return exception.isPresent() || isLoaded(slot, after);
    }

    /** Whether a variable without a name may hold something there, whatever way led to it. */
    boolean begins(String variable, Label label) {
        return slot(variable) >= 0 && alive.getOrDefault(label, Set.of()).contains(slot(variable))
                && !ends(variable, label);
    }

    /** Whether a variable without a name has ended there. */
    boolean ends(String variable, Label label) {
        int slot = slot(variable);
        Set<Integer> slots = alive.get(label);
        return slot >= 0 && (slots != null && !slots.contains(slot)
                || handled.getOrDefault(code.labelToBci(label), Set.of()).contains(slot));
    }
}
