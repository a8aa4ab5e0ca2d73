package io.vramlab.memory;

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
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are no snapshots, or mean harm, are refused with one line. */
class HostileSnapshotTest {

    @TempDir
    private Path folder;

    private static byte[] recorded() throws IOException {
        try (InputStream in = HostileSnapshotTest.class.getResourceAsStream("/oracle/snapshot.pickle")) {
            return in.readAllBytes();
        }
    }

    private String refusal(final byte[] content) throws IOException {
        final Path file = Files.write(folder.resolve("hostile.pickle"), content);
        final SnapshotFormatException refusal = assertThrows(SnapshotFormatException.class,
                () -> MemorySnapshot.read(file));
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
        assertTrue(refusal.getMessage().startsWith("hostile.pickle cannot be read as a memory snapshot: "));
        return refusal.getMessage();
    }

    /** Latin-1 text as opcodes, after the header of protocol 4. */
    private static byte[] pickle(final String opcodes) {
        return ("\u0080\u0004" + opcodes).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aClassIsNotInstantiated() throws IOException {
        assertTrue(refusal(pickle("cos\nsystem\n(X\u0004\0\0\0true" + "tR.")).contains("Python class or function"));
        assertTrue(refusal(pickle("\u008c\u0002os\u008c\u0006system\u0093.")).contains("Python class or function"));
    }

    @Test
    void anObjectOutsideTheFileIsNotFollowed() throws IOException {
        assertTrue(refusal(pickle("X\u0001\0\0\0aQ.")).contains("outside the file"));
    }

    @Test
    void aStringOfTenGibibytesIsNotAllocated() throws IOException {
        // BINUNICODE8 with a length of 10 GiB = 0x2_8000_0000
        assertTrue(refusal(pickle("\u008d\0\0\0\u0080\u0002\0\0\0abc.")).contains("10737418240 bytes"));
        assertTrue(refusal(pickle("X\u00ff\u00ff\u00ff\u007fabc.")).contains("a string"));
    }

    @Test
    void deepNestingIsRefused() throws IOException {
        final String deep = "]".repeat(1_000_000) + "a".repeat(999_999) + ".";

        assertTrue(refusal(pickle("}X\u0008\0\0\0segments" + deep.substring(0, deep.length() - 1) + "s."))
                .contains("nested"));
    }

    @Test
    void aListThatContainsItselfIsRefused() throws IOException {
        assertTrue(refusal(pickle("}X\u0008\0\0\0segments]q\0h\0as.")).contains("contains itself"));
    }

    @Test
    void aMemoBombIsRefused() throws IOException {
        // each list holds the one before ten times: 10^20 values once unfolded
        assertTrue(refusal(pickle(nested(20))).contains("unfold"));
    }

    /** Twenty levels, each a list of ten times the level below, built without leaving anything on the stack. */
    private static String nested(final int levels) {
        final StringBuilder bomb = new StringBuilder("]q\0" + "0");
        for (int level = 1; level <= levels; level++) {
            bomb.append("](").append(("h" + (char) (level - 1)).repeat(10)).append("eq").append((char) level)
                    .append('0');
        }
        return "}X\u0008\0\0\0segments" + bomb + "h" + (char) levels + "s.";
    }

    @Test
    void aGzipBombIsRefusedLongBeforeItIsUnpacked() throws IOException {
        final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(pickle(""));
            final byte[] dictionaries = new byte[1 << 20];
            Arrays.fill(dictionaries, (byte) '}');
            for (int i = 0; i < 100; i++) {
                out.write(dictionaries);
            }
        }
        assertTrue(packed.size() < 1 << 20);
        assertTrue(refusal(packed.toByteArray()).contains("of memory"));
    }

    @Test
    void everyTruncationIsRefused() throws IOException {
        final byte[] whole = recorded();
        for (int length = 0; length < whole.length; length += 1 + whole.length / 200) {
            refusal(Arrays.copyOf(whole, length));
        }
    }

    @Test
    void corruptionIsRefusedOrHarmless() throws IOException {
        final byte[] whole = recorded();
        final SplittableRandom random = new SplittableRandom(42);
        final Path file = folder.resolve("corrupt.pickle");
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            final byte[] corrupt = whole.clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                corrupt[random.nextInt(corrupt.length)] = (byte) random.nextInt();
            }
            Files.write(file, corrupt);
            try {
                MemorySnapshot.read(file);
            } catch (final SnapshotFormatException e) {
                assertFalse(e.getMessage().contains("\n"));
                refused++;
            }
        }
        assertTrue(refused > 20, "refused=" + refused);
    }

    @Test
    void whatIsNoSnapshotIsSaidToBeNone() throws IOException {
        assertTrue(refusal(new byte[0]).contains("it is empty"));
        assertTrue(refusal("hello".getBytes(StandardCharsets.US_ASCII)).contains("not a pickle"));
        assertTrue(refusal(pickle("].")).contains("no dictionary"));
        assertTrue(refusal(pickle("}.")).contains("no list called segments"));
        assertTrue(refusal("{\"segments\": [".getBytes(StandardCharsets.US_ASCII)).length() < 300);
        assertTrue(refusal(new byte[]{0x1f, (byte) 0x8b, 8, 0}).length() < 300);
        assertTrue(refusal(("{\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.US_ASCII)).contains("nested"));
    }

    @Test
    void numbersAndTextsSurvive() throws IOException {
        // -1 as BININT, 2^40 as LONG1, a float, a text beyond ASCII
        final byte[] data = pickle(
                "}(X\u0008\0\0\0segments]X\r\0\0\0device_traces]X\u0001\0\0\0aJ\u00ff\u00ff\u00ff\u00ff"
                        + "X\u0001\0\0\0b\u008a\u0006\0\0\0\0\0\u0001X\u0001\0\0\0cG?\u00f8\0\0\0\0\0\0X\u0001\0\0\0d"
                        + "\u008c\u0002\u00c3\u00a4u.");
        final MemorySnapshot snapshot = MemorySnapshot.read(Files.write(folder.resolve("ok.pickle"), data));

        assertEquals(-1L, snapshot.data().get("a"));
        assertEquals(1L << 40, snapshot.data().get("b"));
        assertEquals(1.5, snapshot.data().get("c"));
        assertEquals("\u00e4", snapshot.data().get("d"));
    }
}
