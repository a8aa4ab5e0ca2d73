package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The table: which rule an operation follows. Names without a rule that the file {@code results-only.txt} lists take their
 * results and nothing else; all others are told to the script as unknown, and counted in the same way.
 */
final class Footprints {

    private static final Set<String> RESULTS_ONLY = resultsOnly();

    private final Map<String, OperationRule> rules = new HashMap<>();
    private final RuleSteps steps;

    Footprints(DeviceProperties device, Choice choice) {
        steps = new RuleSteps(device, choice);
        MatrixRules.add(rules);
        LinearAlgebraRules.add(rules);
        FactorRules.add(rules);
        FourierRules.add(rules);
        ReductionRules.add(rules);
        LossRules.add(rules);
        NormRules.add(rules);
        RowRules.add(rules);
        SelectionRules.add(rules);
        PoolingRules.add(rules);
        AttentionRules.add(rules);
        ConvolutionRules.add(rules);
        RecurrentRules.add(rules);
        ForeachRules.add(rules);
        CopyRules.add(rules);
        SparseRules.add(rules);
        ShardedRules.add(rules);
        VisionRules.add(rules);
        ElementRules.add(rules);
    }

    void follow(Operation operation, Script script) {
        steps.begin(operation, script);
        boolean unknown = false;
        OperationRule rule = rules.get(operation.base());
        if (rule != null) {
            rule.follow(operation, steps);
        } else if (!operation.made().isEmpty()
                && !RESULTS_ONLY.contains(operation.base().replaceFirst("^aten\\.", ""))) {
            unknown = true;
        }
        steps.results();
        if (unknown) {
            steps.unknown();
        }
    }

    private static Set<String> resultsOnly() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                Footprints.class.getResourceAsStream("results-only.txt"), StandardCharsets.UTF_8))) {
            Set<String> names = new HashSet<>();
            in.lines().filter(line -> !line.startsWith("#"))
                    .forEach(line -> names.addAll(Set.of(line.strip().split(" +"))));
            return names;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
