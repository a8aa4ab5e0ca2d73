package io.vramlab.plan;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Peaks over all runs of a plan.
 *
 * @param all
 *            what came out, of the likely one first
 * @param eager
 *            whether the eager form stands for a compiled one that could not be followed: ranges go from half of it to twice and what
 *            kernels are tried with
 */
record PeakRange(List<ScriptReplay.Result> all, boolean eager) {

    /** Compiled programs were seen to take three quarters of what their eager form does, or more, and a buffer to try kernels with. */
    private static final int EAGER = 2;
    private static final long TRIED = 64 << 20;

    /** What is likely, with segments placed as they were seen to be. */
    ScriptReplay.Result likely() {
        return all.getFirst();
    }

    /** The least of a figure, in bytes. */
    long least(ToLongFunction<ScriptReplay.Result> peak) {
        return all.stream().mapToLong(peak).min().orElseThrow() / (eager ? EAGER : 1);
    }

    /** The most. */
    long most(ToLongFunction<ScriptReplay.Result> peak) {
        long most = all.stream().mapToLong(peak).max().orElseThrow();
        return eager ? most * EAGER + TRIED : most;
    }
}
