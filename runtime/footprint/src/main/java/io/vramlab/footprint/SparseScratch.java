package io.vramlab.footprint;

/**
 * What PyTorch takes while it merges the rows of a sparse gradient: Thrust's sort of their indices, which compares, and its
 * search for the distinct ones (SparseCUDATensor.cu of 2.11). Fitted to 30 numbers of rows from 2 to 3,000,000 on an H200; see
 * docs/footprint.md, "Sparse gradients".
 */
public final class SparseScratch {

    private static final long PART = 256;
    private static final long SORT_TILE = 2048;
    /** Anything from 9,375 to 9,868 would do. */
    private static final long UNIQUE_TILE = 9728;

    private SparseScratch() {
    }

    /** Sorting so many indices with their places by comparison: spare room for both, and where each tile begins. */
    public static Footprint sorting(long entries) {
        long begins = Integer.BYTES * (1 + CubScratch.tiles(entries, SORT_TILE));
        return new Footprint.Steps().pass(2 * parts(Long.BYTES * entries) + parts(begins) + PART - 1).done();
    }

    /** Sorting so many indices alone. */
    public static Footprint sortingKeys(long entries) {
        long begins = Integer.BYTES * (1 + CubScratch.tiles(entries, SORT_TILE));
        return new Footprint.Steps().pass(parts(Long.BYTES * entries) + parts(begins) + PART - 1).done();
    }

    /** Differences of neighbours. */
    public static Footprint differences() {
        return new Footprint.Steps().pass(PART - 1).done();
    }

    /** Summing up int64; seen up to 3,000 of them. */
    public static Footprint summing(long entries) {
        return new Footprint.Steps().pass(CubScratch.scan(entries, UNIQUE_TILE)).done();
    }

    /** Finding where distinct ones begin: a scan, and how many they are. */
    public static Footprint merging(long entries) {
        return new Footprint.Steps().pass(CubScratch.scan(entries, UNIQUE_TILE) + PART).done();
    }

    private static long parts(long bytes) {
        return CubScratch.tiles(bytes, PART) * PART;
    }
}
