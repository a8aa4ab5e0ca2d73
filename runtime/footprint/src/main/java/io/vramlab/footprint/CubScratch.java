package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

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
    /** Anything from 2,404 to 2,499 would do. */
    private static final long SCAN_BY_LONG_KEY_TILE = 2432;
    /** Items of eight bytes that one block selects at a time, 11 for each of 384 threads; anything from 4,219 to 4,256 would do. */
    public static final long SELECT_TILE = 4224;
    /** Of four bytes, 17 for each of them; anything from 6,145 to 7,327 would do. */
    static final long SELECT_WORD_TILE = 6528;
    private static final long ROW_SORT_TILE = 5760;
    private static final long PAIR_SORT_TILE = 5376;
    private static final long HALF_PAIR_SORT_TILE = 5632;
    private static final long KEY_SORT_TILE = 6912;
    private static final long SINGLE_REDUCE_TILE = 4096;
    private static final long REDUCE_BLOCKS_PER_PROCESSOR = 8;
    private static final long REDUCE_OVERSUBSCRIPTION = 5;
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

    /** The same of int64 with int64 keys. */
    static long scanByLongKey(long items) {
        long tiles = tiles(items, SCAN_BY_LONG_KEY_TILE);
        return whole(parts((TILE_PADDING + tiles) * TILE_STATE_BYTES) + parts(Long.BYTES * tiles));
    }

    /** One pass with a state per tile: a scan, or a selection. */
    public static long scan(long items, long tile) {
        return whole(parts((TILE_PADDING + tiles(items, tile)) * TILE_STATE_BYTES) + PART);
    }

    /**
     * Sorting keys, with a value each or without, in one array: as {@link #sort(long, long)} with spare room for keys and values of
     * those sizes.
     *
     * @param value
     *            bytes of one, 0 for none
     */
    public static long sort(long items, int key, int value) {
        if (items <= SINGLE_SORT_TILE) {
            return 1;
        }
        long passes = tiles(Byte.SIZE * (long) key, DIGIT_BITS);
        long tile = key == Long.BYTES
                ? value == 0 ? ROW_SORT_TILE : SORT_TILE
                : value == 0 ? KEY_SORT_TILE : key == Short.BYTES ? HALF_PAIR_SORT_TILE : PAIR_SORT_TILE;
        return whole((passes > 1 ? parts(key * items) + parts(value * items) : 0)
                + parts(passes * RADIX_DIGITS * Long.BYTES) + PART
                + parts(RADIX_DIGITS * Integer.BYTES * tiles(items, tile)));
    }

    /** Sorting positions of 8 bytes by up to eight bits of them, in one pass: a tile of 5,760, by 10,000 to 4,000,000 positions. */
    static long sortByRow(long items) {
        return whole(parts(RADIX_DIGITS * Long.BYTES) + PART
                + parts(RADIX_DIGITS * Integer.BYTES * tiles(items, ROW_SORT_TILE)));
    }

    /** Sorting each of many rows: spare room for keys and values. */
    static long sortSegments(long items, int key, int value) {
        return whole(parts(key * items) + parts(value * items));
    }

    /** Adding up all items: a partial result for each block that the device holds at five times its occupancy. */
    public static long reduce(DeviceProperties device, long items, int partial) {
        if (items <= SINGLE_REDUCE_TILE) {
            return 1;
        }
        return whole(parts((long) partial * device.multiProcessorCount() * REDUCE_BLOCKS_PER_PROCESSOR
                * REDUCE_OVERSUBSCRIPTION));
    }

    /** One pass with a state per tile, of results of that many bytes. */
    public static long scan(long items, int result, long tile) {
        return whole(parts((TILE_PADDING + tiles(items, tile)) * (result == Integer.BYTES ? 8 : TILE_STATE_BYTES))
                + PART);
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
