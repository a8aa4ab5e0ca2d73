package io.vramlab.memory;

import java.util.Locale;

/** The state of a block in a snapshot. */
public enum BlockState {
    /** Handed out. */
    ACTIVE_ALLOCATED,
    /** Given up by its owner, still used by another stream. */
    ACTIVE_PENDING_FREE,
    /** Cached. */
    INACTIVE;

    /** {@return the name in snapshots: the constant's in lower case} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
