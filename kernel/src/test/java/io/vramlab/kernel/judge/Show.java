package io.vramlab.kernel.judge;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Values, types and exceptions as text that is the same for the same program, wherever its classes are: without the names of
 * what they are nested in, without addresses.
 */
final class Show {

    private static final int DEPTH = 5;

    private Show() {
    }

    /** A value; objects whose class has no toString by their fields. */
    static String value(Object value) {
        try {
            return value(value, 0);
        } catch (Throwable e) {
            // the user's own toString
            return "<" + thrown(e) + ">";
        }
    }

    private static String value(Object value, int depth) {
        if (value == null || depth > DEPTH) {
            return value == null ? "null" : "…";
        }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            StringJoiner all = new StringJoiner(", ", name(type.getTypeName()) + "{", "}");
            for (int i = 0; i < Array.getLength(value); i++) {
                all.add(value(Array.get(value, i), depth + 1));
            }
            return all.toString();
        }
        if (value instanceof Collection<?> many) {
            StringJoiner all = new StringJoiner(", ", "[", "]");
            many.forEach(each -> all.add(value(each, depth + 1)));
            return all.toString();
        }
        if (value instanceof Map<?, ?> map) {
            StringJoiner all = new StringJoiner(", ", "{", "}");
            map.forEach((key, each) -> all.add(value(key, depth + 1) + "=" + value(each, depth + 1)));
            return all.toString();
        }
        if (value instanceof Optional<?> optional) {
            return "Optional(" + value(optional.orElse(null), depth + 1) + ")";
        }
        if (type.isHidden() || type.isSynthetic()) {
            return "lambda";
        }
        if (value instanceof Throwable thrown) {
            return thrown(thrown);
        }
        return plain(type) ? fields(value, depth) : name(type.getSimpleName()) + ":" + name(String.valueOf(value));
    }

    private static boolean plain(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String fields(Object value, int depth) {
        StringJoiner all = new StringJoiner(", ", name(value.getClass().getSimpleName()) + "(", ")");
        for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
            if (type.getName().startsWith("java.")) {
                continue;
            }
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    try {
                        all.add(field.getName() + "=" + value(field.get(value), depth + 1));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
        return all.toString();
    }

    /**
     * An exception with its causes and what it suppressed. Of those whose message the JVM writes from the names of classes,
     * loaders and variables, the class alone.
     */
    static String thrown(Throwable thrown) {
        if (thrown instanceof InvocationTargetException call && call.getCause() != null) {
            return thrown(call.getCause());
        }
        String message = thrown instanceof NullPointerException || thrown instanceof ClassCastException
                || thrown instanceof StackOverflowError || thrown instanceof ArrayStoreException
                || thrown instanceof IllegalAccessError
                        ? ""
                        : ": " + name(String.valueOf(thrown.getMessage())).replaceAll("\\[in thread .*", "");
        StringBuilder text = new StringBuilder(name(thrown.getClass().getName()) + message);
        for (Throwable each : thrown.getSuppressed()) {
            text.append(" suppressed ").append(thrown(each));
        }
        if (thrown.getCause() != null && thrown.getCause() != thrown) {
            text.append(" caused by ").append(thrown(thrown.getCause()));
        }
        return text.toString();
    }

    /** A text without the packages, and the outer classes, that the names of cells' classes begin with. */
    static String name(String text) {
        return text.replaceAll("(\\[[IJDZCBSF]|\\[L[\\w.$]+;)@[0-9a-f]+", "array").replaceAll(
                "(?:io\\.vramlab\\.kernel\\.judge\\.made\\.Sequence\\d+|REPL\\.\\$(?:JShell|Code|Piece)\\$\\w+)[$.]",
                "");
    }

    /** A type as a cell may write it. */
    static String type(String text) {
        return name(text).replaceAll("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])", "").replaceAll("\\s+", "").replace("? extends",
                "?extends");
    }
}
