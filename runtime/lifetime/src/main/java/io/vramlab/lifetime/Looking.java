package io.vramlab.lifetime;

import java.util.Set;

/**
 * Tells who asks a counted collection for a view of it: this project's own code looks and keeps nothing, and so do the JDK's
 * ways to print and compare. Everybody else may keep what the view shows.
 */
final class Looking {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final Set<String> HARMLESS = Set.of("toString", "hashCode", "equals", "containsAll", "contains",
            // copies, of which whoever makes one says whether he keeps it
            "<init>", "copyOf", "listCopy", "addAll", "toArray", "stream", "spliterator");

    private Looking() {
    }

    static boolean isAtWork() {
        return STACK.walk(frames -> frames
                .filter(each -> each.getDeclaringClass().getPackage() != Looking.class.getPackage()
                        && !(each.getClassName().startsWith("java.util.") && HARMLESS.contains(each.getMethodName())))
                .findFirst().map(each -> each.getClassName().startsWith("io.vramlab.")).orElse(false));
    }

    /** The method of a collection that others call now, by the JDK's name of its class. */
    static String opener() {
        return STACK.walk(frames -> frames
                .takeWhile(each -> each.getDeclaringClass().getPackage() == Looking.class.getPackage())
                .reduce((inner, outer) -> outer)
                .map(each -> each.getDeclaringClass().getSimpleName().replaceFirst("^(Counted|Open)", "") + "."
                        + each.getMethodName())
                .orElse(""));
    }
}
