package io.vramlab.magics.bug;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bytes as compressed text; the same bytes always give the same text. */
final class CompressedText {

    private static final int MOST_UNPACKED = 64 << 20;

    private CompressedText() {
    }

    static String packed(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(plain);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * Reads {@link #packed}.
     *
     * @param what what it is, for the message
     */
    static byte[] unpacked(String text, String what) throws BrokenHistoryException {
        byte[] plain;
        try (GZIPInputStream zip = new GZIPInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            plain = zip.readNBytes(MOST_UNPACKED + 1);
        } catch (IOException | IllegalArgumentException damaged) {
            throw new BrokenHistoryException(what + " cannot be unpacked: they were cut off or altered");
        }
        if (plain.length > MOST_UNPACKED) {
            throw new BrokenHistoryException(what + " unpack to more than " + (MOST_UNPACKED >> 20) + " MiB");
        }
        return plain;
    }
}
