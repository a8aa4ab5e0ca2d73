package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

/** The packaged command puts the kernel where a real Jupyter finds it, and takes all of it away again. */
class InstallIT {

    @TempDir
    private Path folder;

    private Path prefix() {
        return folder.resolve("a prefix with spaces");
    }

    private Set<String> kernels() throws IOException, InterruptedException {
        Map<String, String> only = Map.of("JUPYTER_PATH", prefix().resolve("share/jupyter").toString(),
                "JUPYTER_DATA_DIR", folder.resolve("none").toString());
        String json = Commands
                .run(only, List.of(Commands.jupyterPython(), "-m", "jupyter_client.kernelspecapp", "list", "--json"))
                .ok().out();
        return JsonParser.parseString(json).getAsJsonObject().getAsJsonObject("kernelspecs").keySet();
    }

    private Commands.Ran install(String... more) throws IOException, InterruptedException {
        return run("install", more);
    }

    private Commands.Ran run(String command, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command, "--prefix", prefix().toString()));
        arguments.addAll(List.of(more));
        return Commands.vramlab(arguments.toArray(String[]::new));
    }

    @Test
    void jupyterListsTheKernelAfterInstallAndNotAfterUninstall() throws Exception {
        String name = "vramlab-it";
        assertFalse(kernels().contains(name));
        install("--name", name, "--no-aot").ok();
        assertTrue(kernels().contains(name));
        run("uninstall", "--name", name).ok();
        assertFalse(kernels().contains(name));
        assertFalse(Files.exists(prefix().resolve("share/vramlab")), "the distribution is left behind");
    }

    @Test
    void installingTwiceLeavesOneDistribution() throws Exception {
        install("--no-aot").ok();
        install("--no-aot").ok();
        assertEquals(1, Folders.inside(prefix().resolve("share/vramlab")).size());
    }

    @Test
    void theSourcesThatInspectionReadsAreInstalledToo() throws Exception {
        install("--no-aot").ok();
        try (Stream<Path> files = Files.walk(prefix().resolve("share/vramlab"))) {
            List<String> names = files.map(each -> each.getFileName().toString())
                    .filter(each -> each.endsWith("-sources.jar")).map(each -> each.replaceFirst("-\\d.*", ""))
                    .sorted().toList();
            assertEquals(Stream
                    .of("allocator", "device", "device-cpu", "device-cuda", "footprint", "kernel", "lifetime", "plan",
                            "tensor", "train")
                    .map("vramlab-"::concat).toList(), names);
        }
    }

    @Test
    void aDistributionStaysWhileAnotherKernelStartsIt() throws Exception {
        install("--no-aot", "--name", "one").ok();
        install("--no-aot", "--name", "two").ok();
        run("uninstall", "--name", "one").ok();
        assertEquals(1, Folders.inside(prefix().resolve("share/vramlab")).size());
        run("uninstall", "--name", "two").ok();
        assertFalse(Files.exists(prefix().resolve("share/vramlab")));
    }

    /** Under a umask that lets everybody write. */
    private Path installedCarelessly(String... more) throws IOException, InterruptedException {
        Path data = folder.resolve("share/jupyter");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
                System.getProperty("vramlab.jar"), "install"));
        command.addAll(List.of(more));
        Commands.run(Map.of("JUPYTER_DATA_DIR", data.toString()), command).ok();
        return data.resolveSibling("vramlab");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    @Tag("long")
    void theUsersOwnFolderIsPrivateTheStartUpCacheInItToo() throws Exception {
        Path distributions = installedCarelessly("--user");
        assertEquals("rwx------", permissions(distributions));
        try (Stream<Path> files = Files.walk(distributions)) {
            List<Path> all = files.toList();
            assertEquals(1, all.stream().filter(each -> each.toString().endsWith(".aot")).count(), all::toString);
            for (Path each : all) {
                assertTrue(permissions(each).matches("...(r-x|r--|---)(r-x|r--|---)"), each + " " + permissions(each));
            }
        }
    }

    @Test
    void whatIsInstalledForAllCanBeReadByAllAndChangedByNobodyElse() throws Exception {
        installedCarelessly("--no-aot", "--prefix", folder.resolve("all").toString());
        try (Stream<Path> files = Files.walk(folder.resolve("all/share/vramlab"))) {
            for (Path each : files.toList()) {
                assertEquals(Files.isDirectory(each) ? "rwxr-xr-x" : "rw-r--r--", permissions(each), each::toString);
            }
        }
    }

    @Test
    void theStartUpCacheForAllCanBeReadByAll() throws Exception {
        Path jar = Installed.jar();
        List<Path> caches = AotCache.in(jar.getParent());
        assertEquals(1, caches.size(), caches::toString);
        assertEquals("rw-r--r--", permissions(jar.resolveSibling(caches.getFirst())));
    }

    @Test
    void whatIsNotOursStaysWhereItIs() throws Exception {
        install("--no-aot").ok();
        Path history = Files.createFile(prefix().resolve("share/vramlab/history.jsonl"));
        run("uninstall").ok();
        assertTrue(Files.exists(history));
    }

    @Test
    void aPlaceThatCannotBeWrittenIsToldInThreeParts() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Commands.Ran ran = Commands.vramlab("install", "--prefix", file.toString(), "--no-aot");
        assertEquals(Main.FAILED, ran.status());
        assertEquals(3, ran.err().lines().count(), ran::err);
        assertTrue(ran.err().contains("cannot be written"), ran::err);
    }

    @Test
    void theJvmTakesTheOptionsOfTheKernelspecAndSaysNothing() throws Exception {
        install("--no-aot").ok();
        String json = Files.readString(prefix().resolve("share/jupyter/kernels/vramlab/kernel.json"));
        List<String> argv = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("argv").asList().stream()
                .map(JsonElement::getAsString).toList();
        List<String> options = new ArrayList<>(argv.subList(0, argv.indexOf("-jar")));
        // told of an option that it does not know, this JVM shall say so
        options.remove("-XX:+IgnoreUnrecognizedVMOptions");
        Commands.Ran silent = run(options, "--version");
        assertEquals(List.of(), silent.out().lines().skip(3).toList());
        assertTrue(silent.out().startsWith("openjdk "), silent::out);
        assertEquals("", silent.err());
        String told = run(options, "-XX:+DisplayVMOutput", "--version").out();
        assertTrue(told.startsWith("1 compiler directives added"), told);
    }

    private static Commands.Ran run(List<String> options, String... more) throws IOException, InterruptedException {
        return Commands.run(Map.of(), Stream.concat(options.stream(), Stream.of(more)).toList()).ok();
    }
}
