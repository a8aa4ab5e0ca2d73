package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.Holder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The static fields of the classes that cells declare, those of declarations that were replaced included: nothing else
 * lets go of what they hold. To read a static field initialises its class, which is the user's code and not ours to run,
 * so only classes are read that are initialised or have nothing to run.
 */
public final class StaticFields {

    /** A class declared in a cell: within the class that JShell makes for the snippet. */
    private static final Pattern DECLARED = Pattern.compile("REPL\\.\\$JShell\\$\\w+?\\$(.+)");
    private static final Set<Class<?>> BEGUN = Collections
            .synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final CellLoader loader;

    StaticFields(CellLoader loader) {
        this.loader = loader;
    }

    /** For woven classes alone: the static initialiser of a class begins. */
    public static void begun(Class<?> type) {
        BEGUN.add(type);
    }

    private record Slot(String name, int cell, Field field, Object value) {
    }

    /** Every object held, by {@code Type.field}. */
    synchronized List<Holder> list() {
        Map<String, Holder> newest = new HashMap<>();
        List<Holder> all = slots().stream().map(each -> new Holder(each.name(), each.cell(), each.value(), true))
                .toList();
        all.forEach(each -> newest.merge(each.variable(), each, (a, b) -> b.cell() >= a.cell() ? b : a));
        return all.stream().map(each -> newest.get(each.variable()) == each
                ? each
                : new Holder(each.variable(), each.cell(), each.value(), false)).toList();
    }

    /**
     * Whether calling the methods of a collection runs none of the user's code: it is the JDK's, or this product's own, as
     * the lists that count what they hold.
     */
    public static boolean isNoUsersCode(Class<?> type) {
        return type.getName().startsWith("java.") || type.getClassLoader() == StaticFields.class.getClassLoader();
    }

    /** Sets the fields of that name to null; what a final one holds is emptied, if that runs none of the user's code. */
    synchronized boolean empty(String name) {
        boolean any = false;
        for (Slot each : slots()) {
            if (each.name().equals(name)) {
                any |= empty(each);
            }
        }
        return any;
    }

    private static boolean empty(Slot slot) {
        try {
            Object old = slot.field().get(null);
            slot.field().set(null, null);
            CellWeavers.drop(old);
        } catch (IllegalAccessException e) {
            if (!isNoUsersCode(slot.value().getClass()) && !(slot.value() instanceof Object[])) {
                return false;
            }
            try {
                switch (slot.value()) {
                    case Collection<?> all -> all.clear();
                    case Map<?, ?> map -> map.clear();
                    case Object[] array -> Arrays.fill(array, null);
                    default -> {
                        return false;
                    }
                }
            } catch (UnsupportedOperationException unchangeable) {
                return false;
            }
        }
        return true;
    }

    /** The classes of cells whose static initialiser ended in an error: they cannot be used, nor their fields read. */
    synchronized List<String> failed() {
        List<String> names = new ArrayList<>();
        each((name, type, cell) -> {
            try {
                Class.forName(type.getName(), true, type.getClassLoader());
            } catch (LinkageError | ClassNotFoundException e) {
                names.add(name.replaceFirst("\\..*", ""));
            }
        });
        return names.stream().distinct().toList();
    }

    private interface Visitor {

        void visit(String name, Class<?> type, int cell);
    }

    private List<Slot> slots() {
        List<Slot> all = new ArrayList<>();
        each((name, type, cell) -> fields(name, cell, type, all));
        return all;
    }

    private void each(Visitor visitor) {
        for (SnippetLoader snippet : loader.alive()) {
            for (Class<?> type : snippet.inUse()) {
                Matcher declared = DECLARED.matcher(type.getName());
                if (declared.matches() && readable(type)) {
                    visitor.visit(declared.group(1).replace('$', '.'), type,
                            snippet.lines() == null ? 0 : snippet.lines().cell());
                }
            }
        }
    }

    private static void fields(String type, int cell, Class<?> declaring, List<Slot> into) {
        for (Field field : declaring.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive() && !field.isSynthetic()) {
                try {
                    field.setAccessible(true);
                    Object value = field.get(null);
                    if (value != null) {
                        into.add(new Slot(type + "." + field.getName(), cell, field, value));
                    }
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                } catch (LinkageError e) {
                    // its initialiser ended in an error: nobody can read it any more
                    return;
                }
            }
        }
    }

    private static boolean readable(Class<?> type) {
        for (Class<?> each = type; each != null
                && each.getClassLoader() instanceof SnippetLoader snippet; each = each.getSuperclass()) {
            if (hasInitialiser(snippet.classFile(each.getName())) && !BEGUN.contains(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasInitialiser(byte[] classFile) {
        ClassModel model = ClassFile.of().parse(classFile);
        return model.methods().stream().anyMatch(each -> each.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME));
    }
}
