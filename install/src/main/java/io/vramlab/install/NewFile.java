package io.vramlab.install;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.vramlab.memory.WholeFile;

/** Writes a file that is not there yet, as a whole or not at all: of one that finds no room nothing stays. */
final class NewFile {

    private NewFile() {
    }

    /**
     * Writes a text in UTF-8.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file, which stays as it is
     */
    static void write(Path file, String text) throws IOException {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    static void write(Path file, WholeFile.Content content) throws IOException {
        OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (out) {
            content.to(out);
        } catch (IOException noRoom) {
            Files.deleteIfExists(file);
            throw noRoom;
        }
    }
}
