package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of one program for all GPUs, which share what is the same, and what is said of them. */
class BriefPlansTest {

    /** 12,000,000,000 bytes, in one piece. */
    private static final String LARGE = "[\"b\",1,12000000000]\n";

    private static List<Plan> all(ProgramTrace trace) {
        return Plan.brief(trace, DeviceProfile.all());
    }

    private static String told(Plan plan) {
        return plan.device().name() + " " + plan.verdict() + " " + plan.allocated() + " " + plan.reserved() + " "
                + plan.leastReserved() + " " + plan.mostReserved() + " " + plan.failedAt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlp_adamw", "gpt_sdpa_bf16_autocast", "resnet_small_amp_fp16", "gru_classifier",
            "tv_vgg11"})
    void plansForManyGpusAreThoseForEach(String name) throws TraceFormatException {
        ProgramTrace trace = ProgramTrace.read(Path.of("src/test/resources/plan/traces/" + name + ".trace"));
        assertEquals(DeviceProfile.all().stream().map(gpu -> told(Plan.brief(trace, gpu))).toList(),
                all(trace).stream().map(BriefPlansTest::told).toList());
    }

    @Test
    void plansForManyGpusAreThoseForEachWhereTheRoomIsNearTheNeed() throws IOException {
        ProgramTrace trace = Recordings.of(LARGE);
        assertEquals(DeviceProfile.all().stream().map(gpu -> told(Plan.brief(trace, gpu))).toList(),
                all(trace).stream().map(BriefPlansTest::told).toList());
    }

    /** What is planned for the GPU that was asked for says of others that they have by far enough, or too little. */
    @ParameterizedTest
    @ValueSource(strings = {"gpt_sdpa_bf16_autocast", "resnet_small_amp_fp16", "tv_vgg11"})
    void aPlanForAnotherGpuChangesNoVerdict(String name) throws TraceFormatException {
        ProgramTrace trace = ProgramTrace.read(Path.of("src/test/resources/plan/traces/" + name + ".trace"));
        List<FitVerdict> each = DeviceProfile.all().stream().map(gpu -> Plan.brief(trace, gpu).verdict()).toList();
        for (String asked : List.of("H200", "T4", "RTX-3070")) {
            List<Plan> own = Plan.of(trace, DeviceProfile.find(asked).orElseThrow(),
                    List.of("expandable_segments:True", ""));
            assertEquals(each, Plan.brief(trace, DeviceProfile.all(), own).stream().map(Plan::verdict).toList(),
                    asked);
        }
    }

    @Test
    void aPlanForAnotherGpuChangesNoVerdictWhereTheRoomIsNearTheNeed() throws IOException {
        ProgramTrace trace = Recordings.of(LARGE);
        List<Plan> own = List.of(Plan.of(trace, DeviceProfile.find("RTX-3070").orElseThrow(), ""));
        assertEquals(all(trace).stream().map(BriefPlansTest::told).toList(),
                Plan.brief(trace, DeviceProfile.all(), own).stream().map(BriefPlansTest::told).toList());
    }

    /** 256, 1,024 and 8 bytes are there, 256 are made; 60 bytes for each of two groups and 512 for each multiprocessor go with the product. */
    @Test
    void aBufferForEachMultiprocessorIsCountedByEachGpusOwn() throws IOException {
        ProgramTrace trace = Recordings
                .of("[\"O\",1,\"aten._grouped_mm.default\"]\n[\"T\",1,\"bfloat16\",[8,16],[16,1],0,0]\n"
                        + "[\"T\",2,\"bfloat16\",[2,16,16],[256,16,1],0,0]\n[\"T\",3,\"int32\",[2],[1],0,0]\n"
                        + "[\"b\",1,256]\n[\"b\",2,1024]\n[\"b\",3,8]\n"
                        + "[\"o\",1,0,0,0,[{\"t\":[1,1]},{\"t\":[2,2]},{\"t\":[3,3]}],{},{\"t\":[4,1]},[[4,256]],\"\"]\n");
        for (Plan plan : all(trace)) {
            assertEquals(1_544 + 2 * 60 + 512L * plan.device().multiProcessorCount(), plan.requested(),
                    plan.device().name());
        }
    }

    /**
     * CUDA reports 12,336,496,640 bytes of an RTX 5070, of which a context of 48 x 1,536 threads and libraries take 402,653,184, and
     * 12,451,840,000 of an RTX 4070, of which 169,869,312 are taken.
     */
    @Test
    void theListBeginsWithTheSmallestGpuThatItFitsOn() throws IOException {
        ProgramTrace trace = Recordings.of(LARGE);
        List<Plan> own = List.of(Plan.of(trace, DeviceProfile.find("H200").orElseThrow(), ""));
        List<String> lines = GpuList.lines(own, all(trace));
        assertEquals("On other GPUs, default settings; the smallest that it fits on is RTX-4070 with 11.60 GiB:",
                lines.get(0));
        assertEquals("  does not fit: RTX-3070 (7.63 GiB), RTX-4060-8GB; RTX-3080-10GB (9.64 GiB), RTX-2080-Ti; "
                + "RTX-5070 (11.49 GiB)", lines.get(1));
        assertTrue(
                lines.get(2).startsWith("  fits: RTX-4070 (11.60 GiB), RTX-4070-Ti, RTX-3060-12GB; T4 (14.74 GiB), "),
                lines::toString);
        assertEquals(3, lines.size(), lines::toString);
    }

    @Test
    void theGpuThatWasAskedForMayBeTheSmallestOrNoneIs() throws IOException {
        ProgramTrace trace = Recordings.of(LARGE);
        DeviceProperties small = DeviceProfile.find("RTX-3070").orElseThrow();
        List<Plan> others = Plan.brief(trace, List.of(small));
        assertTrue(GpuList.lines(List.of(Plan.of(trace, DeviceProfile.find("T4").orElseThrow(), "")), others).getFirst()
                .contains("the smallest that it fits on is the one asked for, T4 with 14.74 GiB"));
        assertTrue(GpuList.lines(List.of(Plan.of(trace, small, "")), others).getFirst()
                .contains("it fits on none that is known"));
    }

    /** What was brought is 12,000,000,000 bytes, or 5,723 blocks of 2 MiB and a part of one: 12,002,000,896 bytes in one segment. */
    @Test
    void ofARecordingThatEndsEarlyItIsNotSaidThatItFitsOnNone() throws IOException {
        ProgramTrace trace = Recordings.cut(LARGE);
        List<Plan> own = List.of(Plan.of(trace, DeviceProfile.find("H200").orElseThrow(), ""));
        List<String> lines = GpuList.lines(own, all(trace));
        assertEquals(
                "On other GPUs, default settings; whether it fits is not known, since the recording ends before the program does; "
                        + "until then it reserved up to 11,446.00 MiB (12,002,000,896 bytes), for which the smallest with room is RTX-4070 with 11.60 GiB:",
                lines.get(0));
        List<Plan> small = Plan.brief(trace, List.of(DeviceProfile.find("RTX-3070").orElseThrow()));
        assertTrue(GpuList.lines(small, small).getFirst().contains("it fits on none that is known"));
    }
}
