package io.vramlab.memory.internal.pickle;

/** What reading one file may cost of the heap, by estimate: a quarter of it, 4 GiB at most. */
public final class MemoryBudget {

    /** A boxed number or a short string's share. */
    public static final int VALUE = 24;
    /** An empty list or dictionary. */
    public static final int CONTAINER = 64;
    /** An item's place in a list. */
    public static final int ITEM = 8;
    /** An entry's place in a dictionary or the memo. */
    public static final int ENTRY = 64;

    private final long most;
    private final String part;
    private long spent;
    private long forGood;

    /** A quarter of the heap, 4 GiB at most. */
    public MemoryBudget() {
        most = Math.min(4L << 30, Runtime.getRuntime().maxMemory() / 4);
        part = "a quarter";
    }

    private MemoryBudget(final long most, final String part) {
        this.most = most;
        this.part = part;
    }

    /** Half of the heap, for what is condensed while it is read. */
    static MemoryBudget half() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 2, "half");
    }

    /** What was spent so far on things that may become less. */
    long mark() {
        return spent - forGood;
    }

    /** What was spent since a mark has become so many bytes. */
    void condense(final long mark, final long kept) {
        spent = mark + forGood + kept;
    }

    /** Counts bytes that no condensing gives back. */
    void spendForGood(final long bytes) throws PickleFormatException {
        forGood += bytes;
        spend(bytes);
    }

    /**
     * Counts some more bytes.
     *
     * @throws PickleFormatException
     *             if it is too much
     */
    public void spend(final long bytes) throws PickleFormatException {
        spent += bytes;
        if (spent > most) {
            throw new PickleFormatException("reading it would take more than " + (most >> 20)
                    + " MiB of memory, " + part + " of what this process may use");
        }
    }
}
