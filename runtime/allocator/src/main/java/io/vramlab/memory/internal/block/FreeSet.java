package io.vramlab.memory.internal.block;

import io.vramlab.memory.Sizes;
import java.util.List;

/**
 * The free blocks of one pool and stream, ordered by size, then address.
 *
 * <p>
 * Sizes fall into bins, 64 to each power of two (exact bins below 64 KiB, for sizes are multiples of 512 bytes); a
 * bitmap of two levels finds the next bin that holds anything. Within a bin the blocks form a treap over the links
 * inside {@link Block}, its priorities hashed from the addresses: the order is exact, no node objects are needed, and the
 * trees stay shallow whatever the sizes are.
 */
public final class FreeSet {

    private static final int UNIT_BITS = 9;
    private static final int FINE_BITS = 6;
    private static final int FINE = 1 << FINE_BITS;
    private static final int BINS = (64 - UNIT_BITS - FINE_BITS + 1) * FINE;

    final long stream;
    private final Block[] roots = new Block[BINS];
    private final long[] occupied = new long[(BINS + 63) / 64];
    private long occupiedWords;

    FreeSet(final long stream) {
        this.stream = stream;
    }

    boolean isEmpty() {
        return occupiedWords == 0;
    }

    void add(final Block block) {
        final int bin = bin(block.size);
        final Block root = roots[bin];
        if (root == null) {
            block.left = null;
            block.right = null;
            roots[bin] = block;
            occupied[bin >>> 6] |= 1L << bin;
            occupiedWords |= 1L << (bin >>> 6);
            return;
        }
        final long priority = priority(block);
        Block parent = null;
        Block node = root;
        boolean onLeft = false;
        while (node != null && Long.compareUnsigned(priority(node), priority) >= 0) {
            parent = node;
            onLeft = precedes(block, node);
            node = onLeft ? node.left : node.right;
        }
        split(node, block);
        attach(bin, parent, onLeft, block);
    }

    public void remove(final Block block) {
        final int bin = bin(block.size);
        Block parent = null;
        Block node = roots[bin];
        boolean onLeft = false;
        while (node != block) {
            parent = node;
            onLeft = precedes(block, node);
            node = onLeft ? node.left : node.right;
        }
        attach(bin, parent, onLeft, merge(block.left, block.right));
        block.left = null;
        block.right = null;
        if (roots[bin] == null) {
            occupied[bin >>> 6] &= ~(1L << bin);
            if (occupied[bin >>> 6] == 0) {
                occupiedWords &= ~(1L << (bin >>> 6));
            }
        }
    }

    /** The smallest block of at least {@code size} bytes, at the lowest address among equals; or null. */
    public Block atLeast(final long size) {
        return after(size, Long.MIN_VALUE);
    }

    /** The block that follows {@code block} in order, or null. */
    public Block next(final Block block) {
        return after(block.size, block.address + 1);
    }

    /** The last block of fewer than {@code size} bytes, or null. */
    public Block below(final long size) {
        return before(size, Long.MIN_VALUE);
    }

    /** The block that precedes {@code block} in order, or null. */
    public Block previous(final Block block) {
        return before(block.size, block.address);
    }

    /** Appends all blocks in order. */
    void copyTo(final List<Block> list) {
        for (int bin = nextBin(0); bin >= 0; bin = nextBin(bin + 1)) {
            inOrder(roots[bin], list);
        }
    }

    private Block after(final long size, final long address) {
        final int bin = bin(size);
        Block best = null;
        Block node = roots[bin];
        while (node != null) {
            if (node.size > size || node.size == size && node.address >= address) {
                best = node;
                node = node.left;
            } else {
                node = node.right;
            }
        }
        if (best != null) {
            return best;
        }
        final int later = nextBin(bin + 1);
        if (later < 0) {
            return null;
        }
        node = roots[later];
        while (node.left != null) {
            node = node.left;
        }
        return node;
    }

    private Block before(final long size, final long address) {
        final int bin = bin(size);
        Block best = null;
        Block node = roots[bin];
        while (node != null) {
            if (node.size < size || node.size == size && node.address < address) {
                best = node;
                node = node.right;
            } else {
                node = node.left;
            }
        }
        for (int earlier = bin - 1; best == null && earlier >= 0; earlier--) {
            best = roots[earlier];
            while (best != null && best.right != null) {
                best = best.right;
            }
        }
        return best;
    }

    private static void inOrder(final Block node, final List<Block> list) {
        if (node != null) {
            inOrder(node.left, list);
            list.add(node);
            inOrder(node.right, list);
        }
    }

    private void attach(final int bin, final Block parent, final boolean onLeft, final Block child) {
        if (parent == null) {
            roots[bin] = child;
        } else if (onLeft) {
            parent.left = child;
        } else {
            parent.right = child;
        }
    }

    /** Divides a tree into what precedes {@code block} and what follows it, as its two subtrees. */
    private static void split(final Block tree, final Block block) {
        block.left = null;
        block.right = null;
        Block lowTail = null;
        Block highTail = null;
        Block node = tree;
        while (node != null) {
            if (precedes(node, block)) {
                if (lowTail == null) {
                    block.left = node;
                } else {
                    lowTail.right = node;
                }
                lowTail = node;
                node = node.right;
            } else {
                if (highTail == null) {
                    block.right = node;
                } else {
                    highTail.left = node;
                }
                highTail = node;
                node = node.left;
            }
        }
        if (lowTail != null) {
            lowTail.right = null;
        }
        if (highTail != null) {
            highTail.left = null;
        }
    }

    /** Joins two trees, the first of which lies wholly before the second. */
    private static Block merge(final Block first, final Block second) {
        Block low = first;
        Block high = second;
        Block root = null;
        Block tail = null;
        boolean tailOnLeft = false;
        while (low != null && high != null) {
            final boolean lowOnTop = Long.compareUnsigned(priority(low), priority(high)) >= 0;
            final Block top = lowOnTop ? low : high;
            if (tail == null) {
                root = top;
            } else if (tailOnLeft) {
                tail.left = top;
            } else {
                tail.right = top;
            }
            tail = top;
            tailOnLeft = !lowOnTop;
            if (lowOnTop) {
                low = low.right;
            } else {
                high = high.left;
            }
        }
        final Block rest = low != null ? low : high;
        if (tail == null) {
            return rest;
        }
        if (tailOnLeft) {
            tail.left = rest;
        } else {
            tail.right = rest;
        }
        return root;
    }

    private int nextBin(final int from) {
        if (from >= BINS) {
            return -1;
        }
        final int word = from >>> 6;
        final long here = occupied[word] & (-1L << from);
        if (here != 0) {
            return (word << 6) + Long.numberOfTrailingZeros(here);
        }
        final long later = word == 63 ? 0 : occupiedWords & (-1L << (word + 1));
        if (later == 0) {
            return -1;
        }
        final int found = Long.numberOfTrailingZeros(later);
        return (found << 6) + Long.numberOfTrailingZeros(occupied[found]);
    }

    private static boolean precedes(final Block a, final Block b) {
        return a.size < b.size || a.size == b.size && a.address < b.address;
    }

    private static long priority(final Block block) {
        final long x = (block.address >>> UNIT_BITS) * 0x9E3779B97F4A7C15L;
        return (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    }

    private static int bin(final long size) {
        final long units = size >>> UNIT_BITS;
        if (units < FINE) {
            return (int) units;
        }
        final int exponent = 63 - Long.numberOfLeadingZeros(units);
        return ((exponent - FINE_BITS + 1) << FINE_BITS) + ((int) (units >>> (exponent - FINE_BITS)) & (FINE - 1));
    }
}
