package io.vramlab.install.advice;

import io.vramlab.memory.Sizes;

/**
 * One piece of advice and its proof.
 *
 * @param what what to do
 * @param replayed what was done to the history in its stead; empty when it cannot be replayed
 * @param allocated the most that would have been handed out at once, in bytes; 0 when not replayed
 * @param reserved the most that would have been reserved at once, in bytes; 0 when not replayed
 * @param enough whether every request would have been served under the recorded limit, as far as that is known
 * @param saved bytes that the peak of what is handed out would have been lower than without; not negative when it helps
 */
public record Advice(String what, String replayed, long allocated, long reserved, boolean enough, long saved) {

    private static final String SETTINGS = "PYTORCH_CUDA_ALLOC_CONF=";

    /** Other settings of the allocator, as in {@code PYTORCH_CUDA_ALLOC_CONF}, which serve every request. */
    static Advice settings(String conf, long allocated, long reserved, long saved) {
        return new Advice(SETTINGS + (conf.isEmpty() ? "(empty)" : conf), "these settings", allocated, reserved, true,
                saved);
    }

    /** Whether it is to choose other settings of the allocator. */
    public boolean isSettings() {
        return what.startsWith(SETTINGS);
    }

    /** Advice that no history can prove. */
    static Advice unproven(String what) {
        return new Advice(what, "", 0, 0, false, 0);
    }

    /** Whether the history was replayed with it. */
    public boolean isProven() {
        return !replayed.isEmpty();
    }

    /** What the replay came to, as a sentence. */
    public String proof() {
        return isProven()
                ? "Replayed with " + replayed + ": at most " + Sizes.both(allocated) + " allocated and "
                        + Sizes.both(reserved)
                        + " reserved; " + (enough ? "every request is served" : "memory runs out all the same") + "."
                : "Not replayed: the history does not tell what would have been asked for instead.";
    }
}
