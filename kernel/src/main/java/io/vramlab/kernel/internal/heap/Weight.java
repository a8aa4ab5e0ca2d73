package io.vramlab.kernel.internal.heap;

import io.vramlab.kernel.internal.eval.StaticFields;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** About how much an object keeps alive, in bytes: enough to tell what fills a heap from what does not. */
final class Weight {

    /** What so many objects do not exhaust is large. */
    private static final int MOST_OBJECTS = 2000;
    private static final long LARGE_BYTES = 1 << 20;
    private static final int SAMPLES = 16;
    private static final int OBJECT_BYTES = 24;
    private static final int ENTRY_BYTES = 40;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private long bytes;

    private Weight() {
    }

    /** The weight of an object; runs none of the user's code. */
    static long of(Object root) {
        Weight weight = new Weight();
        weight.meet(root);
        while (!weight.open.isEmpty() && weight.seen.size() < MOST_OBJECTS) {
            try {
                weight.weigh(weight.open.remove());
            } catch (RuntimeException e) {
                // a collection that another thread changes, a field that may not be read: what is known is enough
                continue;
            }
        }
        return weight.open.isEmpty() ? weight.bytes : Math.max(weight.bytes, LARGE_BYTES);
    }

    private void meet(Object object) {
        if (object != null && !(object instanceof Class) && !(object instanceof Thread) && seen.add(object)) {
            open.add(object);
        }
    }

    private void weigh(Object object) {
        bytes += OBJECT_BYTES;
        boolean known = object.getClass().isArray()
                || (object instanceof Collection || object instanceof Map
                        ? StaticFields.isNoUsersCode(object.getClass())
                        : object.getClass().getName().startsWith("java."));
        switch (object) {
            case CharSequence text when known -> bytes += text.length();
            case Collection<?> all when known -> elements(all, all.size());
            case Map<?, ?> map when known -> {
                elements(map.keySet(), map.size());
                elements(map.values(), map.size());
            }
            case Object[] array -> elements(Arrays.asList(array), array.length);
            default -> {
                bytes += shallow(object);
                if (!known) {
                    fields(object);
                }
            }
        }
    }

    /** The first few are weighed; of the others, no more than what the first one is by itself. */
    private void elements(Collection<?> all, int size) {
        Object first = null;
        int met = 0;
        for (Iterator<?> each = all.iterator(); met < SAMPLES && each.hasNext(); met++) {
            Object element = each.next();
            first = met == 0 ? element : first;
            meet(element);
        }
        bytes += (long) ENTRY_BYTES * size + shallow(first) * Math.max(0, size - met);
    }

    private static long shallow(Object object) {
        return switch (object) {
            case null -> 0;
            case String text -> OBJECT_BYTES + text.length();
            case long[] each -> 8L * each.length;
            case double[] each -> 8L * each.length;
            case int[] each -> 4L * each.length;
            case float[] each -> 4L * each.length;
            case char[] each -> 2L * each.length;
            case short[] each -> 2L * each.length;
            case byte[] each -> each.length;
            case boolean[] each -> each.length;
            case Object[] each -> 4L * each.length;
            default -> OBJECT_BYTES;
        };
    }

    private void fields(Object object) {
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()
                        && field.trySetAccessible()) {
                    try {
                        meet(field.get(object));
                    } catch (IllegalAccessException e) {
                        continue;
                    }
                }
            }
        }
    }
}
