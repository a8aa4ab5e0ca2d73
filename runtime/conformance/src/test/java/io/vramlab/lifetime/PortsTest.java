package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs ported line by line, which close nothing, give the allocator's figures that life_ports.py recorded on an H200.
 * The figures are, in order: allocated, requested, reserved, the peaks of these, and how many allocations and segments.
 */
class PortsTest {

    private static final int REQUESTED = 1;
    private static final int REQUESTED_PEAK = 4;
    private static final int ALLOCATIONS = 6;
    private static final int FIGURES = 8;

    private final Device before = Device.current();
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void count() {
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Cuda.setAllocatorSettings("expandable_segments:False");
        Device.set(before);
    }

    @Test
    void aVaeAndAccumulatedGradientsAreEqualInEveryFigureWhereAddressesDoNotMatter() throws Exception {
        Map<String, String> differences = differences("expandable_no_workspaces", Set.of("vae", "accumulation"));
        assertEquals(Map.of(), differences);
    }

    @Test
    @Tag("long")
    void soAreAllOthers() throws Exception {
        assertEquals(Map.of(), differences("expandable_no_workspaces", Set.of()));
    }

    @Test
    @Tag("long")
    void underDefaultSettingsWhatIsRequestedAndHowOftenIsEqual() throws Exception {
        Map<String, String> differences = new TreeMap<>();
        differences("default", Set.of(), List.of(REQUESTED, REQUESTED_PEAK, ALLOCATIONS), differences);
        // cublasLt's workspace for a product of one row, which we take later
        differences.keySet().removeAll(Set.of("reinforcement"));
        assertEquals(Map.of(), differences);
    }

    @Test
    @Tag("long")
    void whatAResNetHoldsIsEqualAtEveryMark() throws Exception {
        Map<String, String> differences = new TreeMap<>();
        differences("default", Set.of("resnet"), List.of(0, REQUESTED), differences);
        assertEquals(Map.of(), differences);
    }

    private static Map<String, String> differences(String setting, Set<String> only) throws Exception {
        Map<String, String> differences = new TreeMap<>();
        differences(setting, only, List.of(0, 1, 2, 3, 4, 5, 6, 7), differences);
        return differences;
    }

    /** The first difference of each port. */
    private static void differences(String setting, Set<String> only, List<Integer> figures,
            Map<String, String> differences) throws Exception {
        Map<String, byte[]> classes = classes();
        JsonObject ports = recording(setting).getAsJsonObject("ports");
        for (String port : ports.keySet()) {
            if (only.isEmpty() || only.contains(port)) {
                List<PortMarks.Mark> marks = marks(setting, port, classes);
                JsonArray recorded = ports.getAsJsonObject(port).getAsJsonArray("marks");
                // the first and the last are of before and after it
                assertEquals(recorded.size() - 2, marks.size(), port);
                for (int i = marks.size() - 1; i >= 0; i--) {
                    List<Long> theirs = new ArrayList<>();
                    List<Long> ours = new ArrayList<>();
                    for (int each : figures) {
                        theirs.add(recorded.get(i + 1).getAsJsonArray().get(each + 1).getAsLong());
                        ours.add(marks.get(i).figures().get(each));
                    }
                    assertEquals(FIGURES, marks.get(i).figures().size());
                    if (!theirs.equals(ours)) {
                        differences.put(port, "mark %d, %s: %s recorded, %s here".formatted(i, marks.get(i).name(),
                                theirs, ours));
                    }
                }
            }
        }
    }

    private static List<PortMarks.Mark> marks(String setting, String port, Map<String, byte[]> classes)
            throws Exception {
        // whether a loss has fallen decides what evaluation keeps, so it needs values
        boolean values = port.equals("evaluation");
        try (Device device = values ? Device.simulated("H200") : Device.shapesOnly("H200")) {
            Device.set(device);
            Cuda.setAllocatorSettings("expandable_segments:" + (setting.startsWith("expandable") ? "True" : "False"));
            Workspaces.mode(setting.endsWith("no_workspaces") ? Workspaces.Mode.NONE : Workspaces.Mode.PYTORCH);
            Class<?> type = new Woven.Classes(classes).loadClass("woven.Ports");
            return PortMarks.of(device, values, () -> type.getMethod(port).invoke(null));
        }
    }

    private static Map<String, byte[]> classes() throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        try (InputStream in = PortsTest.class.getResourceAsStream("/ports/Ports.java.txt")) {
            Woven.compiled(Map.of("woven/Ports", new String(in.readAllBytes(), StandardCharsets.UTF_8)))
                    .forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        }
        return classes;
    }

    private static JsonObject recording(String setting) throws Exception {
        try (InputStream in = new GZIPInputStream(
                PortsTest.class.getResourceAsStream("/oracle/ports/life_" + setting + ".json.gz"))) {
            return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8)).getAsJsonObject();
        }
    }
}
