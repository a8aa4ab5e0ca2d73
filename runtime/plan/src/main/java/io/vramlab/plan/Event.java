package io.vramlab.plan;

/** One line of a recording that moves memory or marks a moment. */
sealed interface Event permits Operation, Event.Released, Event.Resized, Event.Brought, Event.Mark {

    /** A storage whose last holder let it go. */
    record Released(long storage) implements Event {
    }

    /** A storage that has another size from now on. */
    record Resized(long storage, long bytes) implements Event {
    }

    /** A storage that was there before the recording began, or that something outside of it made. */
    record Brought(long storage, long bytes) implements Event {
    }

    /** A moment: {@code step}, {@code optimizer_step}, {@code empty_cache}, {@code reset_peak}. */
    record Mark(String what, int stack) implements Event {
    }
}
