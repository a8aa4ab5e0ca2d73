package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {

    @TempDir
    private Path folder;

    @Test
    void nothingStaysOfAFileThatFindsNoRoom() {
        Path file = folder.resolve("leak.ipynb");
        IOException full = assertThrows(IOException.class, () -> NewFile.write(file, out -> {
            out.write(1);
            throw new IOException("No space left on device");
        }));
        assertEquals("No space left on device", full.getMessage());
        assertFalse(Files.exists(file));
    }

    @Test
    void aFileThatIsThereStaysAsItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("leak.ipynb"), "mine");
        assertThrows(FileAlreadyExistsException.class, () -> NewFile.write(file, "other"));
        assertEquals("mine", Files.readString(file));
    }
}
