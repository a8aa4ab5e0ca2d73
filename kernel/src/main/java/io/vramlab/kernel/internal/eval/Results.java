package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Variable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Unnamed results, {@code $1}, {@code $2} and so on, that are not JShell variables: most are never named, so they become
 * ones only when they are. A result lives to the end of the cell after its own. Safe from any thread.
 */
final class Results {

    /**
     * A result.
     *
     * @param type
     *            its static type as Java source
     */
    record Result(String type, Object value, int cell) {
    }

    /** How many of those that were released are told of by name. */
    private static final int EXPIRED = 100;

    private final Map<String, Result> live = new LinkedHashMap<>();
    /** Those that have become variables, with the cells that gave them. */
    private final Map<String, Integer> named = new LinkedHashMap<>();
    private final Map<String, Integer> expired = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > EXPIRED;
        }
    };
    private int last;

    /** A name that no result had before. */
    synchronized String nextName() {
        return "$" + ++last;
    }

    /** Keeps a result under the next name. */
    synchronized void add(Result result) {
        CellWeavers.hold(result.value());
        live.put(nextName(), result);
    }

    /** Lets go of a result; false if there is none of that name. */
    synchronized boolean drop(String name) {
        Result result = live.remove(name);
        if (result != null) {
            CellWeavers.drop(result.value());
        }
        return result != null;
    }

    /** Takes a result out, which is the caller's to let go; null if there is none of that name. */
    synchronized Result take(String name) {
        return live.remove(name);
    }

    /** It is a variable of JShell's from now on. */
    synchronized void named(String name, int cell) {
        named.putIfAbsent(name, cell);
    }

    /** The variables that stand for results of cells before {@code cell}. */
    synchronized List<String> namedBefore(int cell) {
        return named.entrySet().stream().filter(each -> each.getValue() < cell).map(Map.Entry::getKey).toList();
    }

    /** The variable of that name is released. */
    synchronized void expire(String name) {
        expired.put(name, named.remove(name));
    }

    /** Lets go of the results of cells before {@code cell}. */
    synchronized void expireBefore(int cell) {
        List<String> old = live.entrySet().stream().filter(each -> each.getValue().cell() < cell)
                .map(Map.Entry::getKey).toList();
        for (String name : old) {
            expired.put(name, live.get(name).cell());
            drop(name);
        }
    }

    synchronized boolean isExpired(String name) {
        return expired.containsKey(name);
    }

    /** Those that were released last, with the cells that gave them. */
    synchronized Map<String, Integer> expired() {
        return new LinkedHashMap<>(expired);
    }

    synchronized List<Variable> variables() {
        return live.entrySet().stream().map(each -> new Variable(each.getKey(), each.getValue().type(),
                each.getValue().value(), each.getValue().cell())).toList();
    }

    synchronized List<Holder> holders() {
        return live.entrySet().stream().filter(each -> each.getValue().value() != null)
                .map(each -> new Holder(each.getKey(), each.getValue().cell(), each.getValue().value(), true)).toList();
    }
}
