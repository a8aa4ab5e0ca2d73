package io.vramlab.magics.explain;

import io.vramlab.magics.text.ReadableSizes;
import java.util.Optional;

/**
 * What PyTorch tries to get is a segment, not the block that was needed: 2 MiB for a block of at most 1 MiB, 20 MiB for one
 * below 10 MiB, else the block rounded up to 2 MiB (docs/allocator.md, "Segment sizes").
 *
 * @param tried
 *            the figure of the message
 * @param old
 *            PyTorch 1.0 to 1.3, some of which asked for the block itself
 */
record RequestedSegment(Amount tried, boolean old) {

    private static final long MIB = 1L << 20;

    /** The least that the line can have needed. */
    Amount least() {
        if (old && tried.bytes() % (2 * MIB) != 0) {
            return tried;
        }
        if (isSmall()) {
            return Amount.exactly(1);
        }
        if (isMedium()) {
            return Amount.exactly(MIB + 1);
        }
        return new Amount(Math.max(1, tried.bytes() - 2 * MIB + 1), tried.slack(), "");
    }

    private boolean isSmall() {
        return tried.canEqual(Amount.exactly(2 * MIB)) || tried.bytes() <= MIB;
    }

    private boolean isMedium() {
        return tried.canEqual(Amount.exactly(20 * MIB));
    }

    /** What that tells of the line. */
    Optional<Conclusion> told() {
        if (isSmall() && tried.bytes() == 2 * MIB) {
            return Optional.of(Conclusion.note(ReadableSizes.text(2 * MIB)
                    + " is the segment for small blocks: the line needed at most 1 MiB. Any allocation would have failed here, so the line that failed need not be the one to blame."));
        }
        if (isMedium()) {
            return Optional.of(Conclusion.note(ReadableSizes.text(20 * MIB)
                    + " is the segment for blocks above 1 MiB and below 10 MiB: the line needed such a one, or one of 18 to 20 MiB."));
        }
        return Optional.empty();
    }
}
