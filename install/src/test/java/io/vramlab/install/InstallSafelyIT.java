package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.Output;

/** Installing harms nothing: not others' files, not a second install, not a kernel that runs; and is never half done. */
class InstallSafelyIT {

    private static final Duration CELL = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private Path prefix() {
        return folder.resolve("prefix");
    }

    private Path kernelspec(String name) {
        return prefix().resolve("share/jupyter/kernels").resolve(name);
    }

    private Path distributions() {
        return prefix().resolve("share/vramlab");
    }

    private Commands.Ran run(String command, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command, "--prefix", prefix().toString()));
        arguments.addAll(List.of(more));
        return Commands.vramlab(arguments.toArray(String[]::new));
    }

    private static Commands.Ran inShell(String script, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script + "; exec \"$@\"", "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
                System.getProperty("vramlab.jar")));
        command.addAll(List.of(arguments));
        return Commands.run(environment, command);
    }

    private static List<Path> all(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.toList();
        }
    }

    private static Path file(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "someone else's");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "", "a/b", "../../vramlab"})
    void namesThatLeadElsewhereAreRefusedAndNothingIsTouched(String name) throws Exception {
        run("install", "--no-aot").ok();
        Path other = file(kernelspec("python3").resolve("kernel.json"));
        Path data = file(prefix().resolve("share/jupyter/notes.txt"));
        List<Path> before = all(prefix());
        for (String command : List.of("install", "uninstall")) {
            Commands.Ran ran = run(command, "--name", name);
            assertEquals(Main.FAILED, ran.status(), ran::err);
            assertEquals(3, ran.err().lines().count(), ran::err);
        }
        assertEquals(before, all(prefix()));
        assertTrue(Files.exists(other) && Files.exists(data));
    }

    @Test
    void uninstallTakesWhatInstallPutThereAndNothingElse() throws Exception {
        run("install", "--no-aot").ok();
        Path hash = Folders.inside(distributions()).getFirst();
        List<Path> others = List.of(file(kernelspec("vramlab").resolve("my notes.txt")), file(hash.resolve("mine.txt")),
                file(hash.resolve("lib/mine.jar")));
        Commands.Ran ran = run("uninstall").ok();
        List<Path> left = Stream.of(kernelspec("vramlab"), hash).flatMap(each -> {
            try {
                return all(each).stream();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }).filter(Files::isRegularFile).toList();
        assertEquals(others.stream().sorted().toList(), left.stream().sorted().toList());
        assertTrue(ran.out().contains("left where it is"), ran::out);
    }

    @Test
    void anotherKernelOfThatNameIsNotOverwritten() throws Exception {
        Path other = file(kernelspec("python3").resolve("kernel.json"));
        Commands.Ran ran = run("install", "--no-aot", "--name", "python3");
        assertEquals(Main.FAILED, ran.status());
        assertEquals(3, ran.err().lines().count(), ran::err);
        assertEquals("someone else's", Files.readString(other));
        assertEquals(1, all(kernelspec("python3")).stream().filter(Files::isRegularFile).count());
    }

    @Test
    void installsAtTheSameTimeAllSucceedAndLeaveOneDistribution() throws Exception {
        for (int round = 0; round < 2; round++) {
            List<Callable<Commands.Ran>> installs = Stream.of("one", "one", "two", "three")
                    .map(name -> (Callable<Commands.Ran>) () -> run("install", "--no-aot", "--name", name)).toList();
            try (ExecutorService threads = Executors.newFixedThreadPool(installs.size())) {
                for (Future<Commands.Ran> ran : threads.invokeAll(installs)) {
                    ran.get().ok();
                }
            }
            for (String name : List.of("one", "two", "three")) {
                Path distribution = new KernelSpec(kernelspec(name)).distribution().orElseThrow();
                assertTrue(Files.isRegularFile(new Installation(distribution).jar()), name);
                assertEquals(4, all(kernelspec(name)).stream().filter(Files::isRegularFile).count());
            }
            try (Stream<Path> there = Files.list(distributions())) {
                assertEquals(1, there.count());
            }
        }
        List<Callable<Commands.Ran>> uninstalls = Stream.of("one", "two", "three")
                .map(name -> (Callable<Commands.Ran>) () -> run("uninstall", "--name", name)).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(uninstalls.size())) {
            for (Future<Commands.Ran> ran : threads.invokeAll(uninstalls)) {
                ran.get().ok();
            }
        }
        assertFalse(Files.exists(distributions()));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000", "022", "077"})
    void whatIsSharedCanBeReadByAllAndChangedByItsOwnerUnderEveryUmask(String umask) throws Exception {
        inShell("umask " + umask, Map.of(), "install", "--no-aot", "--prefix", prefix().toString()).ok();
        for (Path each : all(prefix())) {
            assertEquals(Files.isDirectory(each) ? "rwxr-xr-x" : "rw-r--r--", permissions(each), each::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"000", "022", "077"})
    void whatIsTheUsersOwnCanBeChangedByNobodyElseUnderEveryUmask(String umask) throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        inShell("umask " + umask + "; unset JUPYTER_DATA_DIR XDG_DATA_HOME", Map.of("HOME", home.toString()), "install",
                "--user", "--no-aot").ok();
        List<Path> made = all(home).stream().filter(each -> !each.equals(home)).toList();
        assertTrue(made.stream().anyMatch(each -> each.endsWith("kernels/vramlab/kernel.json")), made::toString);
        for (Path each : made) {
            assertTrue(permissions(each).matches("rw[x-].-..-."), each + " " + permissions(each));
            assertTrue(!umask.equals("077") || each.startsWith(home.resolve(".local/share/vramlab"))
                    || permissions(each).endsWith("------"), each + " " + permissions(each));
        }
        assertEquals("rwx------", permissions(home.resolve(".local/share/vramlab")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "somewhere"})
    void aHomeThatIsNoFullPathIsToldAndNothingIsWritten(String home) throws Exception {
        Commands.Ran ran = inShell("unset JUPYTER_DATA_DIR XDG_DATA_HOME; cd '" + folder + "'", Map.of("HOME", home),
                "install", "--no-aot");
        assertEquals(Main.FAILED, ran.status(), ran::out);
        assertEquals(3, ran.err().lines().count(), ran::err);
        assertTrue(ran.err().contains("HOME is "), ran::err);
        assertEquals(List.of(folder), all(folder));
    }

    @Test
    void onAFullDiskTheFileThatCouldNotBeWrittenIsNamedAndNothingIsLeft() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        String mount = "mount -t tmpfs -o size=4m none '" + small + "'";
        assumeTrue(Commands.run(Map.of(), List.of("unshare", "--mount", "sh", "-c", mount)).status() == 0,
                "a small file system cannot be mounted here");
        List<String> command = List.of("unshare", "--mount", "sh", "-c",
                mount + " && { \"$@\"; status=$?; find '" + small + "' -type f; exit $status; }", "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
                System.getProperty("vramlab.jar"), "install", "--no-aot", "--prefix", small.resolve("p").toString());
        Commands.Ran ran = Commands.run(Map.of(), command);
        assertEquals(Main.FAILED, ran.status(), ran::err);
        assertEquals(3, ran.err().lines().count(), ran::err);
        String line = ran.err().lines().skip(1).findFirst().orElseThrow();
        assertTrue(line.startsWith(small.toString()) && line.endsWith("cannot be written (No space left on device)."),
                line);
        assertEquals("", ran.out());
    }

    private KernelProcess start(String name) throws IOException {
        String json = Files.readString(kernelspec(name).resolve("kernel.json"));
        List<String> argv = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("argv").asList().stream()
                .map(JsonElement::getAsString).toList();
        return KernelProcess.start(argv, Checkout.root());
    }

    private static String answer(KernelProcess kernel, String source) {
        return kernel.execute(source, CELL).stream().map(Output::text).collect(Collectors.joining("\n"));
    }

    @Test
    void aKernelThatRunsGoesOnAnsweringAfterUninstallAndItsJarsGoLater() throws Exception {
        run("install", "--no-aot").ok();
        Path distribution = Folders.inside(distributions()).getFirst();
        KernelProcess kernel = start("vramlab");
        try {
            assertEquals("2", answer(kernel, "1 + 1"));
            Commands.Ran ran = run("uninstall").ok();
            assertTrue(ran.out().contains("left for now: " + distribution), ran::out);
            assertFalse(Files.exists(kernelspec("vramlab")));
            // the compiler reads the runtime's jar, the table Tablesaw's, the magics theirs
            assertEquals("12.0", answer(kernel, "var a = Tensor.ones(3, 4);\na.sum().item()"));
            assertTrue(answer(kernel, "%track").contains("float32[3, 4]"));
            assertTrue(answer(kernel, "%memory_map").length() > 0);
            assertEquals(Main.FAILED, run("uninstall").status());
            assertTrue(Files.exists(distribution));
        } finally {
            kernel.close();
        }
        run("uninstall");
        assertFalse(Files.exists(distributions()), "jars that no kernel runs from are left");
    }

    /** Another build: this one with a file more. */
    private Path newer() throws IOException {
        Path from = Path.of(System.getProperty("vramlab.jar")).getParent();
        Path to = folder.resolve("newer");
        for (Path each : all(from)) {
            Path copy = to.resolve(from.relativize(each).toString());
            if (Files.isDirectory(each)) {
                Files.createDirectories(copy);
            } else {
                Files.copy(each, copy);
            }
        }
        try (FileSystem inside = FileSystems.newFileSystem(to.resolve("vramlab.jar"))) {
            Files.writeString(inside.getPath("newer.txt"), "newer");
        }
        return to.resolve("vramlab.jar");
    }

    @Test
    void aKernelThatRunsGoesOnAnsweringAfterAnUpgradeAndTheNextOneIsTheNewOne() throws Exception {
        run("install", "--no-aot").ok();
        Path before = Folders.inside(distributions()).getFirst();
        Path newer = newer();
        KernelProcess kernel = start("vramlab");
        try {
            assertEquals("2", answer(kernel, "1 + 1"));
            Commands.vramlab(newer, Map.of(), "install", "--no-aot", "--prefix", prefix().toString()).ok();
            Path after = new KernelSpec(kernelspec("vramlab")).distribution().orElseThrow();
            assertNotEquals(before, after);
            // nothing of these was loaded before
            assertEquals("12.0", answer(kernel, "var a = Tensor.ones(3, 4);\na.sum().item()"));
            assertTrue(answer(kernel, "%track").contains("float32[3, 4]"));
            assertTrue(answer(kernel, "%memory_map").length() > 0);
            KernelProcess next = start("vramlab");
            try {
                assertEquals("true", answer(next, "ClassLoader.getSystemResource(\"newer.txt\") != null"));
            } finally {
                next.close();
            }
        } finally {
            kernel.close();
        }
        Commands.vramlab(newer, Map.of(), "install", "--no-aot", "--prefix", prefix().toString()).ok();
        assertFalse(Files.exists(before), "jars that no kernel runs from are left");
    }
}
