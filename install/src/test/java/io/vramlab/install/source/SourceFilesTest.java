package io.vramlab.install.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.vramlab.memory.Frame;

class SourceFilesTest {

    @TempDir
    private Path folder;
    private Path given;
    private Path snapshot;

    @BeforeEach
    void makeFolders() throws IOException {
        given = Files.createDirectories(folder.resolve("given"));
        snapshot = Files.createDirectories(folder.resolve("snapshots")).resolve("oom.pickle");
    }

    private String line(String name, Path... places) {
        Frame frame = new Frame(name, 1, "<module>");
        return SourceFiles.find(Set.of(frame), List.of(places), snapshot).line(frame);
    }

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "secret = 1\n");
    }

    @Test
    void aFileIsFoundBelowTheFolderByAsMuchOfItsNameAsStandsThere() throws IOException {
        write(given.resolve("src/train.py"));
        assertEquals("secret = 1", line("/home/me/project/src/train.py", given));
        assertEquals("secret = 1", line("src/train.py", given));
        assertEquals("", line("train.py", given));
    }

    @Test
    void aFileThatIsGivenIsTheOneOfItsName() throws IOException {
        write(given.resolve("train.py"));
        assertEquals("secret = 1", line("/elsewhere/train.py", given.resolve("train.py")));
        assertEquals("", line("/elsewhere/other.py", given.resolve("train.py")));
    }

    @Test
    void withNothingGivenItIsLookedForBesideTheSnapshotByItsNameAlone() throws IOException {
        write(snapshot.resolveSibling("train.py"));
        write(snapshot.resolveSibling("deep/other.py"));
        assertEquals("secret = 1", line("/home/me/train.py"));
        assertEquals("", line("deep/other.py"));
    }

    @Test
    void whatASnapshotNamesElsewhereIsNotRead() throws IOException {
        Path outside = folder.resolve("outside/private.py");
        write(outside);
        assertEquals("", line(outside.toString(), given));
        assertEquals("", line("../outside/private.py", given));
        assertEquals("", line("../outside/private.py"));
        Files.createSymbolicLink(given.resolve("link.py"), outside);
        assertEquals("", line("link.py", given));
        Files.createSymbolicLink(given.resolve("folder"), outside.getParent());
        assertEquals("", line("folder/private.py", given));
    }

    @Test
    void withNothingGivenItIsReadAtItsOwnPlaceWhereOneOwnsBoth() throws IOException {
        Path outside = folder.resolve("outside/train.py");
        write(outside);
        assertEquals("", line(outside.toString())); // without the snapshot's file nobody's
        Files.writeString(snapshot, "");
        assertEquals("secret = 1", line(outside.toString()));
        assertEquals("", line(folder.resolve("outside/absent.py").toString()));
        write(folder.resolve("outside/id_rsa"));
        Files.createSymbolicLink(folder.resolve("outside/key.py"), folder.resolve("outside/id_rsa"));
        assertEquals("", line(folder.resolve("outside/key.py").toString()));
    }

    @Test
    void norIsWhatIsNoFileOfPythonsOrTooLarge() throws IOException {
        write(given.resolve("id_rsa"));
        Files.createSymbolicLink(given.resolve("key.py"), given.resolve("id_rsa"));
        Files.createDirectories(given.resolve("folder.py"));
        Files.writeString(given.resolve("large.py"), "x = 1\n".repeat(200_000));
        assertEquals("", line("id_rsa", given));
        assertEquals("", line("key.py", given));
        assertEquals("", line("folder.py", given));
        assertEquals("", line("large.py", given));
        assertEquals("", line("\0.py", given));
    }

    @Test
    void withoutStacksOnlyAFileThatIsGivenIsRead() throws IOException {
        write(given.resolve("train.py"));
        assertEquals("secret = 1",
                SourceFiles.find(Set.of(), List.of(given.resolve("train.py")), snapshot).line("train.py:1"));
        assertEquals(true, SourceFiles.find(Set.of(), List.of(given), snapshot).isUnknown());
    }
}
