package io.vramlab.memory.internal.pickle;

import io.vramlab.device.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Little-endian numbers and strings from a stream, counted and bounded. */
final class PickleInput {

    private static final int LONGEST_STRING = 16 << 20;
    private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final InputStream in;
    private final long mostBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int limit;
    /** Where the buffer begins. */
    private long start;

    PickleInput(final InputStream in, final long mostBytes) {
        this.in = in;
        this.mostBytes = mostBytes;
    }

    long position() {
        return start + at;
    }

    int next() throws IOException {
        if (at == limit) {
            fill();
        }
        return buffer[at++] & 0xff;
    }

    /** What is buffered: from {@link #at} to {@link #limit}. */
    byte[] buffer() {
        return buffer;
    }

    /** Where the next byte is in the buffer. */
    int at() {
        return at;
    }

    /** Goes on at another place of what is buffered. */
    void at(final int next) {
        at = next;
    }

    /** Where what is buffered ends. */
    int limit() {
        return limit;
    }

    /** The four bytes from there on as a number. */
    static int int32(final byte[] bytes, final int from) {
        return (int) LITTLE.get(bytes, from);
    }

    int int32() throws IOException {
        if (limit - at < Integer.BYTES) {
            return (int) little(Integer.BYTES);
        }
        final int value = int32(buffer, at);
        at += Integer.BYTES;
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
                    + " bytes at byte " + position() + ", more than the " + LONGEST_STRING + " that are accepted");
        }
        byte[] bytes = new byte[(int) Math.min(length, buffer.length)];
        int read = 0;
        while (read < length) {
            if (at == limit) {
                fill();
            }
            // what is announced may not be there: no more is held than has come
            bytes = read < bytes.length ? bytes : Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
            final int part = Math.min(limit - at, bytes.length - read);
            System.arraycopy(buffer, at, bytes, read, part);
            at += part;
            read += part;
        }
        return bytes;
    }

    /** The next bytes, one at least: what is longer than accepted is not told at each of them. */
    private void fill() throws IOException {
        start += limit;
        at = 0;
        limit = Math.max(0, in.read(buffer));
        if (limit == 0) {
            throw new PickleFormatException(
                    "it ends in the middle, at byte " + ByteSize.exact(start) + ": it was cut off");
        }
        if (start == mostBytes) {
            throw new PickleFormatException(
                    "it is longer than " + (mostBytes >> 20) + " MiB once unpacked, which is not accepted");
        }
        limit = (int) Math.min(limit, mostBytes - start);
    }
}
