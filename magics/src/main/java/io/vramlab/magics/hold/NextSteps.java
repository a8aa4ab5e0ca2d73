package io.vramlab.magics.hold;

import java.lang.reflect.Field;
import io.vramlab.lifetime.CountedArrayList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The steps that lead on from any object. */
final class NextSteps {

    /** A larger collection is read this far. */
    private static final int MOST_ELEMENTS = 100_000;

    private final List<Guide> guides;

    NextSteps(List<Guide> guides) {
        this.guides = guides;
    }

    List<PathStep> of(Object object) {
        for (Guide guide : guides) {
            List<PathStep> edges = guide.edges(object);
            if (edges != null) {
                return edges;
            }
        }
        List<PathStep> edges = new ArrayList<>();
        if (object instanceof Object[] array) {
            for (int i = 0; i < Math.min(array.length, MOST_ELEMENTS); i++) {
                add(edges, "[" + i + "]", array[i]);
            }
        } else if (isOfTheJdk(object.getClass())) {
            jdk(object, edges);
        } else {
            for (Field field : ReadableFields.instance(object.getClass())) {
                add(edges, label(field), ReadableFields.read(field, object));
            }
        }
        return edges;
    }

    /** Also the collections that cells have in place of the JDK's. */
    private static boolean isOfTheJdk(Class<?> type) {
        return type.getName().startsWith("java.") || type.getPackage() == CountedArrayList.class.getPackage();
    }

    /** The compiler names what a lambda has captured {@code arg$1}, an inner class's outer object {@code this$0}. */
    private static String label(Field field) {
        String name = field.getName();
        if (name.startsWith("arg$")) {
            return ".captured[" + (Integer.parseInt(name.substring(4)) - 1) + "]";
        }
        if (name.startsWith("val$")) {
            return ".captured(" + name.substring(4) + ")";
        }
        return "." + name;
    }

    private static void jdk(Object object, List<PathStep> edges) {
        try {
            switch (object) {
                case Map<?, ?> map -> {
                    int left = MOST_ELEMENTS;
                    for (Map.Entry<?, ?> entry : map.entrySet()) {
                        if (left-- == 0) {
                            break;
                        }
                        add(edges, "[" + key(entry.getKey()) + "]", entry.getValue());
                        if (!(map instanceof WeakHashMap)) {
                            add(edges, ".key(" + key(entry.getKey()) + ")", entry.getKey());
                        }
                    }
                }
                case Collection<?> collection -> {
                    int index = 0;
                    for (Object element : collection) {
                        if (index == MOST_ELEMENTS) {
                            break;
                        }
                        add(edges, collection instanceof Set ? "{" + key(element) + "}" : "[" + index + "]", element);
                        index++;
                    }
                }
                case Optional<?> optional -> add(edges, ".get()", optional.orElse(null));
                case AtomicReference<?> reference -> add(edges, ".get()", reference.get());
                case AtomicReferenceArray<?> array -> {
                    for (int i = 0; i < array.length(); i++) {
                        add(edges, "[" + i + "]", array.get(i));
                    }
                }
                case Future<?> future when future.state() == Future.State.SUCCESS ->
                    add(edges, ".get()", future.resultNow());
                case Map.Entry<?, ?> entry -> {
                    add(edges, ".getKey()", entry.getKey());
                    add(edges, ".getValue()", entry.getValue());
                }
                default -> {
                    // a JDK class whose fields are closed to us
                }
            }
        } catch (ConcurrentModificationException changing) {
            // another thread is changing it: what was read until now counts
        }
    }

    private static void add(List<PathStep> edges, String label, Object target) {
        if (target != null && !Leaves.isLeaf(target.getClass())) {
            edges.add(new PathStep(label, target));
        }
    }

    /** A key without calling any code of the user's. */
    static String key(Object key) {
        return switch (key) {
            case null -> "null";
            case String text -> '"' + (text.length() > 40 ? text.substring(0, 39) + "…" : text) + '"';
            case Enum<?> constant -> constant.name();
            case Integer number -> number.toString();
            case Long number -> number.toString();
            case Character c -> "'" + c + "'";
            case Boolean b -> b.toString();
            default -> key.getClass().getSimpleName();
        };
    }
}
