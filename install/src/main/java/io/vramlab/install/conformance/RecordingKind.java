package io.vramlab.install.conformance;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

import com.google.gson.JsonParseException;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;

/** What a recording holds, told by its content and not by its name. */
public enum RecordingKind {
    /** Allocator operations with the statistics after each. */
    TRACE("allocator operations"),
    /** Tensor programs with the memory after each statement. */
    PROGRAMS("tensor programs"),
    /** Single operations: what each allocates, keeps and peaks at. */
    OPERATIONS("single operations"),
    /** Reductions and their scratch buffers. */
    REDUCTIONS("reductions"),
    /** The articles' examples, mark by mark. */
    ARTICLES("article examples"),
    /** Statistics with the summaries and messages that PyTorch made of them. */
    REPORTS("reports");

    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;

    private final String words;

    RecordingKind(String words) {
        this.words = words;
    }

    /** The kind in words. */
    public String words() {
        return words;
    }

    /**
     * Finds out what a file holds; reads no more of it than that takes.
     *
     * @return the kind; empty when it is no recording that this version knows
     * @throws IOException when the file cannot be read
     */
    public static Optional<RecordingKind> of(Path file) throws IOException {
        try (InputStream bytes = open(file);
                JsonReader json = new JsonReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
            return of(json);
        } catch (MalformedJsonException | JsonParseException | IllegalStateException | java.io.EOFException
                | java.util.zip.ZipException noJson) {
            return Optional.empty();
        }
    }

    private static Optional<RecordingKind> of(JsonReader json) throws IOException {
        if (json.peek() != JsonToken.BEGIN_OBJECT) {
            return Optional.empty();
        }
        json.beginObject();
        while (json.hasNext()) {
            String key = json.nextName();
            Optional<RecordingKind> kind = byKey(key);
            if (kind.isEmpty() && !key.equals("meta") && json.peek() == JsonToken.BEGIN_OBJECT) {
                kind = byFirstEntry(json);
                if (kind.isEmpty()) {
                    return kind;
                }
            }
            if (kind.isPresent()) {
                return kind;
            }
            json.skipValue();
        }
        return Optional.empty();
    }

    private static Optional<RecordingKind> byKey(String key) {
        return Optional.ofNullable(switch (key) {
            case "ops", "stats" -> TRACE;
            case "programs" -> PROGRAMS;
            case "rows" -> REDUCTIONS;
            default -> null;
        });
    }

    /** The kinds whose keys are names: told apart by the fields of the first entry that has any of ours. */
    private static Optional<RecordingKind> byFirstEntry(JsonReader json) throws IOException {
        json.beginObject();
        RecordingKind kind = null;
        while (kind == null && json.hasNext()) {
            kind = switch (json.nextName()) {
                case "marks" -> ARTICLES;
                case "fwd_alloc", "out_shape" -> OPERATIONS;
                case "stats", "summary" -> REPORTS;
                default -> null;
            };
            json.skipValue();
        }
        return Optional.ofNullable(kind);
    }

    private static InputStream open(Path file) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        bytes.mark(2);
        boolean compressed = bytes.read() == MAGIC_1 && bytes.read() == MAGIC_2;
        bytes.reset();
        return compressed ? new GZIPInputStream(bytes) : bytes;
    }
}
