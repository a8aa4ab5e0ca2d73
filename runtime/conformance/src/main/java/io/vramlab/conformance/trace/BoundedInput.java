package io.vramlab.conformance.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Reads whole files, unpacking gzip, up to a bound: a small file may unpack to anything. */
final class BoundedInput {

    private BoundedInput() {
    }

    /**
     * The file's content, unpacked if it is gzip.
     *
     * @throws IOException
     *             if it cannot be read, or is longer than {@code most} bytes; the message is one line
     */
    static byte[] read(final Path file, final long most) throws IOException {
        try (InputStream raw = Files.newInputStream(file)) {
            final byte[] start = raw.readNBytes(2);
            final InputStream whole = new SequenceInputStream(new ByteArrayInputStream(start), raw);
            final boolean gzip = start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
            try (InputStream content = gzip ? new GZIPInputStream(whole, 1 << 16) : whole) {
                return bounded(content, file, most);
            }
        } catch (final java.util.zip.ZipException | java.io.EOFException e) {
            throw new IOException(file.getFileName() + " is a damaged gzip file: " + e.getMessage() + ".", e);
        }
    }

    private static byte[] bounded(final InputStream content, final Path file, final long most) throws IOException {
        final byte[] bytes = content.readNBytes((int) Math.min(Integer.MAX_VALUE - 16, most + 1));
        if (bytes.length > most) {
            throw new IOException(file.getFileName() + " holds more than " + (most >> 20)
                    + " MiB once unpacked, which no recording that VramLab reads does. It was not read further.");
        }
        return bytes;
    }
}
