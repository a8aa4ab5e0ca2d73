package io.vramlab.magics.hold;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Walks from roots to what they hold. */
public final class Walk {

    /** Enough for the models that a notebook holds; a walk this long takes about a tenth of a second. */
    public static final int MOST_OBJECTS = 300_000;

    private record Node(Object object, Node parent, String label, Root root) {

        HoldPath path() {
            LinkedList<String> labels = new LinkedList<>();
            for (Node node = this; node.parent != null; node = node.parent) {
                labels.addFirst(node.label);
            }
            return new HoldPath(root, List.copyOf(labels));
        }
    }

    private final NextSteps steps;
    private final Function<Object, Object> identify;
    private final int most;
    private boolean complete = true;

    /**
     * A walk.
     *
     * @param guides
     *            know some classes better than their fields tell
     * @param identify
     *            gives, for an object that is looked for, what identifies it (a tensor's storage), and null for any other
     */
    public Walk(List<Guide> guides, Function<Object, Object> identify) {
        this(guides, identify, MOST_OBJECTS);
    }

    /** A walk that ends, incomplete, when it has met more than {@code most} objects. */
    public Walk(List<Guide> guides, Function<Object, Object> identify, int most) {
        this.steps = new NextSteps(guides);
        this.identify = identify;
        this.most = most;
    }

    /** False when the last walk stopped at its limit. */
    public boolean complete() {
        return complete;
    }

    /** For everything that can be found, a shortest path from any root; earlier roots win ties. */
    public Map<Object, HoldPath> names(List<Root> roots) {
        return names(roots, key -> true);
    }

    /** As {@link #names(List)}, for those that are wanted. */
    public Map<Object, HoldPath> names(List<Root> roots, Predicate<Object> wanted) {
        Map<Object, HoldPath> names = new HashMap<>();
        complete = true;
        walk(roots, (key, node) -> {
            if (wanted.test(key)) {
                names.computeIfAbsent(key, k -> node.path());
            }
        });
        return names;
    }

    /**
     * From every root that reaches the target, each path that ends at it without passing it before; shortest first.
     *
     * @param most
     *            the most paths
     */
    public List<HoldPath> paths(List<Root> roots, Object target, int most) {
        // a static field is found by itself and by way of every instance of its class
        Map<String, HoldPath> distinct = new LinkedHashMap<>();
        boolean whole = true;
        for (Root root : roots) {
            complete = true;
            walk(List.of(root), (key, node) -> {
                if (key.equals(target)) {
                    HoldPath path = node.path();
                    distinct.putIfAbsent(path.root().kind() + " " + path.text(), path);
                }
            });
            whole &= complete;
        }
        complete = whole;
        List<HoldPath> paths = new ArrayList<>(distinct.values());
        paths.sort((a, b) -> Integer.compare(a.labels().size(), b.labels().size()));
        return paths.size() > most ? List.copyOf(paths.subList(0, most)) : paths;
    }

    private interface Found {
        void at(Object key, Node node);
    }

    private void walk(List<Root> roots, Found found) {
        Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Class<?>> classes = new HashSet<>();
        ArrayDeque<Node> queue = new ArrayDeque<>();
        ArrayDeque<Node> aside = new ArrayDeque<>();
        for (Root root : roots) {
            if (!Leaves.isLeaf(root.value().getClass())) {
                visit(new Node(root.value(), null, "", root), visited, queue, found);
            }
        }
        while (!queue.isEmpty() || !aside.isEmpty()) {
            if (queue.isEmpty()) {
                visit(aside.poll(), visited, queue, found);
                continue;
            }
            if (visited.size() > most) {
                complete = false;
                return;
            }
            Node node = queue.poll();
            for (PathStep edge : steps.of(node.object)) {
                Node next = new Node(edge.target(), node, edge.label(), node.root);
                if (edge.aside()) {
                    aside.add(next);
                } else {
                    visit(next, visited, queue, found);
                }
            }
            Class<?> type = node.object.getClass();
            if (isUsers(type) && classes.add(type)) {
                statics(type, visited, queue, found);
            }
        }
    }

    private void visit(Node node, Set<Object> visited, ArrayDeque<Node> queue, Found found) {
        Object key = identify.apply(node.object);
        if (key != null) {
            found.at(key, node);
        }
        if (visited.add(node.object)) {
            queue.add(node);
        }
    }

    private void statics(Class<?> type, Set<Object> visited, ArrayDeque<Node> queue, Found found) {
        for (Field field : ReadableFields.statics(type)) {
            Object value = ReadableFields.read(field, null);
            if (value != null && !Leaves.isLeaf(value.getClass())) {
                Root root = new Root(Root.Kind.STATIC, type.getSimpleName() + "." + field.getName(), value);
                visit(new Node(value, null, "", root), visited, queue, found);
            }
        }
    }

    private static boolean isUsers(Class<?> type) {
        return !type.isArray() && !type.isHidden() && !type.getName().startsWith("java.")
                && !type.getName().startsWith("io.vramlab.") && !type.getName().startsWith("tech.tablesaw.");
    }
}
