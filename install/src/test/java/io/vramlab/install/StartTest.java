package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How install/start runs a command, with a java that says how it was called and makes what it is asked for. */
class StartTest {

    private static final String JAVA = """
            #!/bin/sh
            for each in "$@"; do
                case "$each" in
                -XX:AOTMode=create) made=1 ;;
                -XX:AOTConfiguration=*) record=${each#*=} ;;
                -XX:AOTCache=*) cache=${each#*=} ;;
                esac
                echo "$each"
            done
            if [ -n "${made:-}" ]; then echo made > "$cache"; exit 0; fi
            if [ -n "${record:-}" ]; then echo seen > "$record"; exit 0; fi
            exit 3
            """;

    @TempDir
    private Path folder;

    private Path jdk;
    private Path jar;
    private Path caches;

    @BeforeEach
    void aJdkAndAJar() throws IOException {
        jdk = folder.resolve("a jdk");
        Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
        assertTrue(Files.writeString(java, JAVA).toFile().setExecutable(true));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        jar = Files.writeString(Files.createDirectories(folder.resolve("some jars")).resolve("vramlab.jar"), "jar")
                .toRealPath();
        Files.createDirectories(jar.resolveSibling("lib"));
        caches = folder.resolve("some caches");
    }

    /** The arguments that the JVM got; its exit status is always passed on. */
    private List<String> startIn(String caches, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Checkout.file("install/start").toString(), jdk.toString(),
                jar.toString(), caches, "vramlab"));
        command.addAll(List.of(arguments));
        Commands.Ran ran = Commands.run(Map.of(), command);
        assertEquals(3, ran.status(), ran::err);
        assertEquals("", ran.err());
        return ran.out().lines().toList();
    }

    private List<String> start(String... arguments) throws IOException, InterruptedException {
        return startIn(caches.toString(), arguments);
    }

    private List<Path> inCaches() throws IOException {
        try (Stream<Path> files = Files.list(caches)) {
            return files.toList();
        }
    }

    /** What is in the folder of caches once nothing is being made there. */
    private Path onlyCache() throws IOException, InterruptedException {
        Instant end = Instant.now().plus(Duration.ofMinutes(2));
        while (Instant.now().isBefore(end)) {
            List<Path> there = inCaches();
            if (there.size() == 1 && there.getFirst().toString().endsWith(".aot")) {
                return there.getFirst();
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no cache was made");
    }

    private static boolean isCached(List<String> arguments) {
        return arguments.stream().anyMatch(each -> each.contains("AOT"));
    }

    @Test
    void theFirstCommandHasACacheMadeThatTheNextOnesStartFrom() throws Exception {
        assertFalse(isCached(start("plan")));
        Path cache = onlyCache();
        assertEquals("made\n", Files.readString(cache));

        List<String> second = start("explain", "a text");

        assertTrue(second.contains("-XX:AOTCache=" + cache), second::toString);
        assertEquals(List.of("-Dvramlab.command=vramlab", "-jar", jar.toString(), "explain", "a text"),
                second.subList(second.size() - 5, second.size()));
    }

    @Test
    void aCacheOfAnotherJdkIsReplaced() throws Exception {
        start("plan");
        Path before = onlyCache();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.4\"\n");

        assertFalse(isCached(start("plan")));

        Instant end = Instant.now().plus(Duration.ofMinutes(2));
        while (Files.exists(before) && Instant.now().isBefore(end)) {
            Thread.sleep(50);
        }
        assertFalse(onlyCache().equals(before));
    }

    /** A run that failed for want of room or memory need not fail on another day. */
    @Test
    void aCacheThatCouldNotBeMadeIsTriedAgainAfterADay() throws Exception {
        Path java = jdk.resolve("bin/java");
        Files.writeString(java, JAVA.replace("echo made > \"$cache\"; exit 0", "exit 1"));
        start("plan");
        Path empty = onlyCache();
        assertEquals(0, Files.size(empty));
        Files.writeString(java, JAVA);

        assertFalse(isCached(start("plan")), "an empty cache is none");
        assertEquals(List.of(empty), inCaches(), "nothing is made on that day");

        Files.setLastModifiedTime(empty, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        assertFalse(isCached(start("plan")));
        Instant end = Instant.now().plus(Duration.ofMinutes(2));
        while (!(inCaches().equals(List.of(empty)) && Files.size(empty) > 0) && Instant.now().isBefore(end)) {
            Thread.sleep(50);
        }
        assertEquals("made\n", Files.readString(empty));
    }

    /** The JVM takes a cache for jars of the same name alone. */
    @Test
    void aRelativeCallAndAnAbsoluteOneHaveOneCache() throws Exception {
        assertFalse(isCached(start("plan")));
        Path cache = onlyCache();
        Path link = Files.createSymbolicLink(folder.resolve("a link"), jar.getParent());

        for (Path other : List.of(Checkout.root().relativize(jar.toAbsolutePath()),
                jar.resolveSibling("lib/../vramlab.jar"), link.resolve("vramlab.jar"))) {
            jar = other;
            List<String> arguments = start("plan");
            assertTrue(arguments.contains("-XX:AOTCache=" + cache), arguments::toString);
        }
    }

    @Test
    void whereNoCacheCanBeTheCommandRunsWithoutOne() throws Exception {
        for (String place : List.of("", jar.resolve("below a file").toString())) {
            List<String> arguments = startIn(place, "report", "x");
            assertTrue(arguments.contains("-XX:TieredStopAtLevel=1"), arguments::toString);
            assertFalse(isCached(arguments), arguments::toString);
        }
    }

    /** In the C locale a JVM cannot name a file with an umlaut. */
    @Test
    void inTheCLocaleFilesHaveNamesInUtf8() throws Exception {
        Path java = jdk.resolve("bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"${LC_ALL:-none} ${LC_CTYPE:-none}\"\n");
        List<String> command = List.of(Checkout.file("install/start").toString(), jdk.toString(), jar.toString(), "",
                "vramlab", "bench");
        assertEquals("none C.UTF-8\n", Commands.run(Map.of("LC_ALL", "C", "LC_CTYPE", ""), command).ok().out());
        assertEquals("none C.UTF-8\n",
                Commands.run(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", ""), command).ok().out());
        assertEquals("de_DE.UTF-8 none\n",
                Commands.run(Map.of("LC_ALL", "de_DE.UTF-8", "LC_CTYPE", ""), command).ok().out());
    }

    @Test
    void whatTakesLongRunsAsTheJvmDoes() throws Exception {
        Path large = folder.resolve("large.pickle");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(100_000_000);
        }
        assertEquals(List.of("-Dvramlab.command=vramlab", "-jar", jar.toString(), "report", large.toString()),
                start("report", large.toString()));
        assertEquals(List.of("-Dvramlab.command=vramlab", "-jar", jar.toString(), "bench"), start("bench"));
    }
}
