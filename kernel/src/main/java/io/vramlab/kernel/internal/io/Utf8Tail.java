package io.vramlab.kernel.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;

/** Decodes UTF-8 that comes in pieces: a character whose bytes are split between two pieces waits for the second. */
final class Utf8Tail {

    private final CharsetDecoder decoder = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] tail = {};

    /** The text of the bytes so far that make whole characters. */
    String decode(byte[] bytes, int offset, int length) {
        byte[] all = new byte[tail.length + length];
        System.arraycopy(tail, 0, all, 0, tail.length);
        System.arraycopy(bytes, offset, all, tail.length, length);
        ByteBuffer in = ByteBuffer.wrap(all);
        CharBuffer out = CharBuffer.allocate(all.length);
        decoder.reset();
        decoder.decode(in, out, false);
        tail = new byte[in.remaining()];
        in.get(tail);
        return out.flip().toString();
    }
}
