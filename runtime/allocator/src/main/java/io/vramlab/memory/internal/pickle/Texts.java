package io.vramlab.memory.internal.pickle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Short texts by their bytes: equal ones are the same object, and the second one is found without being made. */
final class Texts {

    /** Bytes of a text that is kept here; longer ones are seldom told twice. */
    static final int LONGEST = 64;

    /** Texts that share a place; of those whose hashes were chosen to, the further ones are made each time. */
    private static final int MOST_PROBES = 32;

    private record Known(byte[] bytes, String text) {
    }

    private Known[] table = new Known[256];
    private int count;

    /**
     * The text of some bytes, or null where it was not put yet.
     *
     * @param buffer
     *            in which they are
     * @param from
     *            the first of them
     * @param length
     *            how many
     */
    String find(final byte[] buffer, final int from, final int length) {
        final int place = place(buffer, from, length);
        return place < 0 || table[place] == null ? null : table[place].text;
    }

    /** Keeps the text of these bytes, which was not found. */
    String put(final byte[] bytes) {
        if (2 * count >= table.length) {
            final Known[] old = table;
            table = new Known[2 * old.length];
            for (final Known known : old) {
                final int moved = known == null ? -1 : place(known.bytes, 0, known.bytes.length);
                if (moved >= 0) {
                    table[moved] = known;
                }
            }
        }
        final String text = new String(bytes, StandardCharsets.UTF_8);
        final int place = place(bytes, 0, bytes.length);
        if (place >= 0) {
            table[place] = new Known(bytes, text);
            count++;
        }
        return text;
    }

    /** Where it is, or would be; -1 where too many others are in its way. */
    private int place(final byte[] buffer, final int from, final int length) {
        int hash = length;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + buffer[i];
        }
        for (int probe = 0; probe < MOST_PROBES; probe++) {
            final int place = (hash ^ hash >>> 15) + probe & table.length - 1;
            if (table[place] == null || Arrays.equals(table[place].bytes, 0, table[place].bytes.length, buffer, from,
                    from + length)) {
                return place;
            }
        }
        return -1;
    }
}
