package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code install/bring-jdk} unpacks stays in its folder, whatever an archive says whose checksum somebody believed. */
class BringJdkTest {

    /** Makes a .tar.gz of entries: a name, and a text or, after {@code ->}, where a link leads. */
    private static final String PACK = """
            import io, sys, tarfile
            with tarfile.open(sys.argv[1], "w:gz") as archive:
                for name, text in zip(sys.argv[2::2], sys.argv[3::2]):
                    entry = tarfile.TarInfo(name)
                    if text.startswith("->"):
                        entry.type, entry.linkname = tarfile.SYMTYPE, text[2:]
                        archive.addfile(entry)
                    else:
                        entry.mode, entry.size = 0o755, len(text)
                        archive.addfile(entry, io.BytesIO(text.encode()))
            """;

    @TempDir
    private Path folder;

    private Path precious;

    @BeforeEach
    void somethingPrecious() throws IOException {
        precious = Files.createDirectories(folder.resolve("home/precious"));
        Files.writeString(precious.resolve("work.txt"), "a year of it");
    }

    private Commands.Ran bring(String... entries) throws Exception {
        Path archive = folder.resolve("jdk.tar.gz");
        Commands.run(Map.of(), Stream.concat(Stream.of("python3", "-c", PACK, archive.toString()), Stream.of(entries))
                .toList()).ok();
        byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive));
        Map<String, String> environment = new HashMap<>();
        for (String variable : List.of("VRAMLAB_JAVA_HOME", "JAVA25_HOME", "JAVA_HOME")) {
            environment.put(variable, "");
        }
        environment.putAll(Map.of("HOME", folder.resolve("home").toString(), "XDG_CACHE_HOME",
                folder.resolve("home/.cache").toString(), "VRAMLAB_JDK_ARCHIVE", archive.toString(),
                "VRAMLAB_JDK_SHA256", HexFormat.of().formatHex(digest), "VRAMLAB_JDK_FOLDERS",
                folder.resolve("home/.cache/vramlab/jdks").toString(), "PATH", programs().toString()));
        // away from the checkout, which may have a wheel in dist/
        Path scripts = Files.createDirectories(folder.resolve("checkout/install"));
        for (String script : List.of("bring-jdk", "find-jdk")) {
            Files.copy(Checkout.file("install/" + script), scripts.resolve(script), StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        return Commands.run(environment, List.of(scripts.resolve("bring-jdk").toString()));
    }

    /** As where a service or a container starts it. */
    @Test
    void whoHasNoHomeFolderGetsTheJdkThatIsThere() throws Exception {
        Commands.Ran ran = Commands.run(Map.of(), List.of("env", "-u", "HOME", "-u", "XDG_CACHE_HOME",
                Checkout.file("install/bring-jdk").toString())).ok();
        assertTrue(Files.isExecutable(Path.of(ran.out().strip(), "bin", "javac")), ran::out);
        assertFalse(ran.err().contains("unbound"), ran::err);
    }

    /** All that this machine has but Java and what installs packages. */
    private Path programs() throws IOException {
        Path programs = folder.resolve("programs");
        if (!Files.exists(programs)) {
            Files.createDirectory(programs);
            for (String from : List.of("/usr/bin", "/bin")) {
                try (Stream<Path> all = Files.list(Path.of(from))) {
                    for (Path each : all.filter(one -> !one.getFileName().toString().matches("java.*|apt.*"))
                            .toList()) {
                        Path link = programs.resolve(each.getFileName());
                        if (!Files.exists(link, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
                            Files.createSymbolicLink(link, each);
                        }
                    }
                }
            }
        }
        return programs;
    }

    private void nothingHappened(Commands.Ran ran) throws IOException {
        assertNotEquals(0, ran.status(), ran::toString);
        assertEquals("a year of it", Files.readString(precious.resolve("work.txt")), ran::toString);
        try (Stream<Path> there = Files.walk(folder.resolve("home"))) {
            assertTrue(there.noneMatch(each -> each.endsWith("escaped")), ran::toString);
        }
        assertTrue(Files.notExists(folder.resolve("escaped")), ran::toString);
    }

    @Test
    void aJdkIsUnpackedAndFound() throws Exception {
        String java = "#!/bin/sh\necho 'openjdk version \"25\"' >&2\n";
        Commands.Ran ran = bring("j/release", "JAVA_VERSION=\"25.0.9\"\n", "j/bin/javac", java, "j/bin/java", java);
        assertEquals(0, ran.status(), ran::toString);
        assertTrue(ran.out().strip().endsWith("jdks/25.0.9"), ran::toString);
    }

    @Test
    void entriesThatLeadOutOfTheFolderWriteNothingThere() throws Exception {
        nothingHappened(bring("../../../../escaped", "x", "j/release", "JAVA_VERSION=\"25\"\n"));
        nothingHappened(bring(folder.resolve("escaped").toString(), "x"));
        nothingHappened(bring("j/bin/link", "->" + folder, "j/bin/link/escaped", "x"));
        nothingHappened(bring("up", "->../../../../..", "up/escaped", "x"));
    }

    @Test
    void aVersionThatIsAPathDeletesNothing() throws Exception {
        nothingHappened(
                bring("j/release", "JAVA_VERSION=\"../../../precious\"\n", "j/bin/javac", "x", "j/bin/java", "x"));
        nothingHappened(bring("j/release", "JAVA_VERSION=\"..\"\n", "j/bin/javac", "x", "j/bin/java", "x"));
        nothingHappened(bring("j/release", "JAVA_VERSION=\"\"\n", "j/bin/javac", "x", "j/bin/java", "x"));
    }
}
