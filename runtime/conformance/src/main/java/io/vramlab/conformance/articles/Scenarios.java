package io.vramlab.conformance.articles;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All examples, by the names that the recordings use. */
public final class Scenarios {

    private static final Map<String, Scenario> ALL = collect();

    private Scenarios() {
    }

    private static Map<String, Scenario> collect() {
        Map<String, Scenario> all = new HashMap<>();
        all.putAll(LaunchFailure.all());
        all.putAll(Training.all());
        all.putAll(Holding.all());
        all.putAll(Buffers.all());
        all.putAll(PastKept.all());
        all.putAll(MixedPrecision.all());
        return Map.copyOf(all);
    }

    /** The example of that name, if it is known. */
    public static Optional<Scenario> named(String name) {
        return Optional.ofNullable(ALL.get(name)).or(() -> Training.variant(name));
    }

    /** The names that are known, sorted. */
    public static Set<String> names() {
        return new TreeSet<>(ALL.keySet());
    }
}
