package io.vramlab.memory;

import java.util.List;
import java.util.Locale;

/** What a history entry tells of; the names in a snapshot are the constants' in lower case. */
public enum TraceAction {
    /** A block was handed out: its address and the requested bytes. */
    ALLOC,
    /** The owner gave a block up: its address and the requested bytes. */
    FREE_REQUESTED,
    /** The block is free, after the streams that used it are done. */
    FREE_COMPLETED,
    /** A segment was obtained: its address and bytes. */
    SEGMENT_ALLOC,
    /** A segment was given back to the driver. */
    SEGMENT_FREE,
    /** Part of an expandable segment got memory: the part's address and bytes. */
    SEGMENT_MAP,
    /** Part of an expandable segment lost its memory. */
    SEGMENT_UNMAP,
    /** A snapshot was taken: address 0, active bytes. */
    SNAPSHOT,
    /** A request failed: free bytes of the device in place of the address, and the rounded request. */
    OOM;

    private static final List<TraceAction> ALL = List.of(values());

    private final String text = name().toLowerCase(Locale.ROOT);

    /** {@return the name in snapshots} */
    public String text() {
        return text;
    }

    /** The action with an ordinal, without the array that {@code values()} copies. */
    static TraceAction at(final int ordinal) {
        return ALL.get(ordinal);
    }

    /**
     * {@return the action of that name in a snapshot, or null}
     *
     * @param text
     *            for instance {@code segment_alloc}
     */
    public static TraceAction of(final String text) {
        for (final TraceAction action : ALL) {
            if (action.text.equals(text)) {
                return action;
            }
        }
        return null;
    }
}
