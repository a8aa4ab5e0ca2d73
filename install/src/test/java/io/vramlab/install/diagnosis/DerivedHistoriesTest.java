package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;

/**
 * The recordings with stacks again, without these, and without the first part of what came before the failure: what
 * {@code _record_memory_history(context=None)} and {@code max_entries} would have recorded of the same runs. The floors are what was
 * measured when no rule had been made for any of these, or above; docs/diagnosis-judged.md tells of it.
 */
@Tag("long")
class DerivedHistoriesTest {

    private static final String PLAIN = ".plain";
    private static final double CUT = 0.6;

    @Test
    void threeInFourAreRightWithoutStacks() throws IOException, URISyntaxException {
        Set<String> recorded = RecordedCausesTest.recorded().stream().map(each -> each.name())
                .collect(Collectors.toCollection(HashSet::new));
        judge(RecordedCausesTest.recorded().stream().filter(each -> each.name().endsWith(PLAIN)
                && !recorded.contains(each.name().replace(PLAIN, ".nostack"))).toList(), 0.75, false);
    }

    @Test
    void nearlyNineInTenAreRightWithoutTheirBeginning() throws IOException, URISyntaxException {
        List<RecordedCausesTest.Recorded> later = later();
        judge(RecordedCausesTest.recorded().stream()
                .filter(each -> each.name().endsWith(PLAIN) && !later.contains(each))
                .toList(), 0.88, true);
    }

    /** These are of programs that are harder whole, too: 39 of 49 were right when they came. */
    @Test
    void eightInTenOfTheThirteenthAndFourteenthSetAreRightWithoutTheirBeginning()
            throws IOException, URISyntaxException {
        judge(later(), 0.8, true);
    }

    private static List<RecordedCausesTest.Recorded> later() throws IOException, URISyntaxException {
        return RecordedCausesTest.recorded("expected-thirteenth.json", "expected-fourteenth.json").stream()
                .filter(each -> each.name().endsWith(PLAIN)).toList();
    }

    private static void judge(List<RecordedCausesTest.Recorded> recordings, double least, boolean cut)
            throws IOException {
        int right = 0;
        StringBuilder wrong = new StringBuilder();
        for (RecordedCausesTest.Recorded recorded : recordings) {
            Map<String, Object> data = MemorySnapshot.read(recorded.file()).data();
            Finding verdict = Diagnosis.of(Story.of(MemorySnapshot.ofData(cut ? cut(data) : without(data)), 0))
                    .verdict();
            boolean found = recorded.causes().contains(verdict.kind().id());
            right += found ? 1 : 0;
            wrong.append(found ? "" : " " + recorded.name() + "=" + verdict.kind().id());
            assertTrue(found || verdict.certainty() != Certainty.SURE, () -> recorded + ": " + verdict);
        }
        assertTrue(right >= least * recordings.size(), right + " of " + recordings.size() + ", not" + wrong);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cut(Map<String, Object> data) {
        List<List<Map<String, Object>>> traces = (List<List<Map<String, Object>>>) data.get("device_traces");
        List<Map<String, Object>> trace = traces.getFirst();
        int end = IntStream.range(0, trace.size()).filter(i -> "oom".equals(trace.get(i).get("action"))).findFirst()
                .orElse(trace.size());
        Map<String, Object> copy = new HashMap<>(data);
        copy.put("device_traces", List.of(trace.subList((int) (CUT * end), trace.size())));
        return copy;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> without(Map<String, Object> data) {
        return (Map<String, Object>) withoutFrames(data);
    }

    private static Object withoutFrames(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new HashMap<>(map);
                copy.remove("frames");
                copy.replaceAll((key, each) -> withoutFrames(each));
                yield copy;
            }
            case List<?> list -> list.stream().map(DerivedHistoriesTest::withoutFrames).toList();
            default -> value;
        };
    }
}
