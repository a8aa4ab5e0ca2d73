package io.vramlab.memory.internal.whatif;

import io.vramlab.memory.StreamEvents;
import java.util.BitSet;

/**
 * Streams of a replay: a block whose free was pending in the recording is used by a stream of its own, whose work is done
 * when the recording says so, or when the allocator waits for it.
 */
final class ScriptedEvents implements StreamEvents {

    private static final long FIRST = Long.MIN_VALUE;

    private final BitSet busy = new BitSet();
    private final BitSet complete = new BitSet();

    /** A stream that nobody waits for. */
    long takeStream() {
        final int index = busy.nextClearBit(0);
        busy.set(index);
        complete.clear(index);
        return FIRST + index;
    }

    /** The work of the stream is done. */
    void complete(final long stream) {
        complete.set((int) (stream - FIRST));
    }

    @Override
    public long record(final long stream) {
        return stream;
    }

    @Override
    public boolean isComplete(final long event) {
        return event >= 0 || complete.get((int) (event - FIRST));
    }

    @Override
    public void await(final long event) {
        // the recording shows that the work ends; waiting for it takes no time here
    }

    @Override
    public void done(final long event) {
        busy.clear((int) (event - FIRST));
    }

    @Override
    public void synchronize(final long stream) {
        // see await
    }
}
