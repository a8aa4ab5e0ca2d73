package io.vramlab.plan;

/** One line of a recording that moves memory or marks a moment. */
sealed interface PlanEvent permits Operation, PlanEvent.Released, PlanEvent.Resized, PlanEvent.Brought, PlanEvent.Mark,
        PlanEvent.Turned, PlanEvent.Limited, PlanEvent.Used, PlanEvent.Lingering, PlanEvent.SharedOut {

    /** A storage whose last holder let it go. */
    record Released(long storage) implements PlanEvent {
    }

    /** A storage that has another size from now on. */
    record Resized(long storage, long bytes) implements PlanEvent {
    }

    /** A storage that was there before the recording began, or that something outside of it made. */
    record Brought(long storage, long bytes) implements PlanEvent {
    }

    /** What follows is allocated for a stream, 0 the default one, and runs on one: another where a graph is captured, whose pool is told as a stream. */
    record Turned(int stream, int on) implements PlanEvent {

        /** Pools of captured graphs are numbered from here on. */
        static final int FIRST_GRAPH = 64;
    }

    /** A storage was used on a stream that it does not belong to, as {@code record_stream} tells. */
    record Used(long storage, int stream) implements PlanEvent {
    }

    /** A storage that, once let go, may stay until the optimizer has stepped. */
    record Lingering(long storage) implements PlanEvent {
    }

    /** The next operation's result has a length that a router decides: what it gives to one of its experts, of which each token has several. */
    record SharedOut(int expert, int experts, int picks) implements PlanEvent {
    }

    /** From now on the process may reserve that part of the device, as {@code set_per_process_memory_fraction} says. */
    record Limited(double fraction) implements PlanEvent {
    }

    /** A moment: {@code step}, {@code optimizer_step}, {@code empty_cache}, {@code clear_cublas}, {@code reset_peak}, {@code synchronize}. */
    record Mark(String what, int stack) implements PlanEvent {

        /** What follows was to be compiled, and runs as it is. */
        static final String EAGER_FORM = "eager_form";
    }
}
