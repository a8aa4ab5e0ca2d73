package io.vramlab.memory.internal.pickle;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads dictionaries that are flat, see {@link FlatDictionary}, without a stack: most of a history is such events. What
 * is not flat, or goes over the end of what is buffered, is left as it is to who reads opcode by opcode.
 */
final class FlatReader {

    /** An opcode and its number. */
    private static final int LONGEST = 10;

    private final PickleInput in;
    private final Memo memo;
    private final Texts texts;
    private final MemoryBudget budget;
    private final Condenser condenser;
    private final FlatDictionary dictionary = new FlatDictionary();
    private final Recalled stacks = new Recalled();
    private int overwritten;

    /** What this dictionary stores, in order: put into the memo once it is read to its end. */
    private final Object[] stored = new Object[2 * FlatDictionary.MOST];
    private int stores;

    private byte[] buffer;
    private int at;
    private int limit;

    FlatReader(final PickleInput in, final Memo memo, final Texts texts, final MemoryBudget budget,
            final Condenser condenser) {
        this.in = in;
        this.memo = memo;
        this.texts = texts;
        this.budget = budget;
        this.condenser = condenser;
    }

    /**
     * What takes the place of the dictionary whose first opcode was read; null, with nothing read, where it is not flat
     * or nothing takes its place.
     */
    Object read() throws PickleFormatException {
        buffer = in.buffer();
        at = in.at();
        limit = in.limit();
        dictionary.clear();
        stores = 0;
        if (overwritten != memo.overwritten()) {
            stacks.clear();
            overwritten = memo.overwritten();
        }
        store(null);
        final boolean referable = stores > 0;
        if (!entries()) {
            return null;
        }
        final Object small = condenser.flat(dictionary);
        if (small == null) {
            return null;
        }
        if (referable) {
            stored[0] = condenser.isHeldApart(small) ? PickleReader.GONE : small;
        }
        for (int i = 0; i < stores; i++) {
            memo.put(memo.size(), stored[i]);
        }
        budget.spendForGood((long) MemoryBudget.ITEM * stores);
        budget.spend(PickleReader.CONDENSED);
        in.at(at);
        return small;
    }

    /** Reads up to the end of the dictionary; false where it is not flat. */
    private boolean entries() throws PickleFormatException {
        if (at == limit || buffer[at++] != Opcode.MARK) {
            return false;
        }
        while (limit - at >= LONGEST) {
            final int opcode = buffer[at++] & 0xff;
            if (opcode == Opcode.SETITEMS) {
                return true;
            }
            if (dictionary.size() == FlatDictionary.MOST || !(recalled(opcode) instanceof final String key)
                    || limit - at < LONGEST || !value(key)) {
                return false;
            }
        }
        return false;
    }

    private boolean value(final String key) throws PickleFormatException {
        final int opcode = buffer[at++] & 0xff;
        switch (opcode) {
            case Opcode.BININT1 -> dictionary.add(key, little(1));
            case Opcode.BININT2 -> dictionary.add(key, little(2));
            case Opcode.BININT -> dictionary.add(key, (long) int32());
            case Opcode.LONG1 -> {
                final int length = buffer[at++] & 0xff;
                if (length == 0 || length > Long.BYTES) {
                    return false;
                }
                final int unused = Long.SIZE - Byte.SIZE * length;
                dictionary.add(key, little(length) << unused >> unused);
            }
            case Opcode.BINGET, Opcode.LONG_BINGET -> {
                final Object value = recalled(opcode);
                if (value == null || value == PickleReader.GONE) {
                    return false;
                }
                dictionary.add(key, value);
            }
            case Opcode.SHORT_BINUNICODE -> {
                final String text = text();
                if (text == null) {
                    return false;
                }
                store(text);
                dictionary.add(key, text);
            }
            case Opcode.EMPTY_LIST -> {
                final int before = stores;
                store(null);
                final Object list = list();
                if (list == null) {
                    return false;
                }
                if (stores > before) {
                    stored[before] = list;
                }
                dictionary.add(key, list);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** A list of what was told before, condensed; null where it is another. */
    private Object list() throws PickleFormatException {
        if (at == limit) {
            return null;
        }
        stacks.begin();
        final boolean many = buffer[at] == Opcode.MARK;
        at += many ? 1 : 0;
        while (limit - at >= LONGEST) {
            final int opcode = buffer[at++] & 0xff;
            if (opcode == Opcode.LONG_BINGET) {
                stacks.add(int32());
            } else if (opcode == Opcode.BINGET) {
                stacks.add(buffer[at++] & 0xff);
            } else {
                return opcode == (many ? Opcode.APPENDS : Opcode.APPEND) && stacks.size() > 0 ? stack() : null;
            }
        }
        return null;
    }

    private Object stack() throws PickleFormatException {
        final Object known = stacks.find();
        if (known != null) {
            return known;
        }
        final List<Object> items = new ArrayList<>(stacks.size());
        for (int i = 0; i < stacks.size(); i++) {
            final Object item = memo.get(stacks.item(i));
            if (item == null || item == PickleReader.GONE) {
                return null;
            }
            items.add(item);
        }
        final Object list = condenser.list(items);
        if (list == items) {
            return null; // of its own, which may still grow
        }
        budget.spendForGood(MemoryBudget.ENTRY + (long) Integer.BYTES * stacks.size());
        stacks.put(list);
        return list;
    }

    private String text() throws PickleFormatException {
        final int length = buffer[at++] & 0xff;
        final int from = at;
        if (length > Texts.LONGEST || limit - at < length + LONGEST) {
            return null;
        }
        at += length;
        return texts.find(buffer, from, length);
    }

    private Object recalled(final int opcode) {
        return switch (opcode) {
            case Opcode.BINGET -> memo.get(buffer[at++] & 0xff);
            case Opcode.LONG_BINGET -> memo.get(int32());
            default -> null;
        };
    }

    /** If what was read last is stored, under the next number, notes that; a value that is known only later is put then. */
    private void store(final Object value) {
        if (limit - at < LONGEST) {
            return; // what follows finds that it is too little
        }
        final int opcode = buffer[at] & 0xff;
        final int next = memo.size() + stores;
        final int length = switch (opcode) {
            case Opcode.MEMOIZE -> 1;
            case Opcode.BINPUT -> (buffer[at + 1] & 0xff) == next ? 2 : 0;
            case Opcode.LONG_BINPUT -> PickleInput.int32(buffer, at + 1) == next ? 5 : 0;
            default -> 0;
        };
        if (length > 0) {
            at += length;
            stored[stores++] = value;
        }
    }

    private int int32() {
        at += Integer.BYTES;
        return PickleInput.int32(buffer, at - Integer.BYTES);
    }

    private long little(final int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (buffer[at++] & 0xffL) << 8 * i;
        }
        return value;
    }
}
