package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.Holder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The static fields in which JShell keeps variables. A variable that is declared again gets a new field in a new class;
 * the old class, and with it the old value, stays for ever unless its field is nulled here.
 */
final class VariableFields {

    private record Slot(Field field, int cell) {

        Object get() {
            try {
                return field.get(null);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        void set(Object value) {
            try {
                field.set(null, value);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Sets what is held for the variable from now on. */
        void hold(Object value) {
            Object old = get();
            set(value);
            CellWeavers.hold(value);
            CellWeavers.drop(old);
        }

        void release() {
            if (!field.getType().isPrimitive()) {
                hold(null);
            }
        }
    }

    /** Per variable, its fields from the oldest to the one in use. */
    private final Map<String, List<Slot>> slots = new LinkedHashMap<>();

    /**
     * Takes in the fields of a new class. A field whose variable had one before takes over its value where the types
     * allow it: JShell makes new fields also for variables that merely depend on what was declared again, and does not
     * compute them anew.
     *
     * @return the variables whose value could not be taken over
     */
    synchronized List<String> adopt(Class<?> generated, int cell) {
        List<String> stranded = new ArrayList<>();
        for (Field field : generated.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                field.setAccessible(true);
                Slot slot = new Slot(field, cell);
                List<Slot> known = slots.computeIfAbsent(field.getName(), name -> new ArrayList<>(1));
                if (!known.isEmpty() && !takeOver(known.getLast(), slot)) {
                    stranded.add(field.getName());
                }
                known.add(slot);
            }
        }
        return stranded;
    }

    private static boolean takeOver(Slot from, Slot to) {
        Object value = from.get();
        try {
            if (value != null) {
                to.hold(value);
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Lets go of what a variable held before it was declared anew. */
    synchronized void keepNewest(String variable) {
        List<Slot> known = slots.get(variable);
        while (known != null && known.size() > 1) {
            known.removeFirst().release();
        }
    }

    /** Sets a variable to null in all its fields; false if there is none of that name. */
    synchronized boolean empty(String variable) {
        List<Slot> known = slots.get(variable);
        if (known != null) {
            known.forEach(Slot::release);
        }
        return known != null;
    }

    /** Lets go of everything a variable holds. */
    synchronized void release(String variable) {
        List<Slot> known = slots.remove(variable);
        if (known != null) {
            known.forEach(Slot::release);
        }
    }

    /** Takes in a variable's field of a class that was in use before; the field holds the new value already. */
    synchronized void reuse(String variable, Class<?> generated, int cell) {
        try {
            Field field = generated.getDeclaredField(variable);
            field.setAccessible(true);
            slots.computeIfAbsent(variable, name -> new ArrayList<>(1)).add(new Slot(field, cell));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** True when the variable's newest field is that of this class. */
    synchronized boolean isIn(String variable, String className) {
        List<Slot> known = slots.get(variable);
        return known != null && known.getLast().field().getDeclaringClass().getName().equals(className);
    }

    /** Gives a variable another value; false if its type does not allow it. */
    synchronized boolean set(String variable, Object value) {
        try {
            slots.get(variable).getLast().hold(value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What a variable holds now; empty for null too. */
    synchronized Optional<Object> value(String variable) {
        List<Slot> known = slots.get(variable);
        return known == null ? Optional.empty() : Optional.ofNullable(known.getLast().get());
    }

    /** Every object held, by which variable. */
    synchronized List<Holder> list() {
        List<Holder> all = new ArrayList<>();
        slots.forEach((variable, known) -> {
            for (Slot slot : known) {
                if (!slot.field().getType().isPrimitive()) {
                    Object value = slot.get();
                    if (value != null) {
                        all.add(new Holder(variable, slot.cell(), value, slot == known.getLast()));
                    }
                }
            }
        });
        return all;
    }
}
