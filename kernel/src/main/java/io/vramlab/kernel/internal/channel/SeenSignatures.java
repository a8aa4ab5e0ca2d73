package io.vramlab.kernel.internal.channel;

/**
 * The signatures seen, so that a message that is sent twice runs once. Of each, 64 bits are kept, in a table without
 * objects: 16 to 32 bytes a message. A session that goes on for more than {@value #MOST} messages begins a second table,
 * and at the end of that forgets the first: the last {@value #MOST} at least are known, in 64 MiB at most.
 *
 * <p>
 * Only right signatures come here. That two messages of a session share 64 bits, and the second is dropped, is to be
 * expected once in two million sessions of that length.
 */
final class SeenSignatures {

    /** Over a day of a message every 50 ms. */
    static final int MOST = 1 << 21;

    private static final int FIRST = 1 << 10;
    private static final int DIGITS = 16;

    /** Open addressing, at most half full; 0 stands for a free place. */
    private long[] table = new long[FIRST];
    private int size;
    private long[] former = new long[1];

    /**
     * Remembers a signature.
     *
     * @param signature
     *            at least 16 hexadecimal digits
     * @return false if it is known
     */
    synchronized boolean add(byte[] signature) {
        long bits = bits(signature);
        if (table[place(table, bits)] == bits || former[place(former, bits)] == bits) {
            return false;
        }
        if (size == MOST) {
            former = table;
            table = new long[FIRST];
            size = 0;
        } else if (2 * (size + 1) > table.length) {
            grow();
        }
        table[place(table, bits)] = bits;
        size++;
        return true;
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (long each : table) {
            if (each != 0) {
                larger[place(larger, each)] = each;
            }
        }
        table = larger;
    }

    private static int place(long[] table, long bits) {
        int place = (int) bits & table.length - 1;
        while (table[place] != 0 && table[place] != bits) {
            place = place + 1 & table.length - 1;
        }
        return place;
    }

    private static long bits(byte[] signature) {
        long bits = 0;
        for (int i = 0; i < DIGITS; i++) {
            bits = bits << 4 | Character.digit(signature[i], 16);
        }
        return bits == 0 ? 1 : bits;
    }
}
