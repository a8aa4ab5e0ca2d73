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

    private static final Set<String> MISSED = Set.of("temperature_scaling.plain", "heat3d_refine.nostack",
            "heat3d_refine.plain");

    /** Where the cause is right and the foremost line another than was expected. */
    private static final Set<String> LINE_MISSED = Set.of("als_factors.plain", "channel_extractors.plain",
            "ct_resample_chain.nostack", "decoder_from_settings.plain", "kv_slots_server.plain",
            "pricing_surface_fit.nostack", "voice_assistant_stack.nostack", "voice_assistant_stack.plain",
            "a1_lattice_flow.nostack", "a1_multilingual_lm.plain", "a2_stream_workers.plain", "als_factors.nostack",
            "arena_compare.nostack", "b1_bird_lengths.nostack", "b1_call_centre.plain", "b1_churn_sweep.nostack",
            "b1_room_scans.nostack", "billion_scale_backbone.plain", "corpus_on_device.nostack",
            "ct_preprocess.nostack", "ct_volume.nostack", "ct_windowing.nostack", "dlrm_tables.nostack",
            "dlrm_tables.plain", "glow_datainit.plain", "graph_diffusion_report.nostack", "heat_plate.nostack",
            "herbarium_embed.nostack", "image_service.plain", "knn_graph_umap.nostack", "mesh_feature_cache.plain",
            "minute_bars.nostack", "normalise_ct.nostack", "offline_recs.nostack", "routed_experts.plain",
            "scan_coarse_fine.nostack", "scan_coarse_fine.plain", "segment_eval.nostack", "sensor_seq_service.plain",
            "shard_linear_probe.nostack", "slam_keyframes.nostack", "slam_keyframes.plain",
            "summarizer_service.nostack", "tight_budget.plain", "tile_feature_cache.plain",
            "vector_index_build.nostack", "volume_lru.nostack", "volume_lru.plain");

    static List<Recorded> recorded() throws IOException, URISyntaxException {
        return RecordedCausesTest.recorded("expected-eighth.json", "expected-ninth.json", "expected-tenth.json",
                "expected-eleventh.json", "expected-twelfth.json", "expected-thirteenth.json",
                "expected-fourteenth.json", "expected-fifteenth.json", "expected-sixteenth.json",
                "expected-seventeenth.json", "expected-eighteenth.json",
                "expected-nineteenth.json",
                "expected-twentieth.json",
                "expected-twenty-first.json",
                "expected-twenty-second.json",
                "expected-twenty-third.json");
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void withTheSourceTheCauseAndTheLineToChangeAreFoundAndNoWrongOneIsCalledCertain(Recorded recorded)
            throws IOException {
        Story story = Story.of(MemorySnapshot.readHistory(recorded.file()), 0);
        UserProgram program = SourceFiles.find(Places.userFrames(story), List.of(source(recorded)), recorded.file());
        assertEquals(List.of(), program.changed());
        Finding verdict = Diagnosis.of(story, program).verdict();
        boolean right = recorded.causes().contains(verdict.kind().id());
        if (!right) {
            assertNotEquals(Certainty.SURE, verdict.certainty(), verdict::toString);
        }
        assertEquals(!MISSED.contains(recorded.name()), right, verdict::toString);
        if (right && verdict.kind() != CauseKind.HEALTHY && !recorded.lines().isEmpty()) {
            assertEquals(!LINE_MISSED.contains(recorded.name()), recorded.lines().contains(verdict.line()),
                    verdict::toString);
        }
    }

    private static Path source(Recorded recorded) {
        String name = recorded.name().substring(0, recorded.name().indexOf('.')) + ".py";
        Path folder = recorded.file().getParent();
        return Stream.of("eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth",
                "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first",
                "twenty-second", "twenty-third")
                .map(set -> folder.resolve(set).resolve(name))
                .filter(Files::exists)
                .findFirst().orElseThrow();
    }
}
