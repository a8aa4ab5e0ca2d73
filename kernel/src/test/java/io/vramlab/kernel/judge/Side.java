package io.vramlab.kernel.judge;

import java.util.List;
import java.util.Set;

/** One of those whose answers are compared. */
interface Side {

    /**
     * Runs sequences, each as if there were no other.
     *
     * @return by sequence, what is seen of each of its cells; null for a sequence that this side cannot run
     */
    List<List<Seen>> run(List<CellSequence> sequences) throws Exception;

    /** Seeds of sequences that are no fault of theirs: this side itself broke over them. */
    default Set<Long> broken() {
        return Set.of();
    }

    /** What there was to say of sequences that it could not run. */
    default List<String> refusals() {
        return List.of();
    }
}
