package io.vramlab.footprint;

/**
 * Bytes of scratch memory that NVIDIA's CUB asks for when PyTorch sorts or scans with it. The rules were fitted to
 * recordings on an H200; the tile sizes in them belong to that architecture (sm_90). Every part of a scratch buffer
 * starts at a multiple of 256, and the whole has room to be aligned itself: docs/footprint.md, "Sorting and scanning".
 */
public final class CubScratch {

    private static final long PART = 256;
    private static final long RADIX_DIGITS = 256;
    private static final long DIGIT_BITS = 8;
    private static final long SORT_TILE = 4608;
    private static final long SINGLE_SORT_TILE = 2304;
    private static final long SCAN_BY_KEY_TILE = 4032;
    private static final long TILE_STATE_BYTES = 16;
    private static final long TILE_PADDING = 32;

    private CubScratch() {
    }

    /**
     * Sorting pairs of int64: per pass a histogram, per tile the digits seen before it, and one of each pair in spare if
     * there is more than one pass. Few items are sorted within one tile, on the chip.
     *
     * @param items
     *            how many pairs
     * @param bits
     *            of a key, from the lowest, that are looked at
     */
    public static long sort(long items, long bits) {
        if (items <= SINGLE_SORT_TILE) {
            return 1;
        }
        long passes = Math.max(1, tiles(bits, DIGIT_BITS));
        return whole((passes > 1 ? 2 * parts(Long.BYTES * items) : 0)
                + parts(passes * RADIX_DIGITS * Long.BYTES) + PART
                + parts(RADIX_DIGITS * Integer.BYTES * tiles(items, SORT_TILE)));
    }

    /** Sums of int32 within runs of equal int32 keys: a state and the last key per tile. */
    public static long scanByKey(long items) {
        long tiles = tiles(items, SCAN_BY_KEY_TILE);
        return whole(parts((TILE_PADDING + tiles) * TILE_STATE_BYTES) + parts(Integer.BYTES * tiles));
    }

    /** One pass with a state per tile: a scan, or a selection. */
    public static long scan(long items, long tile) {
        return whole(parts((TILE_PADDING + tiles(items, tile)) * TILE_STATE_BYTES) + PART);
    }

    private static long whole(long bytes) {
        return bytes + PART - 1;
    }

    private static long parts(long bytes) {
        return tiles(bytes, PART) * PART;
    }

    static long tiles(long items, long tile) {
        return (items + tile - 1) / tile;
    }
}
