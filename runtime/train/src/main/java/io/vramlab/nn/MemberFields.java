package io.vramlab.nn;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.Lifetimes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;

/** Puts a module where another stood: into a container, a field, a list in a field, or among those that were given by name. */
final class MemberFields {

    private MemberFields() {
    }

    static void put(Module parent, String name, Module module) {
        int dot = name.indexOf('.');
        Field field = Members.field(parent, dot < 0 ? name : name.substring(0, dot));
        if (field == null || parent.registered().containsKey(name)) {
            parent.hold(name, module);
        }
        if (field != null) {
            set(parent, field, dot < 0 ? null : name.substring(dot + 1), module);
        }
    }

    @SuppressWarnings("unchecked")
    private static void set(Module parent, Field field, String index, Module module) {
        try {
            Object old = field.get(parent);
            if (index == null && !Modifier.isFinal(field.getModifiers()) && field.getType().isInstance(module)) {
                boolean counted = Counted.class.isAssignableFrom(field.getDeclaringClass());
                if (counted) {
                    // woven code lets go of what such a field holds
                    Lifetimes.hold(module);
                }
                Lifetimes.takes(parent, module);
                field.set(parent, module);
                if (counted) {
                    Lifetimes.unhold(old);
                }
                Lifetimes.lost(old);
                return;
            }
            if (index != null && old instanceof List<?> list) {
                Lifetimes.takes(parent, module);
                Lifetimes.lost(((List<Module>) list).set(Integer.parseInt(index), module));
                return;
            }
        } catch (ReflectiveOperationException | RuntimeException cannot) {
            throw refused(parent, field, index, module, cannot);
        }
        throw refused(parent, field, index, module, null);
    }

    private static IllegalArgumentException refused(Module parent, Field field, String index, Module module,
            Exception cause) {
        String type = parent.getClass().getSimpleName();
        return new IllegalArgumentException("A " + module.getClass().getSimpleName() + " was to take the place of "
                + field.getName() + (index == null ? "" : "." + index) + " in a " + type + ", whose field "
                + field.getName() + " is " + (Modifier.isFinal(field.getModifiers()) ? "final, " : "")
                + "of type " + field.getType().getSimpleName()
                + ". Declare it so that it can hold any Module and is not final, or use a ModuleList.", cause);
    }
}
