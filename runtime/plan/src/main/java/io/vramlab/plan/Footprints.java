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

    /** What an operation takes besides its results where nothing says more. */
    private static final OperationRule NOTHING = (operation, steps) -> {
        // its results, which are taken in any case
    };
    private static final OperationRule UNKNOWN = (operation, steps) -> {
        if (!operation.made().isEmpty()) {
            steps.results();
            steps.unknown();
        }
    };

    private final Map<String, OperationRule> rules = new HashMap<>();
    /** By the name with its overload: programs call few of them, and each many times. */
    private final Map<String, OperationRule> met = new HashMap<>();
    private final RuleSteps steps;

    Footprints(DeviceProperties device, Choice choice, ConvolutionSizes convolutions) {
        steps = new RuleSteps(device, choice, convolutions);
        MatrixRules.add(rules);
        LinearAlgebraRules.add(rules);
        FactorRules.add(rules);
        FourierRules.add(rules);
        ReductionRules.add(rules);
        LossRules.add(rules);
        NormRules.add(rules);
        RowRules.add(rules);
        SelectionRules.add(rules);
        DistinctRules.add(rules);
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

    /** What {@code torch._C._cuda_clearCublasWorkspaces()} does. */
    void clearWorkspaces(ScriptWriter script) {
        steps.clearWorkspaces(script);
    }

    void follow(Operation operation, ScriptWriter script) {
        steps.begin(operation, script);
        OperationRule rule = met.get(operation.name());
        if (rule == null) {
            rule = rule(operation.base());
            met.put(operation.name(), rule);
        }
        rule.follow(operation, steps);
        steps.results();
    }

    private OperationRule rule(String base) {
        return rules.getOrDefault(base,
                RESULTS_ONLY.contains(base.replaceFirst("^aten\\.", "")) ? NOTHING : UNKNOWN);
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
