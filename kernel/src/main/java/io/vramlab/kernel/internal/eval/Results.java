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

    private final Map<String, Result> live = new LinkedHashMap<>();
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

    /** The names of the results of cells before {@code cell}, with the cells that gave them. */
    synchronized Map<String, Integer> before(int cell) {
        Map<String, Integer> old = new LinkedHashMap<>();
        live.forEach((name, result) -> {
            if (result.cell() < cell) {
                old.put(name, result.cell());
            }
        });
        return old;
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
