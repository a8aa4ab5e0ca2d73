package io.vramlab.kernel.internal.eval.accelerated;

import io.vramlab.kernel.internal.eval.Accelerator.Declaration;
import io.vramlab.kernel.internal.eval.Accelerator.Declared;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import jdk.jshell.JShell;

/** The numbers by which JShell names the classes of declarations, one for each name that it has ever met. */
final class ClassNumbers {

    private final Object keys;
    private final Method type;
    private final Method method;
    private final Method variable;
    private final Method index;
    private final Map<String, Object> types;
    /** JShell looks at the snippet of each type that it has a key of, so keys of types without one stand here. */
    private final Map<String, Object> reserved = new HashMap<>();

    @SuppressWarnings("unchecked")
    ClassNumbers(JShell shell) throws ReflectiveOperationException {
        Field field = shell.getClass().getDeclaredField("keyMap");
        field.setAccessible(true);
        keys = field.get(shell);
        type = opened(keys.getClass().getDeclaredMethod("keyForClass", String.class));
        method = opened(keys.getClass().getDeclaredMethod("keyForMethod", String.class, String.class));
        variable = opened(keys.getClass().getDeclaredMethod("keyForVariable", String.class));
        index = opened(Class.forName("jdk.jshell.Key").getDeclaredMethod("index"));
        Field byName = keys.getClass().getDeclaredField("classMap");
        byName.setAccessible(true);
        types = (Map<String, Object>) byName.get(keys);
    }

    private static Method opened(Method each) {
        each.setAccessible(true);
        return each;
    }

    int reserve(Declaration declaration) throws ReflectiveOperationException {
        Object key = switch (declaration.kind()) {
            case TYPE -> typeKey(declaration.name());
            case METHOD -> method.invoke(keys, declaration.name(), declaration.signature());
            case VARIABLE -> variable.invoke(keys, declaration.name());
        };
        return (int) index.invoke(key);
    }

    private Object typeKey(String name) throws ReflectiveOperationException {
        Object key = reserved.get(name);
        if (key == null) {
            boolean known = types.containsKey(name);
            key = type.invoke(keys, name);
            if (!known) {
                types.remove(name);
                reserved.put(name, key);
            }
        }
        return key;
    }

    void announce(Declaration declaration) {
        Object key = declaration.kind() == Declared.TYPE ? reserved.remove(declaration.name()) : null;
        if (key != null) {
            types.put(declaration.name(), key);
        }
    }

    /** Keys of what is no type do no harm. */
    void release(Declaration declaration) {
        if (declaration.kind() == Declared.TYPE) {
            reserved.remove(declaration.name());
        }
    }
}
