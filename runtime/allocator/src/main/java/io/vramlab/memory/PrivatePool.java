package io.vramlab.memory;

/** The small and large free blocks of one {@link MemPool}: docs/allocator.md, "Memory pools". */
final class PrivatePool {

    /** PyTorch's pool id; user pools are (0, k). */
    final long id;
    final boolean useOnOom;
    final boolean noSplit;
    final BlockPool small = new BlockPool(true, this);
    final BlockPool large = new BlockPool(false, this);
    /** The pool object plus every use of it that is open; at 0 its cached segments may be released. */
    int useCount = 1;

    PrivatePool(final long id, final boolean useOnOom, final boolean noSplit) {
        this.id = id;
        this.useOnOom = useOnOom;
        this.noSplit = noSplit;
    }
}
