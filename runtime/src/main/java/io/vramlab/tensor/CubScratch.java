package io.vramlab.tensor;

/**
 * Bytes of scratch memory that NVIDIA's CUB asks for when PyTorch sorts or scans with it. The rules were fitted to
 * recordings on an H200; the tile sizes in them belong to that architecture (sm_90). Every part of a scratch buffer
 * starts at a multiple of 256, and the whole has room to be aligned itself.
 */
final class CubScratch {

    private static final long PART = 256;
    private static final long RADIX_DIGITS = 256;
    private static final long DIGIT_BITS = 8;
    private static final long SORT_TILE = 4608;
    private static final long TILE_STATE_BYTES = 16;
    private static final long TILE_PADDING = 32;

    private CubScratch() {
    }

    /**
     * Sorting pairs of int64: one of each in spare, per pass a histogram, per tile the digits seen before it.
     *
     * @param bits
     *            of a key, from the lowest, that are looked at
     */
    static long sort(long items, long bits) {
        long passes = tiles(bits, DIGIT_BITS);
        return whole(2 * parts(Long.BYTES * items) + parts(passes * RADIX_DIGITS * Long.BYTES) + PART
                + parts(RADIX_DIGITS * Integer.BYTES * tiles(items, SORT_TILE)));
    }

    /** One pass with a state per tile: a scan, or a selection. */
    static long scan(long items, long tile) {
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
