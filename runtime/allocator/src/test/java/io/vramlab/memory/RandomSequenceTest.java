package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Random sequences over every combination of settings, limits, streams and pools. The system property
 * {@code vramlab.sequences} asks for more of them, {@code vramlab.seed} for others.
 */
class RandomSequenceTest {

    private static final int SEQUENCES = Integer.getInteger("vramlab.sequences", 60_000);
    private static final long FIRST_SEED = Long.getLong("vramlab.seed", 0L);

    @Test
    void allocatorsKeepTheirInvariantsUnderEveryCombinationOfSettings() {
        // every combination is met, for the seed enumerates them
        assertTrue(SEQUENCES >= RandomSequence.combinations(true));
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) {
            try {
                new RandomSequence(seed).run(64);
            } catch (final RuntimeException | AssertionError e) {
                throw new AssertionError("sequence with seed " + seed + " fails", e);
            }
        }
    }

    @Test
    void longSequencesKeepThemToo() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 300; seed++) {
            try {
                new RandomSequence(seed * 7919).run(1000);
            } catch (final RuntimeException | AssertionError e) {
                throw new AssertionError("sequence with seed " + seed * 7919 + " fails", e);
            }
        }
    }
}
