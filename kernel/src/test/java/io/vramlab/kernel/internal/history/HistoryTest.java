package io.vramlab.kernel.internal.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("vramlab/history.jsonl");
    }

    private void session(String... inputs) {
        try (History history = new History(file())) {
            for (int i = 0; i < inputs.length; i++) {
                history.add(i + 1, inputs[i], null);
            }
        }
    }

    private static List<String> inputs(List<Entry> entries) {
        return entries.stream().map(Entry::input).toList();
    }

    @Test
    void earlierSessionsAreThere() {
        session("a", "b");
        session("c");
        try (History history = opened()) {
            history.add(1, "d", null);
            assertEquals(List.of("b", "c", "d"), inputs(history.tail(3)));
            assertEquals(List.of("a", "b"), inputs(history.range(-2, 0, 0)));
            assertEquals(List.of("a", "b"), inputs(history.range(1, 0, 0)));
            assertEquals(List.of("d"), inputs(history.range(0, 0, 0)));
            assertEquals(List.of("c"), inputs(history.search("c*", 5, false)));
        }
    }

    @Test
    void aLongOutputIsKeptByItsBeginning() {
        try (History history = opened()) {
            history.add(1, "a", "x".repeat(200));
            history.add(2, "b", "y".repeat(5000));
            assertEquals(List.of("x".repeat(200), "y".repeat(200) + "… (5000 characters)"),
                    history.tail(2).stream().map(Entry::output).toList());
        }
    }

    @Test
    void whatAnotherKernelRunsMeanwhileIsNotEarlier() {
        session("a");
        try (History history = opened()) {
            session("other");
            assertEquals(List.of("a"), inputs(history.tail(10)));
        }
    }

    @Test
    void theNumberOfTheSessionGoesOnBehindAnEntryLongerThanOneReading() {
        session("first");
        // more than the 4 KiB and the 64 KiB that are read of the end at first
        session("x".repeat(100_000));
        try (History history = opened()) {
            history.add(1, "y", null);
            assertEquals(3, history.range(0, 0, 0).getFirst().session());
        }
    }

    @Test
    void aDamagedLineAtTheEndIsPassedOver() throws IOException {
        session("a");
        Files.writeString(file(), "{\"session\":7,\"inp", StandardOpenOption.APPEND);
        try (History history = opened()) {
            history.add(1, "b", null);
            assertEquals(2, history.range(0, 0, 0).getFirst().session());
            assertEquals(List.of("a", "b"), inputs(history.tail(9)));
        }
    }

    @Test
    void nobodyElseMayReadWhatWasTyped() throws IOException {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "no such permissions here");
        session("secret");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())));
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
        session("another");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    }

    /** A history that has read its file: that happens on a thread of its own, unless it is asked. */
    private History opened() {
        History history = new History(file());
        history.tail(1);
        return history;
    }
}
