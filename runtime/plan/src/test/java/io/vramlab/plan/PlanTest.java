package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs recorded without a GPU, against what an H200 recorded of the same scripts. */
class PlanTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();
    private static final String EXPANDABLE = "expandable_segments:True";

    private static ProgramTrace trace(String script) throws IOException {
        try (InputStream in = PlanTest.class.getResourceAsStream("/plan/traces/" + script + ".trace")) {
            return ProgramTrace.read(in);
        }
    }

    private static JsonObject recorded(String script) throws IOException {
        try (InputStream in = PlanTest.class.getResourceAsStream("/plan/recorded.json")) {
            return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8)).getAsJsonObject()
                    .getAsJsonObject(script);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlp_adamw", "mlp_forloop_adam", "cnn_mnist", "gpt_checkpoint", "gpt_pure_bf16",
            "gpt_sdpa_fp32", "hf_gpt2_generate", "lora_by_hand", "vae_bce", "dqn_replay"})
    void withExpandableSegmentsPeaksAreThoseOfTheGpuToTheByte(String script) throws IOException {
        JsonArray real = recorded(script).getAsJsonArray("expandable");
        Plan plan = Plan.of(trace(script), H200, EXPANDABLE);
        assertEquals(List.of(real.get(0).getAsLong(), real.get(1).getAsLong()),
                List.of(plan.allocated(), plan.reserved()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlp_adamw", "mlp_forloop_adam", "hf_gpt2_generate"})
    void asManyAllocationsAreMadeAsOnTheGpu(String script) throws IOException {
        assertEquals(recorded(script).get("allocations").getAsLong(),
                Plan.of(trace(script), H200, "").allocations());
    }

    @Test
    void aProgramThatIsTooLargeIsToldWithItsLine() throws IOException {
        Plan plan = Plan.of(trace("gpt_checkpoint"), DeviceProfile.of("H200:1500MiB"), "");
        assertFalse(plan.fits());
        assertTrue(plan.failedAt().contains("models.py:"), plan.failedAt());
        assertTrue(plan.failure().startsWith("CUDA out of memory."), plan.failure());
    }

    @Test
    void thePeaksHoldersAddUpToThePeak() throws IOException {
        Plan plan = Plan.of(trace("gpt_checkpoint"), H200, EXPANDABLE);
        assertEquals(plan.allocated(), plan.holders().stream().mapToLong(Share::bytes).sum());
        assertTrue(plan.holders().stream().anyMatch(s -> s.holder().equals("parameters")), plan.holders().toString());
    }

    @Test
    void aFileThatIsNoRecordingIsRefused() {
        assertThrows(IOException.class, () -> ProgramTrace.read(new ByteArrayInputStream(new byte[]{1, 2, 3})));
    }
}
