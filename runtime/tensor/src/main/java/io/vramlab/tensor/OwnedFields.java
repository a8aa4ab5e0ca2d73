package io.vramlab.tensor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What an owner holds, read from its fields as they are now: other owners and tensors, also those in collections, arrays, and
 * objects and lambdas of the packages that owners come from.
 */
final class OwnedFields {

    /** Whose objects are looked into, however they are called. */
    private static final List<String> LIBRARY = List.of("io.vramlab.nn.", "io.vramlab.optim.", "io.vramlab.amp.",
            "io.vramlab.distributions.");

    private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Escapes.isOurs(type)
                    || Counted.class.isAssignableFrom(type)
                            && (type.getSuperclass() == null || get(type.getSuperclass()));
        }
    };

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            List<Field> all = new ArrayList<>();
            for (Class<?> each = type; each != null && each != Owner.class && each != Object.class; each = each
                    .getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && mayLead(field.getType())) {
                        field.setAccessible(true);
                        all.add(field);
                    }
                }
            }
            return all.toArray(Field[]::new);
        }
    };

    private OwnedFields() {
    }

    /** Whether an object of that class is made of this project's code and woven code alone. */
    static boolean areKnown(Class<?> type) {
        return KNOWN.get(type);
    }

    private static boolean mayLead(Class<?> type) {
        return !type.isPrimitive() && !type.isEnum() && type != String.class && !Number.class.isAssignableFrom(type)
                && type != Boolean.class && !(type.isArray() && type.getComponentType().isPrimitive());
    }

    /**
     * Tells of everything that an owner holds itself, without what other owners hold.
     *
     * @param seen
     *            told an owner or a tensor, perhaps more than once; true ends it
     * @return whether it was ended
     */
    static boolean of(Owner owner, Predicate<Object> seen) {
        return fields(owner, seen, 0);
    }

    private static boolean fields(Object object, Predicate<Object> seen, int depth) {
        for (Field field : FIELDS.get(object.getClass())) {
            if (look(read(field, object), seen, depth)) {
                return true;
            }
        }
        return false;
    }

    private static Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean look(Object value, Predicate<Object> seen, int depth) {
        switch (value) {
            case null -> {
                return false;
            }
            case Owner owner -> {
                return seen.test(owner);
            }
            case Tensor tensor -> {
                return seen.test(tensor);
            }
            case Collection<?> many -> {
                return all(many, seen, depth);
            }
            case Map<?, ?> map -> {
                return all(map.keySet(), seen, depth) || all(map.values(), seen, depth);
            }
            case Object[] array -> {
                return all(Arrays.asList(array), seen, depth);
            }
            default -> {
                return isLibrary(value.getClass()) && deeper(depth) && fields(value, seen, depth + 1);
            }
        }
    }

    private static boolean all(Collection<?> many, Predicate<Object> seen, int depth) {
        deeper(depth);
        for (Object each : many) {
            if (look(each, seen, depth + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLibrary(Class<?> type) {
        return !type.isEnum() && LIBRARY.stream().anyMatch(type.getName()::startsWith);
    }

    /** Nothing of the runtime is nested so deep; a circle would be. */
    private static boolean deeper(int depth) {
        if (depth > 20) {
            throw new IllegalStateException("nested too deep");
        }
        return true;
    }
}
