package io.vramlab.memory.internal.pickle;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Writes data as a pickle of protocol 2 with exactly the opcodes that PyTorch's memory_viz page reads
 * (docs/allocator.md, "Snapshot files"). Strings, and lists that occur more than once as the same object under the key
 * {@code frames}, are shared through the memo; dictionaries never are, because the page changes them.
 */
public final class PickleWriter {

    private static final int BATCH = 1000;
    private static final String SHARED_KEY = "frames";

    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16];
    private int used;
    private final Map<String, Integer> strings = new HashMap<>();
    private final IdentityHashMap<Object, Integer> lists = new IdentityHashMap<>();
    private int memoSize;

    private PickleWriter(final OutputStream out) {
        this.out = out;
    }

    /**
     * Writes one value: maps with text keys, lists, {@link Tuple}s, strings, integers, doubles, booleans and null.
     *
     * @throws IllegalArgumentException
     *             if it holds anything else
     * @throws IOException
     *             if the stream fails
     */
    public static void write(final Object root, final OutputStream out) throws IOException {
        final PickleWriter writer = new PickleWriter(out);
        writer.put(Opcode.PROTO);
        writer.put(2);
        writer.value(root);
        writer.put(Opcode.STOP);
        writer.flush();
    }

    private void value(final Object value) throws IOException {
        switch (value) {
            case null -> put(Opcode.NONE);
            case final Boolean truth -> put(truth ? Opcode.NEWTRUE : Opcode.NEWFALSE);
            case final String text -> string(text);
            case final Long number -> integer(number);
            case final Integer number -> integer(number);
            case final Double number -> real(number);
            case final BigInteger number -> big(number);
            case final Tuple tuple -> tuple(tuple);
            case final List<?> list -> list(list);
            case final Map<?, ?> map -> map(map);
            default -> throw new IllegalArgumentException(
                    "A pickle of data cannot hold a " + value.getClass().getName() + ".");
        }
    }

    private void integer(final long value) throws IOException {
        if (value >= 0 && value < 1 << 8) {
            put(Opcode.BININT1);
            little(value, 1);
        } else if (value >= 0 && value < 1 << 16) {
            put(Opcode.BININT2);
            little(value, 2);
        } else if (value == (int) value) {
            put(Opcode.BININT);
            little(value, 4);
        } else {
            final int bytes = 8 - (Long.numberOfLeadingZeros(value < 0 ? ~value : value) - 1) / 8;
            put(Opcode.LONG1);
            put(bytes);
            little(value, bytes);
        }
    }

    private void big(final BigInteger value) throws IOException {
        final byte[] bytes = value.toByteArray();
        if (bytes.length > 255) {
            throw new IllegalArgumentException("A number of " + bytes.length + " bytes is too long for a snapshot.");
        }
        put(Opcode.LONG1);
        put(bytes.length);
        for (int i = bytes.length - 1; i >= 0; i--) {
            put(bytes[i]);
        }
    }

    private void real(final double value) throws IOException {
        put(Opcode.BINFLOAT);
        final long bits = Double.doubleToRawLongBits(value);
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((int) (bits >>> shift));
        }
    }

    private void string(final String text) throws IOException {
        final Integer known = strings.get(text);
        if (known != null) {
            recall(known);
            return;
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        put(Opcode.BINUNICODE);
        little(bytes.length, 4);
        for (final byte b : bytes) {
            put(b);
        }
        strings.put(text, remember());
    }

    private void tuple(final Tuple tuple) throws IOException {
        if (tuple.size() > 3) {
            put(Opcode.MARK);
        }
        for (final Object item : tuple) {
            value(item);
        }
        put(switch (tuple.size()) {
            case 0 -> Opcode.EMPTY_TUPLE;
            case 1 -> Opcode.TUPLE1;
            case 2 -> Opcode.TUPLE2;
            case 3 -> Opcode.TUPLE3;
            default -> Opcode.TUPLE;
        });
    }

    private void list(final List<?> list) throws IOException {
        put(Opcode.EMPTY_LIST);
        items(list);
    }

    private void items(final List<?> list) throws IOException {
        final Iterator<?> items = list.iterator();
        while (items.hasNext()) {
            put(Opcode.MARK);
            for (int i = 0; i < BATCH && items.hasNext(); i++) {
                value(items.next());
            }
            put(Opcode.APPENDS);
        }
    }

    private void map(final Map<?, ?> map) throws IOException {
        put(Opcode.EMPTY_DICT);
        final Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            put(Opcode.MARK);
            for (int i = 0; i < BATCH && entries.hasNext(); i++) {
                final Map.Entry<?, ?> entry = entries.next();
                final String key = (String) entry.getKey();
                string(key);
                if (key.equals(SHARED_KEY) && entry.getValue() instanceof List<?> list) {
                    shared(list);
                } else {
                    value(entry.getValue());
                }
            }
            put(Opcode.SETITEMS);
        }
    }

    private void shared(final List<?> list) throws IOException {
        final Integer known = lists.get(list);
        if (known != null) {
            recall(known);
            return;
        }
        put(Opcode.EMPTY_LIST);
        lists.put(list, remember());
        items(list);
    }

    private int remember() throws IOException {
        if (memoSize < 256) {
            put(Opcode.BINPUT);
            put(memoSize);
        } else {
            put(Opcode.LONG_BINPUT);
            little(memoSize, 4);
        }
        return memoSize++;
    }

    private void recall(final int index) throws IOException {
        if (index < 256) {
            put(Opcode.BINGET);
            put(index);
        } else {
            put(Opcode.LONG_BINGET);
            little(index, 4);
        }
    }

    private void little(final long value, final int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            put((int) (value >>> 8 * i));
        }
    }

    private void put(final int value) throws IOException {
        if (used == buffer.length) {
            flush();
        }
        buffer[used++] = (byte) value;
    }

    private void flush() throws IOException {
        out.write(buffer, 0, used);
        used = 0;
    }
}
