package io.vramlab.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A recording's lines as the bytes that they are, one at a time: a long one has hundreds of thousands, and few of their bytes become texts. */
final class TraceText {

    /** Read at once: a damaged file is told with the last line before the damage. */
    private static final int PIECE = 8192;

    private final InputStream in;
    private byte[] bytes = new byte[2 * PIECE];
    private int start;
    private int end = -1;
    private int read;

    TraceText(InputStream in) {
        this.in = in;
    }

    /**
     * Goes on to the next line, the first one at first.
     *
     * @return whether there is one
     */
    boolean next() throws IOException {
        start = Math.min(end + 1, read);
        end = start;
        while (true) {
            while (end < read) {
                if (bytes[end] == '\n') {
                    return true;
                }
                end++;
            }
            if (!fill()) {
                return start < end;
            }
        }
    }

    /** Reads a piece more behind the line that has begun, which goes to the front. */
    private boolean fill() throws IOException {
        System.arraycopy(bytes, start, bytes, 0, read - start);
        read -= start;
        end = read;
        start = 0;
        if (bytes.length - read < PIECE) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        int more = in.read(bytes, read, PIECE);
        read += Math.max(0, more);
        return more >= 0;
    }

    /** Where the line's bytes are, until {@link #next} is called. */
    byte[] bytes() {
        return bytes;
    }

    /** The first of them. */
    int start() {
        return start;
    }

    /** Behind the last of them. */
    int end() {
        return end;
    }

    /** The line. */
    @Override
    public String toString() {
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
