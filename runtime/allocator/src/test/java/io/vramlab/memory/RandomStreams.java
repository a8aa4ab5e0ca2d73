package io.vramlab.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Streams whose work is done when the test says so, each in order. */
final class RandomStreams implements StreamEvents {

    private final List<Deque<Long>> queues = new ArrayList<>();
    private final List<Boolean> complete = new ArrayList<>(List.of(true));

    /** The oldest work of a stream is done. */
    void advance(final int stream) {
        if (stream < queues.size() && !queues.get(stream).isEmpty()) {
            await(queues.get(stream).peekFirst());
        }
    }

    @Override
    public long record(final long stream) {
        while (queues.size() <= stream) {
            queues.add(new ArrayDeque<>());
        }
        final long event = complete.size();
        complete.add(false);
        queues.get((int) stream).addLast(event);
        return event;
    }

    @Override
    public boolean isComplete(final long event) {
        return complete.get((int) event);
    }

    @Override
    public void await(final long event) {
        complete.set((int) event, true);
        queues.forEach(queue -> queue.remove(event));
    }

    @Override
    public void done(final long event) {
        // events are not reused here
    }

    @Override
    public void synchronize(final long stream) {
        while (stream < queues.size() && !queues.get((int) stream).isEmpty()) {
            advance((int) stream);
        }
    }
}
