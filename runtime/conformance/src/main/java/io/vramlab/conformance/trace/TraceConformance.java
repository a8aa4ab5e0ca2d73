package io.vramlab.conformance.trace;

import io.vramlab.device.DeviceMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Replays recorded runs of PyTorch's allocator and compares: the statistics after every operation, the order of history
 * entries, the final statistics, and the final layout down to every block's address.
 *
 * <p>
 * Two things a recording leaves open. Frees completed from different streams at one polling come in no fixed order: runs
 * of completions are compared as sets. And neither the handles of streams other than the default one are recorded, in
 * whose order cached segments are released, nor the order in which PyTorch's hash table polls the streams, which decides
 * which of two joining blocks survives: both are taken in the recording's order first, and in every other when that does
 * not fit.
 */
public final class TraceConformance {

    private static final int MOST_PERMUTED = 3;

    private TraceConformance() {
    }

    /**
     * Replays one recording.
     *
     * @throws TraceFileException
     *             if the file is not one, in one line
     * @throws IOException
     *             if it cannot be read
     */
    public static Conformance check(final Path file) throws IOException {
        return reading(file, trace -> best(trace).conformance());
    }

    /**
     * Replays one recording over a device's own memory, twice: with the recording's addresses in place of the device's, and
     * with the device's own, whose order decides between equal blocks.
     *
     * @param device
     *            which should hold nothing
     * @throws TraceFileException
     *             if the file is not one, in one line
     * @throws IOException
     *             if it cannot be read
     */
    public static DeviceConformance check(final Path file, final DeviceMemory device) throws IOException {
        return reading(file, trace -> {
            final StreamOrder order = best(trace).order();
            return new DeviceConformance(TraceReplay.over(device, trace, order).run(),
                    TraceReplay.on(device, trace, order).differingStatistics());
        });
    }

    private static <T> T reading(final Path file, final Function<AllocatorTrace, T> work) throws IOException {
        final AllocatorTrace trace = TraceReader.read(file);
        try {
            return work.apply(trace);
        } catch (final IllegalArgumentException | IllegalStateException e) {
            throw new TraceFileException(file, e);
        }
    }

    private record Fit(Conformance conformance, StreamOrder order) {
    }

    private static Fit best(final AllocatorTrace trace) {
        Fit best = null;
        for (final long[] handles : orders(trace.streams(), 1)) {
            for (final long[] polling : orders(trace.streams(), 0)) {
                final StreamOrder order = new StreamOrder(handles,
                        Arrays.stream(polling).mapToInt(place -> (int) place).toArray());
                final Conformance result = new TraceReplay(trace, order).run();
                if (best == null || result.mismatches() < best.conformance().mismatches()) {
                    best = new Fit(result, order);
                }
                if (best.conformance().mismatches() == 0) {
                    return best;
                }
            }
        }
        return best;
    }

    /** All orders of the streams in which the first {@code fixed} keep their places; one when there are too many. */
    private static List<long[]> orders(final int streams, final int fixed) {
        final List<long[]> orders = new ArrayList<>();
        final long[] places = new long[streams];
        for (int i = 0; i < streams; i++) {
            places[i] = i;
        }
        if (streams > MOST_PERMUTED) {
            orders.add(places);
        } else {
            permute(places, Math.min(fixed, streams), orders);
        }
        return orders;
    }

    private static void permute(final long[] places, final int from, final List<long[]> orders) {
        if (from >= places.length) {
            orders.add(places.clone());
        }
        for (int i = from; i < places.length; i++) {
            swap(places, from, i);
            permute(places, from + 1, orders);
            swap(places, from, i);
        }
    }

    private static void swap(final long[] values, final int i, final int j) {
        final long value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
