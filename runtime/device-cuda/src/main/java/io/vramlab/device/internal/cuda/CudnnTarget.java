package io.vramlab.device.internal.cuda;

import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;

/** What cuDNN plans for: a GPU that is there, whose handle it has, or one that is only described. */
sealed interface CudnnTarget {

    /** Tells a graph of operations. */
    Descriptor graph(Descriptor graph) throws Refused;

    /** Tells heuristics. */
    Descriptor heuristics(Descriptor heuristics) throws Refused;

    /** Tells a plan. */
    Descriptor plan(Descriptor plan) throws Refused;

    /** The GPU of that handle. */
    static CudnnTarget of(long handle) {
        return new Present(handle);
    }

    /** A GPU that is there. */
    record Present(long handle) implements CudnnTarget {

        @Override
        public Descriptor graph(Descriptor graph) throws Refused {
            return graph.handle(800, handle);
        }

        @Override
        public Descriptor heuristics(Descriptor heuristics) {
            return heuristics;
        }

        @Override
        public Descriptor plan(Descriptor plan) throws Refused {
            return plan.handle(400, handle);
        }
    }

    /** One that is described. */
    record Described(Descriptor device) implements CudnnTarget {

        @Override
        public Descriptor graph(Descriptor graph) {
            return graph;
        }

        @Override
        public Descriptor heuristics(Descriptor heuristics) throws Refused {
            return heuristics.of(204, device);
        }

        @Override
        public Descriptor plan(Descriptor plan) throws Refused {
            return plan.of(407, device);
        }
    }
}
