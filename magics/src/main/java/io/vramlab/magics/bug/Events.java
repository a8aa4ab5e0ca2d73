package io.vramlab.magics.bug;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Events in order, each a kind and a number: blocks count from 0 in order of allocation over the whole recording, so no
 * address is kept and every run of the same program gives the same bytes.
 */
public final class Events {

    /** The kinds; the number that goes with each. */
    public enum Kind {
        /** A block was handed out: the requested bytes. */
        ALLOC,
        /** A block was freed: which one. */
        FREE,
        /** Memory was obtained from the device: bytes. */
        GAIN,
        /** Memory was given back to the device: bytes. */
        RELEASE,
        /** A request failed: the requested bytes. */
        OUT_OF_MEMORY,
        /** Blocks that were left out to keep the file small: how many, so that later ones keep their numbers. */
        SKIPPED;

        private static final Kind[] ALL = values();
    }

    /** A session's cells with more than this many events are cut, and say so. */
    static final int MOST = 8_000_000;

    private final long first;
    private byte[] kinds = new byte[64];
    private long[] numbers = new long[64];
    private int size;
    private String packed;

    /**
     * None yet.
     *
     * @param first the number that the first block allocated in them has
     */
    public Events(long first) {
        this.first = first;
    }

    /** Adds an event. */
    public void add(Kind kind, long number) {
        packed = null;
        if (size == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        kinds[size] = (byte) kind.ordinal();
        numbers[size++] = number;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** The kind of event {@code i}. */
    public Kind kind(int i) {
        return Kind.ALL[kinds[i]];
    }

    /** The number of event {@code i}. */
    public long number(int i) {
        return numbers[i];
    }

    /** Without the blocks that came and went within these events. */
    Events lasting() {
        BitSet passing = new BitSet();
        for (int i = 0; i < size; i++) {
            if (kind(i) == Kind.FREE && numbers[i] >= first) {
                passing.set((int) (numbers[i] - first));
            }
        }
        Events kept = new Events(first);
        int block = 0;
        for (int i = 0; i < size; i++) {
            if (kind(i) == Kind.SKIPPED) {
                block += (int) numbers[i];
            }
            boolean gone = switch (kind(i)) {
                case ALLOC -> passing.get(block++);
                case FREE -> numbers[i] >= first;
                case GAIN, RELEASE, SKIPPED, OUT_OF_MEMORY -> false;
            };
            if (!gone) {
                kept.add(kind(i), numbers[i]);
            } else if (kind(i) == Kind.ALLOC) {
                kept.skip();
            }
        }
        return kept;
    }

    private void skip() {
        if (size > 0 && kind(size - 1) == Kind.SKIPPED) {
            numbers[size - 1]++;
            packed = null;
        } else {
            add(Kind.SKIPPED, 1);
        }
    }

    /**
     * As compressed text. A free names its block by how many blocks ago it came, so that steps of a loop look alike and
     * compress well.
     */
    String packed() {
        if (packed == null) {
            packed = CompressedText.packed(plain());
        }
        return packed;
    }

    private byte[] plain() {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(3 * size + 8);
        write(plain, first);
        long next = first;
        for (int i = 0; i < size; i++) {
            plain.write(kinds[i]);
            write(plain, kind(i) == Kind.FREE ? next - numbers[i] : numbers[i]);
            next += blocks(i);
        }
        return plain.toByteArray();
    }

    /** How many blocks event {@code i} counts. */
    private long blocks(int i) {
        return switch (kind(i)) {
            case ALLOC -> 1;
            case SKIPPED -> numbers[i];
            case FREE, GAIN, RELEASE, OUT_OF_MEMORY -> 0;
        };
    }

    private static void write(ByteArrayOutputStream out, long number) {
        long rest = number;
        for (; rest > 0x7f || rest < 0; rest >>>= 7) {
            out.write((int) (rest & 0x7f | 0x80));
        }
        out.write((int) rest);
    }

    /** Reads {@link #packed}. */
    static Events unpacked(String text) throws BrokenHistoryException {
        byte[] plain = CompressedText.unpacked(text, "its events");
        Reader reader = new Reader(plain);
        Events events = new Events(reader.number());
        long next = events.first;
        while (reader.at < plain.length) {
            int kind = plain[reader.at++];
            long number = reader.number();
            if (kind < 0 || kind >= Kind.ALL.length || events.size == MOST) {
                throw new BrokenHistoryException("its event " + events.size + " is of no known kind");
            }
            events.add(Kind.ALL[kind], Kind.ALL[kind] == Kind.FREE ? next - number : number);
            next += events.blocks(events.size - 1);
        }
        return events;
    }

    /** Takes numbers from bytes. */
    private static final class Reader {

        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        long number() throws BrokenHistoryException {
            long number = 0;
            int shift = 0;
            byte part;
            do {
                if (at == bytes.length || shift > 56) {
                    throw new BrokenHistoryException("its events are cut off at byte " + at);
                }
                part = bytes[at++];
                number |= (part & 0x7fL) << shift;
                shift += 7;
            } while (part < 0);
            return number;
        }
    }

    /** Numbers blocks by their addresses while events come in. */
    static final class Numbering {

        private final Map<Long, Long> blocks = new HashMap<>();
        private long next;

        long next() {
            return next;
        }

        void allocated(long address) {
            blocks.put(address, next++);
        }

        /** The number of the block at an address, which is free from now; -1 when it is not known. */
        long freed(long address) {
            Long block = blocks.remove(address);
            return block == null ? -1 : block;
        }
    }
}
