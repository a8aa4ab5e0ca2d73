package io.vramlab.tensor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which fields of woven classes are their own, and which they inherit from classes that do not count. */
final class InheritedFields {

    private static final ClassValue<Map<String, Boolean>> COUNTED = new ClassValue<>() {
        @Override
        protected Map<String, Boolean> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private InheritedFields() {
    }

    /**
     * Whether a field counts what it holds.
     *
     * @param type
     *            which has it or inherits it
     * @param field
     *            its name
     */
    static boolean isCounted(Class<?> type, String field) {
        return COUNTED.get(type).computeIfAbsent(field, name -> lookUp(type, name));
    }

    private static boolean lookUp(Class<?> type, String name) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            try {
                each.getDeclaredField(name);
                return Counted.class.isAssignableFrom(each) && !Escapes.isOurs(each);
            } catch (NoSuchFieldException inherited) {
                // one further up has it
            }
        }
        return false;
    }
}
