package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.vramlab.install.diagnosis.RecordedCausesTest.Recorded;
import io.vramlab.install.source.SourceFiles;
import io.vramlab.install.source.UserProgram;
import io.vramlab.install.story.Places;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;

/** The same of the sets whose programs are here, with the program's source: what is still missed then is named. */
class RecordedSourcesTest {

    private static final Set<String> MISSED = Set.of("b1_ad_clicks.nostack", "b1_cart_tables.nostack",
            "segment_eval.nostack");

    static List<Recorded> recorded() throws IOException, URISyntaxException {
        return RecordedCausesTest.recorded("expected-eighth.json", "expected-ninth.json", "expected-tenth.json",
                "expected-eleventh.json");
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void withTheSourceTheCauseIsFoundAndNoWrongOneIsCalledCertain(Recorded recorded) throws IOException {
        Story story = Story.of(MemorySnapshot.readHistory(recorded.file()), 0);
        UserProgram program = SourceFiles.find(Places.userFrames(story), List.of(source(recorded)), recorded.file());
        assertEquals(List.of(), program.changed());
        Finding verdict = Diagnosis.of(story, program).verdict();
        boolean right = recorded.causes().contains(verdict.kind().id());
        if (!right) {
            assertNotEquals(Certainty.SURE, verdict.certainty(), verdict::toString);
        }
        assertEquals(!MISSED.contains(recorded.name()), right, verdict::toString);
    }

    private static Path source(Recorded recorded) {
        String name = recorded.name().substring(0, recorded.name().indexOf('.')) + ".py";
        Path folder = recorded.file().getParent();
        return Stream.of("eighth", "ninth", "tenth", "eleventh").map(set -> folder.resolve(set).resolve(name))
                .filter(Files::exists)
                .findFirst().orElseThrow();
    }
}
