package io.vramlab.memory.pickle;

import java.io.IOException;
import java.io.InputStream;

/** Little-endian numbers and strings from a stream, counted and bounded. */
final class PickleInput {

    private static final int LONGEST_STRING = 16 << 20;

    private final InputStream in;
    private final long mostBytes;
    private long position;

    PickleInput(final InputStream in, final long mostBytes) {
        this.in = in;
        this.mostBytes = mostBytes;
    }

    long position() {
        return position;
    }

    int next() throws IOException {
        final int value = in.read();
        if (value < 0) {
            throw new PickleFormatException("it ends in the middle, at byte " + position);
        }
        count(1);
        return value;
    }

    long little(final int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) next() << 8 * i;
        }
        return value;
    }

    double bigEndianDouble() throws IOException {
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | next();
        }
        return Double.longBitsToDouble(bits);
    }

    byte[] bytes(final long length, final String what) throws IOException {
        if (length < 0 || length > LONGEST_STRING) {
            throw new PickleFormatException("it announces " + what + " of " + Long.toUnsignedString(length)
                    + " bytes at byte " + position + ", more than the " + LONGEST_STRING + " that are accepted");
        }
        final byte[] bytes = in.readNBytes((int) length);
        count(bytes.length);
        if (bytes.length < length) {
            throw new PickleFormatException("it ends in the middle, at byte " + position);
        }
        return bytes;
    }

    private void count(final int bytes) throws IOException {
        position += bytes;
        if (position > mostBytes) {
            throw new PickleFormatException(
                    "it is longer than " + (mostBytes >> 20) + " MiB once unpacked, which is not accepted");
        }
    }
}
