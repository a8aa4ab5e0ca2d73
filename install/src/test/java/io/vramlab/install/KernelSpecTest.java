package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

class KernelSpecTest {

    private static final Path JAVA = Path.of("/jdk/bin/java");
    private static final Installation DISTRIBUTION = new Installation(Path.of("/share with space/vramlab/abc"));

    @TempDir
    private Path folder;

    private KernelSpec spec;

    @BeforeEach
    void aKernelspec() {
        spec = new KernelSpec(folder.resolve("kernels/vramlab"));
    }

    private static List<String> argv(Optional<Path> cache) {
        JsonObject json = KernelSpec.json(JAVA, DISTRIBUTION, cache, List.of());
        return json.getAsJsonArray("argv").asList().stream().map(JsonElement::getAsString).toList();
    }

    @Test
    void theProgramAndTheJarAreNamedInFullAndJupyterFillsInTheConnectionFile() {
        List<String> argv = argv(Optional.empty());
        assertEquals("/jdk/bin/java", argv.getFirst());
        assertEquals(List.of("-jar", "/share with space/vramlab/abc/vramlab.jar", "kernel", "{connection_file}"),
                argv.subList(argv.size() - 4, argv.size()));
    }

    @Test
    void aCacheIsNamedOnlyWhenThereIsOne() {
        assertTrue(argv(Optional.of(Path.of("/c.aot"))).contains("-XX:AOTCache=/c.aot"));
        assertFalse(argv(Optional.empty()).stream().anyMatch(word -> word.contains("AOTCache")));
    }

    @Test
    void ceilingsAreOptionsOfTheJvm() {
        List<String> argv = KernelSpec
                .json(JAVA, DISTRIBUTION, Optional.empty(), List.of("-Xmx384m", "-Dvramlab.host.limit=1"))
                .getAsJsonArray("argv").asList().stream().map(JsonElement::getAsString).toList();
        assertEquals(List.of("-Xmx384m", "-Dvramlab.host.limit=1"),
                argv.subList(argv.indexOf("-jar") - 2, argv.indexOf("-jar")));
    }

    @Test
    void interruptsAreMessagesBecauseASignalEndsAJvm() {
        assertEquals("message",
                KernelSpec.json(JAVA, DISTRIBUTION, Optional.empty(), List.of()).get("interrupt_mode").getAsString());
    }

    @Test
    void whatWasWrittenTellsItsDistribution() throws IOException {
        spec.write(JAVA, DISTRIBUTION, Optional.empty(), List.of(), Audience.OWNER);
        assertEquals(Optional.of(DISTRIBUTION.folder()), spec.distribution());
    }

    @Test
    void theLogosHaveTheSizesOfTheirNames() throws IOException {
        spec.write(JAVA, DISTRIBUTION, Optional.empty(), List.of(), Audience.OWNER);
        for (int size : new int[]{32, 64}) {
            var logo = ImageIO.read(spec.folder().resolve("logo-" + size + "x" + size + ".png").toFile());
            assertEquals(size, logo.getWidth());
            assertEquals(size, logo.getHeight());
        }
        assertTrue(Files.readString(spec.folder().resolve("logo-svg.svg")).startsWith("<svg"));
    }

    @Test
    void someoneElsesKernelOrABrokenFileIsNotOurs() throws IOException {
        Files.createDirectories(spec.folder());
        assertEquals(Optional.empty(), spec.distribution());
        for (String text : List.of("", "null", "[]", "{\"argv\": []}", "{\"metadata\": {\"vramlab\": 1}}",
                "{ not json")) {
            Files.writeString(spec.folder().resolve("kernel.json"), text);
            assertEquals(Optional.empty(), spec.distribution(), text);
        }
    }
}
