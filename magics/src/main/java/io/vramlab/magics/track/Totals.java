package io.vramlab.magics.track;

/**
 * What happened in a stretch of a log. Bytes, except for counts.
 *
 * @param start
 *            allocated before it
 * @param allocated
 *            handed out during it
 * @param freed
 *            given back to the cache during it
 * @param peak
 *            the most allocated at once during it
 * @param peakIndex
 *            the live set at the peak is {@link EventLog#liveAt} of it
 * @param end
 *            allocated after it
 * @param acquired
 *            obtained from the driver during it
 * @param released
 *            given back to the driver during it
 * @param allocations
 *            how many blocks were handed out
 * @param frees
 *            how many were given back
 * @param outOfMemory
 *            how many requests failed
 */
public record Totals(long start, long allocated, long freed, long peak, long peakIndex, long end, long acquired,
        long released, long allocations, long frees, long outOfMemory) {

    /** Sums a stretch up. Stretches may lie within each other: each has its own peak. */
    public static Totals of(EventLog log, long from, long to) {
        Sum sum = new Sum(log.stateAt(from).allocated(), from);
        log.replay(from, to, sum);
        return sum.totals();
    }

    /** What stayed: allocated less freed. */
    public long net() {
        return allocated - freed;
    }

    private static final class Sum implements EventLog.Visitor {

        private final long start;
        private long last;
        private long allocated;
        private long freed;
        private long peak;
        private long peakIndex;
        private long acquired;
        private long released;
        private long allocations;
        private long frees;
        private long failures;

        Sum(long start, long from) {
            this.start = start;
            this.last = start;
            this.peak = start;
            this.peakIndex = from;
        }

        @Override
        public void at(EventLog.Event event, EventLog.State state) {
            last = state.allocated();
            if (last > peak) {
                peak = last;
                peakIndex = event.index() + 1;
            }
            switch (event.action()) {
                case ALLOC -> {
                    allocated += event.bytes();
                    allocations++;
                }
                case FREE_REQUESTED -> {
                    freed += event.bytes();
                    frees++;
                }
                case SEGMENT_ALLOC -> acquired += event.bytes();
                case SEGMENT_FREE -> released += event.bytes();
                case OOM -> failures++;
                default -> {
                    // the log keeps no other events
                }
            }
        }

        Totals totals() {
            return new Totals(start, allocated, freed, peak, peakIndex, last, acquired, released, allocations, frees,
                    failures);
        }
    }
}
