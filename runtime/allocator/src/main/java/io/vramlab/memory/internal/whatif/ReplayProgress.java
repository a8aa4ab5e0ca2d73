package io.vramlab.memory.internal.whatif;

/** Told now and then how far long work has come. */
@FunctionalInterface
public interface ReplayProgress {

    /** For those who do not ask. */
    ReplayProgress NONE = (what, done, total) -> {
    };

    /**
     * Some more is done.
     *
     * @param what
     *            what is being done
     * @param done
     *            steps done
     * @param total
     *            steps in all
     */
    void at(String what, long done, long total);
}
