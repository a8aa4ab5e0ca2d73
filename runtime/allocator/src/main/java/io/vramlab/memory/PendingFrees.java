package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Blocks whose free waits for other streams: one queue per stream of (event, block), polled at the start of every
 * allocation and waited for before the cache is flushed: docs/allocator.md, "Streams and events".
 */
final class PendingFrees {

    private record Waiting(long event, Block block) {
    }

    private static final class StreamQueue {

        private final long stream;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

        private StreamQueue(final long stream) {
            this.stream = stream;
        }
    }

    private final StreamEvents events;
    private final List<StreamQueue> queues = new ArrayList<>();
    private int count;

    PendingFrees(final StreamEvents events) {
        this.events = events;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Records an event on each stream that uses the block, and forgets those uses. */
    void add(final Block block) {
        for (final long stream : block.streamUses) {
            final long event = events.record(stream);
            queue(stream).waiting.addLast(new Waiting(event, block));
            block.eventCount++;
            count++;
        }
        block.streamUses = null;
    }

    /** Hands over blocks whose last event is complete, each stream in order up to its first incomplete event. */
    void poll(final Consumer<Block> complete) {
        for (final StreamQueue queue : queues) {
            while (!queue.waiting.isEmpty() && events.isComplete(queue.waiting.peekFirst().event)) {
                finish(queue, complete);
            }
        }
    }

    /** Waits for every event and hands over all blocks. */
    void await(final Consumer<Block> complete) {
        for (final StreamQueue queue : queues) {
            while (!queue.waiting.isEmpty()) {
                events.await(queue.waiting.peekFirst().event);
                finish(queue, complete);
            }
        }
    }

    private void finish(final StreamQueue queue, final Consumer<Block> complete) {
        final Waiting first = queue.waiting.pollFirst();
        count--;
        events.done(first.event);
        if (--first.block.eventCount == 0) {
            complete.accept(first.block);
        }
    }

    private StreamQueue queue(final long stream) {
        for (final StreamQueue queue : queues) {
            if (queue.stream == stream) {
                return queue;
            }
        }
        final StreamQueue queue = new StreamQueue(stream);
        int at = queues.size();
        while (at > 0 && events.pollingOrder(queues.get(at - 1).stream) > events.pollingOrder(stream)) {
            at--;
        }
        queues.add(at, queue);
        return queue;
    }
}
