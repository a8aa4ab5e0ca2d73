package io.vramlab.memory.pickle;

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

    private final long most = Math.min(4L << 30, Runtime.getRuntime().maxMemory() / 4);
    private long spent;

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
                    + " MiB of memory, a quarter of what this process may use");
        }
    }
}
