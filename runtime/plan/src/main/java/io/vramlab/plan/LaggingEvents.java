package io.vramlab.plan;

import io.vramlab.memory.StreamEvents;

/** Streams of a GPU that is as late as may be: a mark is passed when somebody waits, and not before. */
final class LaggingEvents implements StreamEvents {

    private long marked;
    private long passed;

    @Override
    public long record(long stream) {
        return ++marked;
    }

    @Override
    public boolean isComplete(long event) {
        return event <= passed;
    }

    @Override
    public void await(long event) {
        passed = Math.max(passed, event);
    }

    @Override
    public void done(long event) {
        // nothing is held
    }

    @Override
    public void synchronize(long stream) {
        passed = marked;
    }
}
