package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order in which the parts of a cell run. It is the one in which they stand, but that a type or method which others
 * beside it name comes before them: to declare one does nothing yet, and JShell, which takes one declaration after the
 * other, refuses {@code B.E} where it does not know {@code B}.
 */
final class RunOrder {

    private RunOrder() {
    }

    /** The parts in order. */
    static List<Part> of(List<Part> parts) {
        List<Part> order = new ArrayList<>();
        List<Part> beside = new ArrayList<>();
        for (Part each : parts) {
            if (each.declaresCode()) {
                beside.add(each);
            } else {
                sort(beside, order);
                order.add(each);
            }
        }
        sort(beside, order);
        return order;
    }

    /** Moves declarations over, each behind those that it names; those that name each other as they stand. */
    private static void sort(List<Part> beside, List<Part> order) {
        while (!beside.isEmpty()) {
            Part next = beside.stream().filter(each -> isReady(each, beside)).findFirst().orElse(beside.getFirst());
            beside.remove(next);
            order.add(next);
        }
    }

    private static boolean isReady(Part part, List<Part> beside) {
        Set<String> others = new HashSet<>();
        beside.stream().filter(each -> each != part).forEach(each -> others.addAll(each.names()));
        return Collections.disjoint(part.words(), others);
    }
}
