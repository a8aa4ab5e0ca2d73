package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Single operations as an H200 recorded them ({@code record_operations.py}): one of each pattern of takings of each operation.
 */
class OperationsTest {

    /** What few programs call: their results alone are counted, docs/plan.md. The recorder tells pinv's parts by now. */
    private static final Set<String> WITHOUT_A_RULE = Set.of("linalg_matrix_exp", "linalg_pinv");
    /**
     * Rules that some forms of their arguments do not follow; convolutions are estimated where no table has their shape, and
     * workspaces of cuSOLVER's between recorded sizes: of five matrices of 24 by 128 bytes of 1.7 MB.
     */
    private static final Set<String> OTHERWISE = Set.of("_linalg_eigh", "index_put_", "isin",
            "mm",
            "convolution", "convolution_backward");

    @Test
    void eachTakesWhatAnH200RecordedAndInThatOrder() throws IOException {
        DeviceProperties device = DeviceProfile.find("H200").orElseThrow();
        ProgramTrace trace = ProgramTrace
                .read(OperationsTest.class.getResourceAsStream("/plan/operations/operations.trace"));
        Map<Integer, List<Long>> ours = taken(Script.of(trace, device));
        Set<String> wrong = new TreeSet<>();
        int operations = 0;
        try (BufferedReader recorded = new BufferedReader(new InputStreamReader(new GZIPInputStream(
                OperationsTest.class.getResourceAsStream("/plan/operations/operations.events.gz"))))) {
            for (int e = 0; e < trace.events().size(); e++) {
                if (trace.events().get(e) instanceof Operation o) {
                    String[] line = recorded.readLine().split("\t", -1);
                    assertEquals(line[0], o.name());
                    operations++;
                    if (!sizes(line[1]).equals(ours.getOrDefault(e, List.of()))) {
                        wrong.add(o.base().replace("aten.", ""));
                    }
                }
            }
        }
        Set<String> known = new TreeSet<>(WITHOUT_A_RULE);
        known.addAll(OTHERWISE);
        assertEquals(known, wrong, operations + " operations");
    }

    /** What the range counts for an operation without a rule is more than any of them held at once besides its results. */
    @Test
    void anOperationWithoutARuleTakesNoMoreThanTheRangeHas() throws IOException {
        ProgramTrace trace = ProgramTrace
                .read(OperationsTest.class.getResourceAsStream("/plan/operations/operations.trace"));
        Set<String> past = new TreeSet<>();
        int judged = 0;
        try (BufferedReader recorded = new BufferedReader(new InputStreamReader(new GZIPInputStream(
                OperationsTest.class.getResourceAsStream("/plan/operations/operations.events.gz"))))) {
            for (PlanEvent event : trace.events()) {
                if (event instanceof Operation o) {
                    String[] line = recorded.readLine().split("\t", -1);
                    if (WITHOUT_A_RULE.contains(o.base().replace("aten.", ""))) {
                        judged++;
                        long results = o.made().stream().mapToLong(Operation.Made::bytes).sum();
                        if (mostHeld(line[1]) > results + RuleSteps.most(o)) {
                            past.add(o.base());
                        }
                    }
                }
            }
        }
        assertEquals(Set.of(), past, judged + " operations");
        assertTrue(judged >= WITHOUT_A_RULE.size(), judged + " operations");
    }

    /** The largest sum that was taken and not given back yet; the N-th taking of an operation is given back by -N. */
    private static long mostHeld(String events) {
        List<Long> sizes = new ArrayList<>();
        long held = 0;
        long most = 0;
        for (String event : events.split(" ")) {
            if (event.startsWith("+")) {
                sizes.add(Long.parseLong(event.substring(1)));
                held += sizes.getLast();
                most = Math.max(most, held);
            } else if (event.startsWith("-") && Integer.parseInt(event.substring(1)) < sizes.size()) {
                held -= sizes.get(Integer.parseInt(event.substring(1)));
            }
        }
        return most;
    }

    private static Map<Integer, List<Long>> taken(Script script) {
        Map<Integer, List<Long>> taken = new HashMap<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.bytes(i) > 0) {
                taken.computeIfAbsent(script.event(i), event -> new ArrayList<>()).add(script.bytes(i));
            }
        }
        return taken;
    }

    private static List<Long> sizes(String events) {
        List<Long> sizes = new ArrayList<>();
        for (String event : events.split(" ")) {
            if (event.startsWith("+")) {
                sizes.add(Long.parseLong(event.substring(1)));
            }
        }
        return sizes;
    }
}
