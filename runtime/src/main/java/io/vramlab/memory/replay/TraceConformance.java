package io.vramlab.memory.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays recorded runs of PyTorch's allocator and compares: the statistics after every operation, the order of history
 * entries, the final statistics, and the final layout down to every block's address.
 *
 * <p>
 * Two things a recording leaves open. Frees completed from different streams at one polling come in no fixed order: runs
 * of completions are compared as sets. And the handles of streams other than the default one are not recorded, though
 * cached segments are released in their order: the handles are taken in the recording's order first, and in the others
 * when that does not fit.
 */
public final class TraceConformance {

    private static final int MOST_PERMUTED = 4;

    private TraceConformance() {
    }

    /**
     * Replays one recording.
     *
     * @throws TraceFormatException
     *             if the file is not one, in one line
     * @throws IOException
     *             if it cannot be read
     */
    public static Conformance check(final Path file) throws IOException {
        final AllocatorTrace trace = TraceReader.read(file);
        Conformance best = null;
        for (final long[] handles : handleOrders(trace.streams())) {
            final Conformance result;
            try {
                result = new TraceReplay(trace, handles).run();
            } catch (final IllegalArgumentException | IllegalStateException e) {
                throw new TraceFormatException(file, e);
            }
            if (best == null || result.mismatches() < best.mismatches()) {
                best = result;
            }
            if (best.mismatches() == 0) {
                break;
            }
        }
        return best;
    }

    /** The handles that the streams may have had: the default stream's is 0, the others' only order matters. */
    private static List<long[]> handleOrders(final int streams) {
        final List<long[]> orders = new ArrayList<>();
        final long[] handles = new long[streams];
        for (int i = 0; i < streams; i++) {
            handles[i] = i;
        }
        if (streams > MOST_PERMUTED) {
            orders.add(handles);
        } else {
            permute(handles, 1, orders);
        }
        return orders;
    }

    private static void permute(final long[] handles, final int from, final List<long[]> orders) {
        if (from >= handles.length) {
            orders.add(handles.clone());
        }
        for (int i = from; i < handles.length; i++) {
            swap(handles, from, i);
            permute(handles, from + 1, orders);
            swap(handles, from, i);
        }
    }

    private static void swap(final long[] values, final int i, final int j) {
        final long value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
