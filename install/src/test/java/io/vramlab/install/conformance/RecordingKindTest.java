package io.vramlab.install.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingKindTest {

    @TempDir
    private Path folder;

    private Optional<RecordingKind> kind(String text) throws IOException {
        return RecordingKind.of(Files.writeString(folder.resolve("any-name"), text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "TRACE      | {\"meta\": {\"conf\": \"\"}, \"ops\": [[\"e\"]], \"stats\": [[0]]}",
            "TRACE      | {\"stats\": [], \"ops\": [], \"meta\": {}}", "PROGRAMS   | {\"meta\": {}, \"programs\": []}",
            "REDUCTIONS | {\"meta\": {}, \"rows\": []}",
            "OPERATIONS | {\"add,nograd\": {\"out_shape\": [1], \"base\": 0}}",
            "ARTICLES   | {\"some_example\": {\"marks\": [], \"trace\": []}, \"_meta\": {}}",
            "REPORTS    | {\"empty\": {\"stats\": {}}}"})
    void theKindIsToldByTheContent(RecordingKind expected, String text) throws IOException {
        assertEquals(Optional.of(expected), kind(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[]", "{}", "{\"a\": 1}", "{\"a\": {\"b\": 1}}", "{\"meta\": {}}", "{\"meta\"",
            "null", "\u001f\u008b"})
    void whatIsNoRecordingIsNone(String text) throws IOException {
        assertEquals(Optional.empty(), kind(text));
    }

    @Test
    void compressedFilesAreReadAsWell() throws IOException {
        Path file = folder.resolve("x");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{\"rows\": []}".getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(Optional.of(RecordingKind.REDUCTIONS), RecordingKind.of(file));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertEquals(Optional.empty(), RecordingKind.of(file));
    }
}
