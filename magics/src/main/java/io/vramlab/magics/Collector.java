package io.vramlab.magics;

import io.vramlab.tensor.Collected;
import io.vramlab.tensor.LiveTensors;

/** Asks the collector for tensors that nothing can reach. */
final class Collector {

    private static final int MOST_ROUNDS = 4;

    private Collector() {
    }

    /**
     * Collects until nothing more comes: references are queued by a thread of the JVM shortly after a collection, and
     * letting a graph go may make more tensors unreachable.
     */
    static Collected run() {
        Collected before = LiveTensors.collected();
        int quiet = 0;
        for (int round = 0; round < MOST_ROUNDS && quiet < 1; round++) {
            System.gc();
            Thread.yield();
            quiet = LiveTensors.drain().handles() == 0 ? quiet + 1 : 0;
        }
        return LiveTensors.collected().minus(before);
    }
}
