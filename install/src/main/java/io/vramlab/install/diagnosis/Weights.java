package io.vramlab.install.diagnosis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How probable each cause is, by a multinomial logistic regression over what detectors found and {@link Traits}, and how much a source
 * changes that. Its tables of weights, for histories with stacks, for those without and for {@link SourceEvidence}, are written by
 * {@code src/test/resources/diagnosis/weights/fit.py} from histories of known causes.
 */
final class Weights {

    private static final Weights WITH_STACKS = read("weights.tsv");
    private static final Weights WITHOUT_STACKS = read("weights-without-stacks.tsv");
    private static final Weights OF_SOURCE = read("weights-of-source.tsv");

    private final List<CauseKind> kinds = new ArrayList<>();
    private final Map<String, double[]> rows = new HashMap<>();

    private Weights() {
    }

    /** The probability of each cause that histories are known of. */
    static Map<CauseKind, Double> probabilities(List<Finding> found, Map<String, Double> traits) {
        // without stacks and without times too little is known for weights that go by these
        return (traits.getOrDefault("clock", 0.0) > 0 ? WITHOUT_STACKS : WITH_STACKS).of(values(found, traits));
    }

    /** The logarithm by which what a failure's source says changes the odds on each cause. */
    static Map<CauseKind, Double> ofSource(Map<String, Double> evidence) {
        Map<String, Double> values = new LinkedHashMap<>(evidence);
        values.put("", 1.0);
        double[] sums = OF_SOURCE.sums(values);
        Map<CauseKind, Double> odds = new EnumMap<>(CauseKind.class);
        for (int kind = 0; kind < sums.length; kind++) {
            odds.put(OF_SOURCE.kinds.get(kind), sums[kind]);
        }
        return odds;
    }

    /** What is weighed: of each kind what its detector says, what is foremost, and the traits, once more for histories with stacks. */
    static Map<String, Double> values(List<Finding> found, Map<String, Double> traits) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("", 1.0);
        double stacks = traits.get("stacks");
        found.forEach(finding -> values.merge("found:" + finding.kind().id(), finding.weight(), Math::max));
        CauseKind top = found.isEmpty() ? CauseKind.HEALTHY : found.getFirst().kind();
        values.put("top:" + top.id(), 1.0);
        values.put("top-stacks:" + top.id(), stacks);
        values.put("top-sure", !found.isEmpty() && found.getFirst().certainty() == Certainty.SURE ? 1.0 : 0.0);
        values.put("top-likely", !found.isEmpty() && found.getFirst().certainty() == Certainty.LIKELY ? 1.0 : 0.0);
        traits.forEach((name, value) -> {
            values.put(name, value);
            values.put(name + "*stacks", value * stacks);
        });
        return values;
    }

    private double[] sums(Map<String, Double> values) {
        double[] sums = new double[kinds.size()];
        values.forEach((name, value) -> {
            double[] row = rows.get(name);
            for (int kind = 0; row != null && kind < sums.length; kind++) {
                sums[kind] += row[kind] * value;
            }
        });
        return sums;
    }

    private Map<CauseKind, Double> of(Map<String, Double> values) {
        double[] sums = sums(values);
        double most = Arrays.stream(sums).max().orElse(0);
        double all = Arrays.stream(sums).map(sum -> Math.exp(sum - most)).sum();
        Map<CauseKind, Double> probabilities = new EnumMap<>(CauseKind.class);
        for (int kind = 0; kind < sums.length; kind++) {
            probabilities.put(kinds.get(kind), Math.exp(sums[kind] - most) / all);
        }
        return probabilities;
    }

    private static Weights read(String table) {
        Map<String, CauseKind> ids = new HashMap<>();
        for (CauseKind kind : CauseKind.values()) {
            ids.put(kind.id(), kind);
        }
        Weights weights = new Weights();
        try (InputStream in = Weights.class.getResourceAsStream(table);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            Arrays.stream(lines.readLine().split("\t")).skip(1).map(ids::get).forEach(weights.kinds::add);
            lines.lines().map(line -> line.split("\t")).forEach(cells -> weights.rows.put(cells[0],
                    Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return weights;
    }
}
