package io.vramlab.magics.bug;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

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
    private static final long MOST_UNPACKED = 64L << 20;

    private byte[] kinds = new byte[64];
    private long[] numbers = new long[64];
    private int size;

    /** Adds an event. */
    public void add(Kind kind, long number) {
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

    /**
     * Without the blocks that came and went within these events.
     *
     * @param first the number of the first block allocated in them
     */
    Events lasting(long first) {
        BitSet passing = new BitSet();
        for (int i = 0; i < size; i++) {
            if (kind(i) == Kind.FREE && numbers[i] >= first) {
                passing.set((int) (numbers[i] - first));
            }
        }
        Events kept = new Events();
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
        } else {
            add(Kind.SKIPPED, 1);
        }
    }

    /** As compressed text. */
    String packed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            ByteArrayOutputStream plain = new ByteArrayOutputStream(3 * size);
            for (int i = 0; i < size; i++) {
                plain.write(kinds[i]);
                for (long rest = numbers[i]; true; rest >>>= 7) {
                    plain.write((int) (rest & 0x7f | (rest > 0x7f ? 0x80 : 0)));
                    if (rest <= 0x7f) {
                        break;
                    }
                }
            }
            plain.writeTo(zip);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /** Reads {@link #packed}. */
    static Events unpacked(String text) throws BrokenHistoryException {
        byte[] plain;
        try (GZIPInputStream zip = new GZIPInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            plain = zip.readNBytes((int) MOST_UNPACKED + 1);
        } catch (IOException | IllegalArgumentException damaged) {
            throw new BrokenHistoryException("its events cannot be unpacked: they were cut off or altered");
        }
        if (plain.length > MOST_UNPACKED) {
            throw new BrokenHistoryException("its events unpack to more than " + (MOST_UNPACKED >> 20) + " MiB");
        }
        Events events = new Events();
        int at = 0;
        while (at < plain.length) {
            int kind = plain[at++];
            long number = 0;
            int shift = 0;
            byte part;
            do {
                if (at == plain.length || shift > 56) {
                    throw new BrokenHistoryException("its event " + events.size + " is cut off");
                }
                part = plain[at++];
                number |= (part & 0x7fL) << shift;
                shift += 7;
            } while (part < 0);
            if (kind < 0 || kind >= Kind.ALL.length || events.size == MOST) {
                throw new BrokenHistoryException("its event " + events.size + " is of no known kind");
            }
            events.add(Kind.ALL[kind], number);
        }
        return events;
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
