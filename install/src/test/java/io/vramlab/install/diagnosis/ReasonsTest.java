package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertFalse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.vramlab.install.diagnosis.RecordedCausesTest.Recorded;
import io.vramlab.install.report.ReportVerdict;
import io.vramlab.install.report.SnapshotReport;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.ReplayProgress;

/** What was not seen is no reason: nothing is said of 0 blocks, 0 bytes or 0 sizes. */
class ReasonsTest {

    private static final List<Recorded> RECORDED = recorded();
    private static final Pattern NOTHING = Pattern.compile("(^|[^.,\\d])0 ");

    private static List<Recorded> recorded() {
        try {
            return RecordedCausesTest.recorded();
        } catch (IOException | URISyntaxException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Each had such a reason, of another detector: fragmentation, an optimizer's state, sizes, weights, rising troughs. */
    @ParameterizedTest
    @ValueSource(strings = {"a1_width_sweep.plain", "b1_ad_clicks.plain", "experts_on_streams.nostack",
            "a2_shared_card.nostack", "a2_memory_bank.nostack"})
    void noReasonTellsOfNothing(String name) throws IOException {
        Path file = RECORDED.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow().file();
        Diagnosis diagnosis = Diagnosis.of(Story.of(MemorySnapshot.readHistory(file), 0));
        Stream.concat(Stream.of(diagnosis.verdict()), diagnosis.others().stream())
                .flatMap(each -> each.because().stream())
                .forEach(reason -> assertFalse(NOTHING.matcher(reason).find(), reason));
    }

    @Test
    void whatFiguresAndReasonBothSayIsToldOnce() throws IOException {
        Path file = RECORDED.stream().filter(each -> each.name().equals("a2_memory_bank.nostack")).findFirst()
                .orElseThrow().file();
        MemorySnapshot snapshot = MemorySnapshot.read(file);
        String report = SnapshotReport.of(snapshot, ReportVerdict.of(snapshot, ReplayProgress.NONE), "a.pickle");
        String cause = report.substring(0, report.indexOf("## What helps"));
        assertEquals(2, cause.split("The least in use between steps rose", -1).length, cause);
    }
}
