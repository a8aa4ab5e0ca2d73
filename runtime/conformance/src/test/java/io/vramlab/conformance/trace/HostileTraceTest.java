package io.vramlab.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that are damaged are refused with one line; those that differ are found to differ. */
class HostileTraceTest {

    private static byte[] packed;
    private static String text;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = HostileTraceTest.class.getResourceAsStream("/oracle/traces/default_edge_s11.json.gz")) {
            packed = in.readAllBytes();
        }
        try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(packed))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path file(final byte[] content) throws IOException {
        return Files.write(folder.resolve("trace.json.gz"), content);
    }

    private void refused(final byte[] content) throws IOException {
        final Path file = file(content);
        final IOException refusal = assertThrows(IOException.class, () -> TraceConformance.check(file));
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
        assertTrue(refusal.getMessage().startsWith("trace.json.gz "), refusal.getMessage());
    }

    private Conformance check(final String changed) throws IOException {
        return TraceConformance.check(file(changed.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void truncatedFilesAreRefused() throws IOException {
        for (int length = 0; length < packed.length; length += packed.length / 20) {
            refused(Arrays.copyOf(packed, length));
        }
        final byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < plain.length; length += plain.length / 20) {
            refused(Arrays.copyOf(plain, length));
        }
    }

    @Test
    void otherJsonAndDeepNestingAreRefused() throws IOException {
        refused("{}".getBytes(StandardCharsets.UTF_8));
        refused("[1,2]".getBytes(StandardCharsets.UTF_8));
        refused(("{\"meta\":" + "[".repeat(1_000_000)).getBytes(StandardCharsets.UTF_8));
        refused(text.replace("[\"f\",", "[\"x\",").getBytes(StandardCharsets.UTF_8));
        refused(text.replaceFirst("\\[\"f\",\\d+\\]", "[\"f\",99999999]").getBytes(StandardCharsets.UTF_8));
        refused(text.replaceFirst("\"conf\":\"\"", "\"conf\":\"nonsense:1\"").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aGzipBombIsRefused() throws IOException {
        final ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bomb)) {
            final byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                out.write(zeros);
            }
        }
        refused(bomb.toByteArray());
    }

    @Test
    void aChangedStatisticIsFound() throws IOException {
        // the first statistics are those after the first operation
        final String first = text.substring(text.indexOf("\"stats\":[[") + 10,
                text.indexOf(']', text.indexOf("\"stats\"")));
        final long allocated = Long.parseLong(first.substring(0, first.indexOf(',')));

        final Conformance result = check(text.replaceFirst("\"stats\":\\[\\[\\d+", "\"stats\":[[" + (allocated + 512)));

        assertEquals(1, result.mismatches());
        assertTrue(result.firstMismatch().contains("allocated_bytes is " + allocated + ", PyTorch has "
                + (allocated + 512)), result.firstMismatch());
    }

    @Test
    void aChangedHistoryEntryAndLayoutAreFound() throws IOException {
        final Conformance history = check(text.replaceFirst("\\[\"free_completed\",(\\d+),(\\d+)",
                "[\"free_completed\",$1,1$2"));
        final Conformance layout = check(text.replaceFirst("\"inactive\",", "\"active_pending_free\","));
        final Conformance statistic = check(
                text.replaceFirst("\"segment.all.peak\":(\\d+)", "\"segment.all.peak\":1$1"));

        assertEquals(1, history.mismatches());
        assertEquals(1, layout.mismatches());
        assertEquals(1, statistic.mismatches());
    }
}
