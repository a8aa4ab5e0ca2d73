package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a module consists of, read from its fields: those of the oldest superclass first, each class's in the order of
 * declaration (which HotSpot's reflection keeps). Lists, arrays and maps of members count as members named by index or
 * key.
 */
final class Members {

    private Members() {
    }

    /** Members of a type by name: {@code weight}, {@code layers.0}, … */
    static <T> Map<String, T> of(Module module, Class<T> type) {
        if (module instanceof Lazy lazy && lazy.module() != null) {
            // it has become that module
            return of(lazy.module(), type);
        }
        Map<String, T> found = new LinkedHashMap<>();
        for (Field field : fields(module.getClass())) {
            // what a container holds is named by its index or key alone, as in PyTorch
            collect(isContents(field, module) ? "" : field.getName(), read(field, module), type, found);
        }
        module.registered().forEach((name, value) -> {
            if (type.isInstance(value)) {
                found.putIfAbsent(name, type.cast(value));
            }
        });
        module.parametrizations().forEach((name, by) -> {
            // the field keeps the original, which is a member of what stands in its place
            if (type == Parameter.class) {
                found.remove(name);
            } else if (type == Module.class) {
                found.put("parametrizations." + name, type.cast(by));
            }
        });
        Lifetimes.shows(module, found.values());
        return found;
    }

    /** The class whose forward it computes by. */
    static Class<?> computing(Module module) {
        try {
            return module.getClass().getMethod("forward", Tensor.class).getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The field that a member's name begins with; null if it is none's, as with what containers hold and what is given by name. */
    static Field field(Module module, String name) {
        for (Field field : fields(module.getClass())) {
            if (field.getName().equals(name) && !isContents(field, module)) {
                field.setAccessible(true);
                return field;
            }
        }
        return null;
    }

    private static boolean isContents(Field field, Module module) {
        return isContainer(module) && field.getDeclaringClass().getPackage() == Module.class.getPackage();
    }

    private static boolean isContainer(Module module) {
        return module instanceof Sequential || module instanceof ModuleList || module instanceof ModuleDict
                || module instanceof RNNBase || module instanceof NamedMembers;
    }

    private static String join(String name, Object part) {
        return name.isEmpty() ? part.toString() : name + "." + part;
    }

    private static List<Field> fields(Class<?> type) {
        Deque<Class<?>> line = new ArrayDeque<>();
        for (Class<?> c = type; c != Module.class && c != Lazy.class; c = c.getSuperclass()) {
            line.push(c);
        }
        List<Field> fields = new ArrayList<>();
        for (Class<?> c : line) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers()) && !f.isSynthetic() && !f.getType().isPrimitive()) {
                    fields.add(f);
                }
            }
        }
        return fields;
    }

    private static Object read(Field field, Module module) {
        try {
            field.setAccessible(true);
            return field.get(module);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("The parameters of " + module.getClass().getName()
                    + " were asked for, but its field " + field.getName()
                    + " cannot be read: open its package to reflection, or make the field public.", e);
        }
    }

    private static <T> void collect(String name, Object value, Class<T> type, Map<String, T> found) {
        // a sequence that is itself a module is a member of its own, not a list of members
        if (type.isInstance(value)) {
            found.put(name, type.cast(value));
        } else if (value instanceof Module || value instanceof Tensor) {
            return;
        } else if (value instanceof Collection<?> many) {
            int i = 0;
            for (Object item : many) {
                collect(join(name, i++), item, type, found);
            }
        } else if (value instanceof Map<?, ?> named) {
            named.forEach((key, item) -> collect(join(name, key), item, type, found));
        } else if (value instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                collect(join(name, i), array[i], type, found);
            }
        }
    }
}
