package io.vramlab.magics.hold;

import java.lang.ref.Reference;
import tech.tablesaw.api.Table;

/** Objects that hold nothing of interest, or that must not be walked into. */
final class Leaves {

    private Leaves() {
    }

    static boolean isLeaf(Class<?> type) {
        return type == String.class || Number.class.isAssignableFrom(type) && type.getName().startsWith("java.lang.")
                || type == Boolean.class || type == Character.class || type == Class.class
                || type.isArray() && type.getComponentType().isPrimitive() || type.isEnum()
                || Reference.class.isAssignableFrom(type) || Thread.class.isAssignableFrom(type)
                || ClassLoader.class.isAssignableFrom(type) || Table.class.isAssignableFrom(type)
                || type.getName().startsWith("io.vramlab.kernel.");
    }
}
