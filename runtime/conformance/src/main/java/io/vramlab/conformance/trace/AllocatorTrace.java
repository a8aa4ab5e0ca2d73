package io.vramlab.conformance.trace;

import io.vramlab.memory.TraceAction;
import java.util.List;
import java.util.Map;

/**
 * A recorded run of PyTorch's allocator: what was done, and its state after each step.
 *
 * @param name
 *            the recording's name
 * @param conf
 *            the settings it ran under
 * @param limit
 *            bytes that the process was allowed to reserve, 0 for no limit
 * @param deviceTotal
 *            bytes of the device
 * @param columns
 *            the statistics that were read after every operation
 * @param operations
 *            what was done
 * @param expected
 *            the columns' values after each operation
 * @param entries
 *            the history
 * @param finalStats
 *            all statistics at the end
 * @param segments
 *            the layout at the end
 */
record AllocatorTrace(String name, String conf, long limit, long deviceTotal, List<String> columns,
        List<Operation> operations, long[][] expected, List<Entry> entries, Map<String, Long> finalStats,
        List<Layout> segments) {

    /** The kinds of operation, by the letter that stands for them. */
    enum Kind {
        ALLOCATE("a"), RUN_OUT("o"), FREE("f"), RECORD_STREAM("r"), EMPTY_CACHE("e"), RESET_PEAKS("p");

        final String letter;

        Kind(final String letter) {
            this.letter = letter;
        }
    }

    /** One operation; {@code id} names the allocation, {@code stream} counts the recording's streams. */
    record Operation(Kind kind, int id, long bytes, int stream) {
    }

    /** One history entry. */
    record Entry(TraceAction action, long address, long size, int stream) {

        boolean completesFree() {
            return action == TraceAction.FREE_COMPLETED;
        }
    }

    /** One block of a segment at the end. */
    record BlockLayout(long size, long requested, String state, long address) {
    }

    /** One segment at the end. */
    record Layout(long address, long totalSize, int stream, String type, long allocated, long active, long requested,
            boolean expandable, List<BlockLayout> blocks) {
    }

    /** The number of streams that operations name. */
    int streams() {
        int most = 0;
        for (final Operation operation : operations) {
            most = Math.max(most, operation.stream);
        }
        return most + 1;
    }
}
