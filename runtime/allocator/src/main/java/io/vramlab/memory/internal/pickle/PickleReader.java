package io.vramlab.memory.internal.pickle;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads pickles of protocols 2 to 5 that hold nothing but data. Dictionaries become {@link LinkedHashMap}s, lists
 * {@link ArrayList}s, tuples {@link Tuple}s, integers {@link Long}s (or {@link BigInteger}s), floats {@link Double}s.
 *
 * <p>
 * No class is ever looked up and no code runs: any opcode that would need it is refused. Length, number of objects, memo
 * and nesting are bounded, and what a file shares through its memo may not unfold into more than a bound either.
 */
public final class PickleReader {

    private static final long MOST_BYTES = 2L << 30;
    private static final long MOST_BYTES_CONDENSED = 64L << 30;
    /** What a condensed dictionary and its place take, roughly. */
    static final int CONDENSED = 40;
    /** In the place of what was condensed into a list of its own and may not be referred to. */
    static final Object GONE = new Object();

    private final PickleInput in;
    private Object[] stack = new Object[64];
    private int depth;
    private int[] marks = new int[16];
    private int marked;
    private final Memo memo = new Memo();
    private final Texts texts = new Texts();
    private final MemoryBudget budget;
    private final Condenser condenser;
    /** What reads most of a history, where it is condensed. */
    private final FlatReader flat;

    private PickleReader(final InputStream in, final Condenser condenser) {
        this.in = new PickleInput(in, condenser == null ? MOST_BYTES : MOST_BYTES_CONDENSED);
        this.condenser = condenser;
        budget = condenser == null ? new MemoryBudget() : MemoryBudget.half();
        flat = condenser == null ? null : new FlatReader(this.in, memo, texts, budget, condenser);
    }

    /**
     * Reads one pickle.
     *
     * @param in
     *            should be buffered
     * @throws PickleFormatException
     *             if it is damaged or holds more than data; the message continues "FILE cannot be read: ..."
     * @throws IOException
     *             if the stream fails
     */
    public static Object read(final InputStream in) throws IOException {
        final Object root = new PickleReader(in, null).run();
        PickleShape.check(root);
        return root;
    }

    /**
     * Reads one pickle and condenses dictionaries on the way, so that it may be far larger than the heap.
     *
     * @param in
     *            the file, unpacked
     * @param condenser
     *            makes something smaller of them
     * @throws PickleFormatException
     *             if it is damaged or holds more than data; the message continues "FILE cannot be read: ..."
     * @throws IOException
     *             if the stream fails
     */
    public static Object read(final InputStream in, final Condenser condenser) throws IOException {
        final Object root = new PickleReader(in, condenser).run();
        PickleShape.check(root);
        return root;
    }

    private Object run() throws IOException {
        if (in.next() != Opcode.PROTO) {
            throw new PickleFormatException("it is not a pickle of protocol 2 to 5");
        }
        final int protocol = in.next();
        if (protocol < 2 || protocol > 5) {
            throw new PickleFormatException("it is a pickle of protocol " + protocol + ", not 2 to 5");
        }
        for (;;) {
            final int opcode = in.next();
            if (opcode == Opcode.STOP) {
                return pop();
            }
            if (opcode == Opcode.EMPTY_DICT && flat != null) {
                final Object small = flat.read();
                if (small != null) {
                    put(small);
                    continue;
                }
            }
            // what most of a history is: frames that were told before
            if (opcode == Opcode.LONG_BINGET) {
                recall(in.int32());
            } else if (!scalar(opcode) && !container(opcode) && !memo(opcode)) {
                throw new PickleFormatException(Opcode.refusal(opcode) + " (at byte " + (in.position() - 1) + ")");
            }
        }
    }

    private boolean scalar(final int opcode) throws IOException {
        switch (opcode) {
            case Opcode.FRAME -> in.little(8);
            case Opcode.NONE -> push(null);
            case Opcode.NEWTRUE -> push(Boolean.TRUE);
            case Opcode.NEWFALSE -> push(Boolean.FALSE);
            case Opcode.BININT -> push((long) in.int32());
            case Opcode.BININT1 -> push((long) in.next());
            case Opcode.BININT2 -> push(in.little(2));
            case Opcode.LONG1 -> push(bigNumber(in.next()));
            case Opcode.LONG4 -> push(bigNumber(in.little(4)));
            case Opcode.BINFLOAT -> push(in.bigEndianDouble());
            case Opcode.SHORT_BINUNICODE -> push(string(in.next()));
            case Opcode.BINUNICODE -> push(string(in.little(4)));
            case Opcode.BINUNICODE8 -> push(string(in.little(8)));
            case Opcode.POP -> pop();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean container(final int opcode) throws IOException {
        switch (opcode) {
            case Opcode.MARK -> {
                budget.spend(MemoryBudget.VALUE);
                if (marked == marks.length) {
                    marks = Arrays.copyOf(marks, 2 * marks.length);
                }
                marks[marked++] = depth;
            }
            case Opcode.EMPTY_LIST -> push(condenser == null ? new ArrayList<>() : new Draft.Items());
            case Opcode.LIST -> push(new ArrayList<>(popToMark()));
            case Opcode.EMPTY_DICT ->
                push(condenser == null ? new LinkedHashMap<>() : new Draft.Dictionary(budget.mark()));
            case Opcode.DICT -> {
                final Map<String, Object> map = new LinkedHashMap<>();
                put(map, popToMark());
                push(map);
            }
            case Opcode.EMPTY_TUPLE -> push(new Tuple());
            case Opcode.TUPLE -> push(new Tuple(popToMark().toArray()));
            case Opcode.TUPLE1, Opcode.TUPLE2, Opcode.TUPLE3 -> {
                final Object[] items = new Object[opcode - Opcode.TUPLE1 + 1];
                for (int i = items.length - 1; i >= 0; i--) {
                    items[i] = pop();
                }
                push(new Tuple(items));
            }
            case Opcode.APPEND -> {
                final Object item = pop();
                holder(item).add(item);
            }
            case Opcode.APPENDS -> {
                final List<Object> items = popToMark();
                if (!items.isEmpty()) {
                    holder(items.getFirst()).addAll(items);
                }
            }
            case Opcode.SETITEM -> {
                final Object value = pop();
                final Object key = pop();
                put(map(top()), Arrays.asList(key, value));
            }
            case Opcode.SETITEMS -> {
                final List<Object> items = popToMark();
                if (!condensed(items)) {
                    put(map(top()), items);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean memo(final int opcode) throws IOException {
        switch (opcode) {
            case Opcode.BINPUT -> remember(in.next());
            case Opcode.LONG_BINPUT -> remember(in.int32());
            case Opcode.MEMOIZE -> remember(memo.size());
            case Opcode.BINGET -> recall(in.next());
            case Opcode.LONG_BINGET -> recall(in.int32());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void remember(final int index) throws IOException {
        budget.spendForGood(condenser == null ? MemoryBudget.ENTRY : MemoryBudget.ITEM);
        final Object value = top();
        if (value instanceof Draft.Dictionary dictionary) {
            dictionary.memo = index;
        } else if (value instanceof Draft.Items items) {
            items.memo = index;
        }
        memo.put(index, value);
    }

    /** The list on top; another takes its place where its first item asks for one. */
    private List<Object> holder(final Object first) throws IOException {
        final Object top = top();
        if (condenser != null && top instanceof Draft.Items items && items.isEmpty()) {
            final List<Object> holder = condenser.holderOf(first);
            if (holder != null) {
                stack[depth - 1] = holder;
                memo.put(items.memo, GONE);
                return holder;
            }
        }
        return condenser != null && top instanceof AbstractList<?> && !(top instanceof Tuple) ? held(top) : list(top);
    }

    @SuppressWarnings("unchecked")
    private static List<Object> held(final Object holder) {
        return (List<Object>) holder;
    }

    /** Puts something smaller in the place of the dictionary on top; whether it did. */
    private boolean condensed(final List<Object> items) throws IOException {
        if (condenser == null || !(top() instanceof Draft.Dictionary dictionary) || !dictionary.isEmpty()) {
            return false;
        }
        final Object small = condenser.dictionary(items);
        if (small == null) {
            return false;
        }
        for (int i = 1; i < items.size(); i += 2) {
            if (items.get(i) instanceof Draft.Items list && list.memo != Draft.NOWHERE) {
                memo.put(list.memo, condenser.list(list));
            }
        }
        stack[depth - 1] = small;
        if (dictionary.memo != Draft.NOWHERE) {
            memo.put(dictionary.memo, condenser.isHeldApart(small) ? GONE : small);
        }
        budget.condense(dictionary.spent, CONDENSED);
        return true;
    }

    private void recall(final int index) throws IOException {
        final Object value = memo.get(index);
        if (value == GONE || value == null && !memo.isStored(index)) {
            throw new PickleFormatException("it recalls object " + Integer.toUnsignedString(index)
                    + ", which it has not stored (at byte " + in.position() + ")");
        }
        budget.spend(MemoryBudget.ITEM);
        put(value);
    }

    private void put(final Object value) {
        if (depth == stack.length) {
            stack = Arrays.copyOf(stack, 2 * depth);
        }
        stack[depth++] = value;
    }

    private Object bigNumber(final long length) throws IOException {
        if (length > 0 && length <= Long.BYTES) {
            final int unused = Long.SIZE - Byte.SIZE * (int) length;
            return in.little((int) length) << unused >> unused;
        }
        if (length > 255) {
            throw new PickleFormatException("it holds a number of " + length + " bytes at byte " + in.position());
        }
        final byte[] little = in.bytes(length, "a number");
        final byte[] big = new byte[little.length + 1];
        for (int i = 0; i < little.length; i++) {
            big[little.length - i] = little[i];
        }
        big[0] = little.length > 0 && little[little.length - 1] < 0 ? (byte) -1 : 0;
        final BigInteger value = new BigInteger(big);
        return value.bitLength() < 64 ? (Object) value.longValue() : value;
    }

    private String string(final long length) throws IOException {
        final byte[] bytes = in.bytes(length, "a string");
        if (length > Texts.LONGEST) {
            budget.spend(2L * bytes.length);
            return new String(bytes, StandardCharsets.UTF_8);
        }
        final String known = texts.find(bytes, 0, bytes.length);
        if (known != null) {
            return known;
        }
        budget.spendForGood(MemoryBudget.ENTRY + 2L * bytes.length);
        return texts.put(bytes);
    }

    private void push(final Object value) throws IOException {
        budget.spend(MemoryBudget.ITEM + cost(value));
        put(value);
    }

    private static int cost(final Object value) {
        return switch (value) {
            case null -> 0;
            case final Boolean truth -> 0;
            case final String text -> MemoryBudget.ITEM;
            case final Number number -> MemoryBudget.VALUE;
            default -> MemoryBudget.CONTAINER;
        };
    }

    private Object pop() throws IOException {
        final Object top = top();
        stack[--depth] = null;
        return top;
    }

    private Object top() throws IOException {
        if (depth <= (marked == 0 ? 0 : marks[marked - 1])) {
            throw new PickleFormatException("it takes a value that is not there (at byte " + in.position() + ")");
        }
        return stack[depth - 1];
    }

    private List<Object> popToMark() throws IOException {
        if (marked == 0) {
            throw new PickleFormatException("it ends a group that was not begun (at byte " + in.position() + ")");
        }
        final int from = marks[--marked];
        final Object[] items = Arrays.copyOfRange(stack, from, depth);
        Arrays.fill(stack, from, depth, null);
        depth = from;
        return Arrays.asList(items);
    }

    @SuppressWarnings("unchecked")
    private List<Object> list(final Object target) throws IOException {
        if (target instanceof ArrayList<?>) {
            return (List<Object>) target;
        }
        throw new PickleFormatException("it appends to something that is no list (at byte " + in.position() + ")");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> map(final Object target) throws IOException {
        if (target instanceof LinkedHashMap<?, ?>) {
            return (Map<String, Object>) target;
        }
        throw new PickleFormatException(
                "it sets items of something that is no dictionary (at byte " + in.position() + ")");
    }

    private void put(final Map<String, Object> map, final List<Object> items) throws IOException {
        if (items.size() % 2 != 0) {
            throw new PickleFormatException("it has a key without a value (at byte " + in.position() + ")");
        }
        for (int i = 0; i < items.size(); i += 2) {
            if (!(items.get(i) instanceof String)) {
                throw new PickleFormatException(
                        "it has a dictionary key that is no text (at byte " + in.position() + ")");
            }
            budget.spend(MemoryBudget.ENTRY);
            map.put((String) items.get(i), items.get(i + 1));
        }
    }
}
