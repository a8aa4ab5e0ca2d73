package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

/**
 * The transient memory of what finds, sorts and scans elements: nonzero, sort, cumsum of a vector, and writing at positions
 * that may repeat. The steps are those of Nonzero.cu, Sort.cu, ScanUtils.cuh and Indexing.cu of 2.11, CUB's part was fitted to
 * an H200; docs/footprint.md, "Sorting and scanning".
 */
public final class SelectionScratch {

    /** Rows up to this length are sorted by PyTorch's own kernels, in one go; longer ones by CUB, in memory of its own. */
    public static final long SMALL_SORT = 4096;
    /** Items of four bytes that one block scans at a time. */
    private static final long SCAN_TILE = 3840;

    /** Anything from 375 to 390 would do. */
    private static final long RUNS_TILE = 384;
    /** Where runs of equal elements are numbered; anything from 2,344 to 3,124 would do. */
    private static final long RUNS_SCAN_TILE = 3072;

    /** Items of a mask that one block numbers at a time. */
    private static final long NUMBERING_TILE = 896;

    private SelectionScratch() {
    }

    /** Counting what is not zero: the number, which stays until the end, and CUB's reduction. */
    public static Footprint counting(DeviceProperties device, long items) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Integer.BYTES);
        return steps.pass(CubScratch.reduce(device, items, Integer.BYTES)).done();
    }

    /** Selecting what is marked. */
    public static Footprint selecting(long items) {
        return new Footprint.Steps().pass(CubScratch.scan(items, Integer.BYTES, CubScratch.SELECT_TILE)).done();
    }

    /** Selecting those of a sorted array that are not what stands before them, by elements of that many bytes. */
    public static Footprint distinct(long items, int bytes) {
        return new Footprint.Steps().pass(CubScratch.scan(items, Integer.BYTES,
                bytes == Integer.BYTES ? CubScratch.SELECT_WORD_TILE : CubScratch.SELECT_TILE)).done();
    }

    /** How often each of a sorted array comes, with what it is: CUB's encoding of runs. */
    public static Footprint runs(long items) {
        return new Footprint.Steps().pass(CubScratch.scan(items, Integer.BYTES, RUNS_TILE)).done();
    }

    /** A scan of one long row. */
    public static Footprint scan(long items, int bytes) {
        return new Footprint.Steps().pass(CubScratch.scan(items, bytes, SCAN_TILE)).done();
    }

    /** A sort of one row or several: the order that they begin with, and for a long row CUB's memory. */
    public static Footprint sort(long length, int key) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * length);
        if (length > SMALL_SORT) {
            steps.pass(CubScratch.sort(length, key, Long.BYTES));
        }
        return steps.done();
    }

    /** Few long rows together: all elements with their positions, then the positions by their row. */
    public static Footprint sortRows(long items, int key) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * items);
        steps.take(Long.BYTES * items);
        int sorted = steps.take((long) key * items);
        steps.pass(CubScratch.sort(items, key, Long.BYTES)).giveBack(sorted);
        return steps.pass(CubScratch.sortByRow(items)).done();
    }

    /** Many long rows, each by itself: the order that they begin with, and room for all keys and positions. */
    public static Footprint sortManyRows(long items, int key) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * items);
        return steps.pass(CubScratch.sortSegments(items, key, Long.BYTES)).done();
    }

    /** Sorting keys alone. */
    public static Footprint sortKeys(long items, int key) {
        return sortKeys(items, key, 0);
    }

    /** Sorting keys with what belongs to them. */
    public static Footprint sortKeys(long items, int key, int value) {
        return new Footprint.Steps().pass(CubScratch.sort(items, key, value)).done();
    }

    /** Sorting positions together with their order: both sorted. */
    public static Footprint sortedPositions(long many, long positions) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * many);
        steps.take(Long.BYTES * many);
        steps.take(Long.BYTES * many);
        long bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, positions - 1));
        return steps.pass(CubScratch.sort(many, bits)).done();
    }

    /** A number and a truth value of it, given back after the host has read it. */
    public static Footprint looked(int bytes) {
        Footprint.Steps steps = new Footprint.Steps();
        int number = steps.take(bytes);
        return steps.pass(1).giveBack(number).done();
    }

    /** Memory that stays until the end. */
    public static Footprint held(long bytes) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(bytes);
        return steps.done();
    }

    /** Sorting elements with their positions, which stay, from positions in order, which go. */
    public static Footprint sortedOrder(long items, int key) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * items);
        int order = steps.take(Long.BYTES * items);
        return steps.pass(CubScratch.sort(items, key, Long.BYTES)).giveBack(order).done();
    }

    /** Numbering runs of equal elements: a scan of where they begin. */
    public static Footprint inverses(long items) {
        return new Footprint.Steps().pass(CubScratch.scan(items, Integer.BYTES, RUNS_SCAN_TILE)).done();
    }

    /**
     * A random order: seed and offset for a moment, positions, and random keys that they are sorted by, of as many bits as
     * make equal keys unlikely.
     */
    public static Footprint permutation(long n) {
        long bits = (long) Math.min(64,
                Math.ceil(Math.log(n - (6.0 * n * n + 1) / (Math.log(0.9) * 12)) / Math.log(2)));
        long key = bits <= 32 ? Integer.BYTES : Long.BYTES;
        Footprint.Steps steps = new Footprint.Steps();
        steps.pass(Long.BYTES);
        steps.take(Long.BYTES * n);
        steps.take(key * n);
        steps.take(key * n);
        return steps.pass(key == Long.BYTES ? CubScratch.sort(n, bits) : CubScratch.sort(n, (int) key, Long.BYTES))
                .done();
    }

    /** Numbering what a mask marks: the numbers, and CUB's scan of them. */
    public static Footprint numbering(long items) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(Long.BYTES * items);
        return steps.pass(CubScratch.scan(items, NUMBERING_TILE)).done();
    }

    /** CUB's scan alone. */
    public static Footprint numberingScan(long items) {
        return new Footprint.Steps().pass(CubScratch.scan(items, NUMBERING_TILE)).done();
    }
}
