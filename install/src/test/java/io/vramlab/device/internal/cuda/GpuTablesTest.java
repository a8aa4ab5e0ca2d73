package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;

import org.junit.jupiter.api.Test;

/** The tables of GPUs in Java and in Python, which no file can share: the recorder works where no Java is. They are read as text. */
class GpuTablesTest {

    private static final Path INSTALL = Path.of("").toAbsolutePath().endsWith("install")
            ? Path.of("")
            : Path.of("install");
    private static final Pattern DEVICE = Pattern
            .compile("^    \"(\\S+)\": \\(\"([^\"]+)\", \\((\\d+), (\\d+)\\), (\\d+), (\\d+)\\),$", Pattern.MULTILINE);
    private static final Pattern PUBLISHED = Pattern.compile("^    \"([^\"]+)\": \\((\\d+), (\\d+), (\\d+)\\),$",
            Pattern.MULTILINE);

    private static String python(String script) throws IOException {
        return Files.readString(INSTALL.resolve(script));
    }

    /** From a name at the beginning of a line to the brace that ends a line. */
    private static String table(String text, String name) {
        String from = text.substring(text.indexOf("\n" + name + " = {"));
        return from.substring(0, from.indexOf("}\n"));
    }

    /** Each GPU as both tell it: name, capability, multiprocessors, bytes. */
    @Test
    void theRecorderKnowsTheSameGpusWithTheSameFigures() throws IOException {
        Map<String, String> inPython = DEVICE.matcher(table(python("vramlab_recorder/gpus.py"), "DEVICES")).results()
                .collect(Collectors.toMap(m -> m.group(1),
                        m -> m.group(3) + "." + m.group(4) + ", " + m.group(5) + ", " + m.group(6),
                        (a, b) -> "twice", LinkedHashMap::new));
        Map<String, String> inJava = DeviceProfile.all().stream().collect(Collectors.toMap(DeviceProperties::name,
                p -> p.major() + "." + p.minor() + ", " + p.multiProcessorCount() + ", " + p.totalBytes(),
                (a, b) -> "twice", LinkedHashMap::new));
        assertEquals(inJava, inPython);
    }

    @Test
    void theNameThatCudaGivesAGpuFindsItsProfile() throws IOException {
        for (MatchResult m : DEVICE.matcher(python("vramlab_recorder/gpus.py")).results().toList()) {
            assertEquals(m.group(1), DeviceProfile.find(m.group(2)).orElseThrow().name(), m.group(2));
        }
    }

    @Test
    void whatPeopleCallThemBesidesIsTheSame() throws IOException {
        String called = table(python("vramlab_recorder/gpus.py"), "CALLED");
        Map<String, String> names = Pattern.compile("\"(\\S+)\": \"(\\S+)\"").matcher(called).results()
                .collect(Collectors.toMap(m -> m.group(1), m -> m.group(2)));
        assertFalse(names.isEmpty(), called);
        names.forEach((asked, name) -> assertEquals(name, DeviceProfile.find(asked).orElseThrow().name(), asked));
    }

    @Test
    void cachesAndClocksThatCudnnIsToldAreTheSame() throws IOException {
        Map<String, PublishedGpu> inPython = PUBLISHED.matcher(table(python("vramlab_cudnn.py"), "PUBLISHED")).results()
                .collect(Collectors.toMap(m -> DeviceProfile.find(m.group(1)).orElseThrow().name(),
                        m -> new PublishedGpu(Long.parseLong(m.group(2)), Long.parseLong(m.group(3)),
                                Long.parseLong(m.group(4)))));
        Map<String, PublishedGpu> inJava = DeviceProfile.all().stream()
                .collect(Collectors.toMap(DeviceProperties::name, p -> PublishedGpu.of(p.name(), p.major())));
        assertEquals(inJava, inPython);
    }

    @Test
    void theCachesThatInductorClearsAreTheSame() throws IOException {
        Map<String, Double> inPython = Pattern.compile("\\(\"(\\S+)\", ([\\d.]+)\\)")
                .matcher(table(python("vramlab_recorder/gpus.py"), "L2_CACHE")).results()
                .collect(Collectors.toMap(m -> m.group(1), m -> Double.parseDouble(m.group(2))));
        Map<String, Double> inJava = DeviceProfile.all().stream().collect(Collectors.toMap(DeviceProperties::name,
                p -> PublishedGpu.of(p.name(), p.major()).cache() / (double) (1 << 20)));
        assertEquals(inJava, inPython);
    }
}
