package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFileIsReplacedAsAWholeAndKeepsItsPermissions() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        WholeFile.write(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(List.of("a"), names());
    }

    @Test
    void whatFailsHalfWayLeavesWhatWasThere() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "old");
        assertThrows(IOException.class, () -> WholeFile.write(file, out -> {
            out.write(1);
            throw new IOException("disk full");
        }));
        assertEquals("old", Files.readString(file));
        assertEquals(List.of("a"), names());
    }

    @Test
    void aSymbolicLinkIsRefusedAlsoWhenItLeadsNowhere() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        for (Path to : List.of(precious, folder.resolve("nowhere"))) {
            Path link = Files.createSymbolicLink(folder.resolve("link"), to);
            FileSystemException refused = assertThrows(FileSystemException.class, () -> WholeFile.write(link, "x"));
            assertTrue(refused.getMessage().contains("symbolic link to " + to), refused::getMessage);
            Files.delete(link);
        }
        assertEquals("precious", Files.readString(precious));
        assertFalse(Files.exists(folder.resolve("nowhere")));
    }

    @Test
    void aSnapshotIsWrittenThroughNoLink() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Path link = Files.createSymbolicLink(folder.resolve("link.pickle"), precious);
        assertThrows(FileSystemException.class, () -> Cuda.snapshot().write(link));
        assertEquals("precious", Files.readString(precious));
    }
}
