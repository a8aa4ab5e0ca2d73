package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of installed kernels and of JDKs. */
class KernelCheckTest {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path folder;

    private Installation distribution;
    private KernelSpec spec;

    @BeforeEach
    void aKernel() throws IOException {
        distribution = new Installation(Files.createDirectories(folder.resolve("vramlab/abc")));
        Files.createFile(distribution.jar());
        spec = new KernelSpec(folder.resolve("kernels/vramlab"));
    }

    private DoctorFinding finding(Path java, Optional<Path> cache) throws IOException {
        spec.write(java, distribution, cache, List.of(), Audience.OWNER);
        return KernelCheck.finding(spec, spec.command());
    }

    private Optional<Path> cacheOf(String build) throws IOException {
        return Optional.of(Files.write(distribution.folder().resolve(AotCache.name(build)), new byte[1]));
    }

    @Test
    void oneThatStartsAsItWasInstalledIsFound() throws IOException {
        assertEquals(DoctorFinding.State.FOUND, finding(JAVA, Optional.empty()).state());
        DoctorFinding cached = finding(JAVA, cacheOf(Runtime.version().toString()));
        assertEquals(DoctorFinding.State.FOUND, cached.state(), cached::text);
        assertTrue(cached.detail().endsWith(", JDK " + Runtime.version()), cached::text);
    }

    @Test
    void theOneOfThePythonPackageLooksForItsJdkItself() {
        DoctorFinding wheel = KernelCheck.finding(spec, List.of("python", "-m", "vramlab_kernel", "{connection_file}"));
        assertEquals(DoctorFinding.State.FOUND, wheel.state(), wheel::text);
        assertTrue(wheel.detail().contains("Python package"), wheel::text);
    }

    @Test
    void aStartUpCacheOfAnotherBuildOfTheJdkIsTold() throws IOException {
        DoctorFinding stale = finding(JAVA, cacheOf("25+36-LTS"));
        assertEquals(DoctorFinding.State.ABSENT, stale.state());
        assertTrue(stale.detail().contains("starts slowly") && stale.detail().contains(Runtime.version().toString()),
                stale::text);
        assertTrue(stale.remedy().contains("install again"), stale::text);
        Files.delete(cacheOf("25+36-LTS").get());
        assertTrue(KernelCheck.finding(spec, spec.command()).detail().contains("cache is gone"));
    }

    @Test
    void aJdkOrJarsThatAreGoneAreTold() throws IOException {
        DoctorFinding noJava = finding(folder.resolve("removed/bin/java"), Optional.empty());
        assertEquals(DoctorFinding.State.MISSING, noJava.state());
        assertTrue(noJava.detail().contains("its JDK is gone from"), noJava::text);
        Files.delete(distribution.jar());
        assertTrue(finding(JAVA, Optional.empty()).detail().contains("its jars are gone"));
    }

    @Test
    void someoneElsesKernelHasNoCommandForUs() throws IOException {
        Files.createDirectories(spec.folder());
        for (String text : List.of("null", "{\"argv\": [\"python\"]}", "{\"argv\": [\"a\"], \"metadata\": {}}")) {
            Files.writeString(spec.folder().resolve("kernel.json"), text);
            assertEquals(List.of(), spec.command(), text);
        }
    }

    @Test
    void jdksFrom25OnAreFoundAndThoseNotTriedAreToldSo() {
        List<DoctorFinding.State> states = new ArrayList<>();
        for (int release : new int[]{24, 25, 26, 27, 28}) {
            states.add(JavaCheck.jdk(release, true, "JDK").state());
        }
        assertEquals(List.of(DoctorFinding.State.MISSING, DoctorFinding.State.FOUND, DoctorFinding.State.FOUND,
                DoctorFinding.State.FOUND,
                DoctorFinding.State.FOUND), states);
        assertEquals("JDK", JavaCheck.jdk(27, true, "JDK").detail());
        assertEquals("JDK, newer than those that VramLab was tried on (25 to 27)",
                JavaCheck.jdk(28, true, "JDK").detail());
        assertEquals(DoctorFinding.State.MISSING, JavaCheck.jdk(25, false, "a JRE").state());
    }

    @Test
    void whatToTypeIsAsTheCommandWasStarted() {
        try {
            assertEquals("Run vramlab install again.", StartedAs.install());
            System.setProperty("vramlab.command", "bin/vramlab");
            assertEquals("Run bin/vramlab install.", StartedAs.kernel());
            assertEquals("Install JupyterLab (PyPI: jupyterlab; Debian: jupyter-notebook).", StartedAs.jupyter());
            System.setProperty("vramlab.command", "install/vramlab");
            assertEquals("Run install/vramlab install, or install/lab.", StartedAs.kernel());
            assertTrue(StartedAs.jupyter().startsWith("Run install/lab, which brings one; or install JupyterLab"));
        } finally {
            System.clearProperty("vramlab.command");
        }
    }
}
