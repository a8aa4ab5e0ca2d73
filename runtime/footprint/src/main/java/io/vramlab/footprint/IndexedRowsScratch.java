package io.vramlab.footprint;

/**
 * The transient memory of adding rows at positions that may repeat, the gradient of {@code x[index]}: PyTorch brings the
 * indices into range, makes positions in memory of them, and sorts those together with their order
 * (index_put_with_sort_kernel of 2.11; docs/footprint.md, "Gradients of rows").
 */
public final class IndexedRowsScratch {

    private IndexedRowsScratch() {
    }

    /**
     * What it takes.
     *
     * @param indices
     *            how many rows are added
     * @param rows
     *            how many there are to add to
     */
    public static Footprint of(long indices, long rows) {
        if (indices == 0 || rows == 0) {
            return Footprint.NOTHING;
        }
        long bytes = Long.BYTES * indices;
        Footprint.Steps steps = new Footprint.Steps();
        int inRange = steps.take(bytes);
        steps.take(bytes);
        steps.giveBack(inRange);
        steps.take(bytes);
        steps.take(bytes);
        steps.take(bytes);
        long bits = Long.SIZE - Long.numberOfLeadingZeros(rows - 1);
        return steps.pass(CubScratch.sort(indices, bits)).done();
    }
}
