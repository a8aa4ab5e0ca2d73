package io.vramlab.memory.internal.block;

/** The small and large free blocks of one {@link io.vramlab.memory.MemPool}: docs/allocator.md, "Memory pools". */
public final class PrivatePool {

    /** PyTorch's pool id; user pools are (0, k). */
    public final long id;
    public final boolean useOnOom;
    public final boolean noSplit;
    public final BlockPool small = new BlockPool(true, this);
    public final BlockPool large = new BlockPool(false, this);
    /** The pool object plus every use of it that is open; at 0 its cached segments may be released. */
    public int useCount = 1;

    public PrivatePool(final long id, final boolean useOnOom, final boolean noSplit) {
        this.id = id;
        this.useOnOom = useOnOom;
        this.noSplit = noSplit;
    }
}
