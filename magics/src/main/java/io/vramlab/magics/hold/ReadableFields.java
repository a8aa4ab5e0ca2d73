package io.vramlab.magics.hold;

import io.vramlab.tensor.HolderCount;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** The fields of a class that may hold an object and may be read. */
final class ReadableFields {

    private static final ClassValue<List<Field>> INSTANCE = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> found = new ArrayList<>();
            for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
                collect(c, false, found);
            }
            return found;
        }
    };

    private static final ClassValue<List<Field>> STATIC = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> found = new ArrayList<>();
            collect(type, true, found);
            return found;
        }
    };

    private ReadableFields() {
    }

    static List<Field> instance(Class<?> type) {
        return INSTANCE.get(type);
    }

    static List<Field> statics(Class<?> type) {
        return STATIC.get(type);
    }

    private static void collect(Class<?> type, boolean statics, List<Field> found) {
        for (Field field : type.getDeclaredFields()) {
            if (field.getType().isPrimitive() || Modifier.isStatic(field.getModifiers()) != statics
                    || Leaves.isLeaf(field.getType()) || field.getType() == HolderCount.class) {
                continue;
            }
            try {
                field.setAccessible(true);
                found.add(field);
            } catch (InaccessibleObjectException closed) {
                return; // the module does not open this package: none of this class's fields can be read
            }
        }
    }

    static Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError("made accessible above: " + field, e);
        }
    }
}
