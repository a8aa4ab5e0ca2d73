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
        return of(indices, rows, 1, 0);
    }

    /**
     * The same where several dimensions are indexed.
     *
     * @param indices
     *            how many elements or rows are added
     * @param rows
     *            how many there are to add to
     * @param dimensions
     *            how many are indexed, each with its own indices
     * @param copied
     *            bytes of what is added where it does not lie packed, else 0
     */
    public static Footprint of(long indices, long rows, int dimensions, long copied) {
        return of(indices, rows, dimensions, copied, false);
    }

    /**
     * The same where PyTorch looks first whether all indices are in range, as it does for what a program asks for itself.
     */
    public static Footprint of(long indices, long rows, int dimensions, long copied, boolean looks) {
        return of(indices, rows, new boolean[dimensions], copied, looks);
    }

    /**
     * The same where some indices are the host's, which are brought into range there.
     *
     * @param hosts
     *            of each dimension that is indexed, whether its indices are the host's
     */
    public static Footprint of(long indices, long rows, boolean[] hosts, long copied, boolean looks) {
        if (indices == 0 || rows == 0) {
            return Footprint.NOTHING;
        }
        long bytes = Long.BYTES * indices;
        Footprint.Steps steps = new Footprint.Steps();
        for (int i = 0; i < hosts.length; i++) {
            for (int extreme = 0; looks && !hosts[i] && extreme < 2; extreme++) {
                int value = steps.take(Long.BYTES);
                steps.pass(1).giveBack(value);
            }
            int inRange = hosts[i] ? -1 : steps.take(bytes);
            int positions = steps.take(bytes);
            if (!hosts[i]) {
                steps.giveBack(inRange);
            }
            if (i > 0) { // added to the first
                steps.giveBack(positions);
            }
        }
        if (copied > 0) {
            steps.take(copied);
        }
        steps.take(bytes);
        steps.take(bytes);
        steps.take(bytes);
        long bits = Long.SIZE - Long.numberOfLeadingZeros(rows - 1);
        return steps.pass(CubScratch.sort(indices, bits)).done();
    }
}
