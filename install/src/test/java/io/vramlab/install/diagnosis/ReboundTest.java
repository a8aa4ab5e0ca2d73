package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** A loop that gives a name its next value: panel = read(day). */
class ReboundTest {

    private static final long MIB = 1L << 20;

    /** Days of 10, 12 and 14 MiB, each read while the one before is bound still, or after it went; then one of 16 that fails. */
    private static Evidence days(boolean bound) {
        History history = new History().event("segment_alloc", 0, 64 * MIB);
        long before = 0;
        for (int day = 0; day < 3; day++) {
            long bytes = (10 + 2 * day) * MIB;
            long at = day % 2 * 32 * MIB;
            if (!bound && day > 0) {
                history.free(32 * MIB - at, before);
            }
            history.alloc(at, bytes);
            if (bound && day > 0) {
                history.free(32 * MIB - at, before);
            }
            before = bytes;
        }
        return Evidence.of(history.event("oom", 0, 16 * MIB).story());
    }

    @Test
    void theFormerValueIsThereWhileTheNextIsMade() {
        // the third block, of 14 MiB
        assertEquals(OptionalInt.of(2), Rebound.former(days(true)));
        assertEquals(14.0 / 30, Traits.of(days(true)).get("rebound"));
    }

    @Test
    void whatWasLetGoOfBeforeTheNextWasMadeIsNoFormerValue() {
        assertEquals(OptionalInt.empty(), Rebound.former(days(false)));
    }

    @Test
    void whatIsKeptForLongerIsNone() {
        History history = new History().event("segment_alloc", 0, 64 * MIB);
        for (int i = 0; i < 3; i++) {
            history.alloc(i * 10 * MIB, 10 * MIB);
        }
        assertEquals(OptionalInt.empty(), Rebound.former(Evidence.of(history.event("oom", 0, 10 * MIB).story())));
    }
}
