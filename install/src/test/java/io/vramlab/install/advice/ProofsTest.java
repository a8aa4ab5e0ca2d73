package io.vramlab.install.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.story.History;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

class ProofsTest {

    private static final long MIB = 1L << 20;
    private static final WhatIfReport NO_SETTINGS = new WhatIfReport(List.of(), List.of());

    private static List<Advice> advice(Diagnosis diagnosis) {
        return Proofs.of(diagnosis, "", NO_SETTINGS, ReplayProgress.NONE);
    }

    /** 40 steps: each uses 8 MiB for a while and keeps 4; in the end 200 MiB are asked for where 300 may be had. */
    private static Diagnosis leak() {
        History history = new History().event("segment_alloc", 0, 300 * MIB);
        for (int step = 0; step < 40; step++) {
            history.alloc(200 * MIB, 8 * MIB).alloc(step * 4 * MIB, 4 * MIB).free(200 * MIB, 8 * MIB);
        }
        return Diagnosis.of(history.event("oom", 1L << 40, 200 * MIB).story());
    }

    @Test
    void whatALineKeepsIsLetGoOfInTheReplay() {
        Diagnosis diagnosis = leak();
        assertEquals(CauseKind.TENSORS_KEPT, diagnosis.verdict().kind(), diagnosis::toString);
        Advice first = advice(diagnosis).getFirst();
        assertTrue(first.isProven() && first.enough(), first::toString);
        // the first 4 MiB are before the first whole step, the last 4 of the step that was not finished; 200 fit beside them
        assertTrue(first.allocated() >= 200 * MIB && first.allocated() <= 212 * MIB, first::toString);
    }

    @Test
    void aRequestThatIsLargerThanAllElseIsAskedForInParts() {
        Diagnosis diagnosis = Diagnosis.of(new History().event("segment_alloc", 0, 100 * MIB).alloc(0, 20 * MIB)
                .event("oom", 1L << 40, 300 * MIB).story());
        assertEquals(CauseKind.ONE_OPERATION, diagnosis.verdict().kind());
        Advice first = advice(diagnosis).getFirst();
        // 20 + 300 / 4 in a segment of 76 MiB, whose last MiB is too little to be split off: 96 of 100
        assertEquals(96 * MIB, first.allocated());
        assertTrue(first.enough(), first::toString);
    }

    private static WhatIfResult replayed(String conf, boolean served) {
        return new WhatIfResult(0, conf, 300 * MIB, 290 * MIB, 280 * MIB, 0, 3, 0, 100,
                served ? null : new WhatIfResult.OutOfMemory(90, 200 * MIB, 300 * MIB, 160 * MIB));
    }

    private static boolean advisesSettings(WhatIfResult... tried) {
        return Proofs.of(leak(), "", new WhatIfReport(List.of(tried), List.of()), ReplayProgress.NONE).stream()
                .anyMatch(each -> each.what().startsWith("PYTORCH_CUDA_ALLOC_CONF="));
    }

    /** A replay has its holes elsewhere: what serves the settings that ran out proves nothing of others. */
    @Test
    void settingsAreAdvisedWhereThoseOfTheRecordingRunOutInTheReplayTooAndOthersDoNot() {
        String other = "expandable_segments:True";
        assertTrue(advisesSettings(replayed("", false), replayed(other, true)));
        assertFalse(advisesSettings(replayed("", true), replayed(other, true)));
        assertFalse(advisesSettings(replayed("", false), replayed(other, false)));
    }

    @Test
    void whatCannotBeReplayedSaysSo() {
        Advice unproven = Advice.unproven("something");
        assertFalse(unproven.isProven());
        assertTrue(unproven.proof().startsWith("Not replayed"));
    }

    @Test
    void aFailureThatTheProgramWentOnFromAsksForNothing() {
        // a request of 8 MiB failed and nine of 2 MiB were served after it: a larger limit would be proven, and is not needed
        History history = new History().event("segment_alloc", 0, 6 << 20).alloc(0, 4 << 20).free(0, 4 << 20)
                .event("oom", 100L << 30, 8 << 20);
        for (int turn = 0; turn < 9; turn++) {
            history.alloc(0, 2 << 20).free(0, 2 << 20);
        }
        Diagnosis diagnosis = Diagnosis.of(history.story());
        assertEquals(CauseKind.HEALTHY, diagnosis.verdict().kind());
        assertEquals(List.of(), Proofs.of(diagnosis, "", NO_SETTINGS, ReplayProgress.NONE));
    }

    private static List<String> whatIsAdvised(WhatIfResult... tried) {
        return Proofs.of(leak(), "", new WhatIfReport(List.of(tried), List.of()), ReplayProgress.NONE).stream()
                .map(Advice::what).toList();
    }

    /** Settings only put off what grows with every step, and of those that serve it the field's first choice is told. */
    @Test
    void whatTheCauseAsksForComesBeforeSettingsAndOfTheseExpandableSegments() {
        List<String> advised = whatIsAdvised(replayed("", false), replayed("max_split_size_mb:64", true),
                replayed("expandable_segments:True", true));
        assertEquals(CauseKind.TENSORS_KEPT.advice(), advised.getFirst());
        assertEquals("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", advised.get(advised.size() - 2));
        assertEquals("a larger limit", advised.getLast());
    }
}
