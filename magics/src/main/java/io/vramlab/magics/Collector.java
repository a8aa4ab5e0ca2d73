package io.vramlab.magics;

import io.vramlab.tensor.Collected;
import io.vramlab.tensor.LiveTensors;

/** Asks the collector for tensors that nothing can reach. */
final class Collector {

    private Collector() {
    }

    /** One collection; says what it found. */
    static Collected run() {
        System.gc();
        return LiveTensors.drain();
    }
}
