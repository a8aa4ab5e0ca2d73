package io.vramlab.magics;

import io.vramlab.tensor.Collected;
import io.vramlab.tensor.LiveTensors;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** Asks the collector for tensors that nothing can reach. */
final class Collector {

    /** Letting a graph go may make more tensors unreachable, each round a layer of them. */
    private static final int MOST_ROUNDS = 6;
    private static final long LONGEST_WAIT_MILLIS = 500;

    private Collector() {
    }

    /** Collects until nothing more comes; says what came. */
    static Collected run() {
        Collected before = LiveTensors.collected();
        collect();
        long found = 1;
        for (int round = 0; round < MOST_ROUNDS && found > 0; round++) {
            collect();
            found = LiveTensors.drain().handles();
        }
        return LiveTensors.collected().minus(before);
    }

    /**
     * One collection. The JVM hands what it found to its queues a little later, in one batch per collection and one batch
     * after the other: so when a reference of this collection has arrived, every one of the collection before it has.
     */
    private static void collect() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<Object> probe = new PhantomReference<>(new Object(), queue);
        System.gc();
        try {
            queue.remove(LONGEST_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Reference.reachabilityFence(probe);
    }
}
