package io.vramlab.memory;

/**
 * One entry of the history.
 *
 * @param action
 *            what happened
 * @param address
 *            of the block or range; for {@link TraceAction#OOM} the device's free bytes
 * @param size
 *            bytes; of blocks the requested ones
 * @param stream
 *            the stream's handle
 * @param timeMicros
 *            microseconds since 1970
 * @param metadata
 *            the user's text at that time, empty when none
 * @param site
 *            call site ({@link CallSites#frames}), 0 when not recorded
 */
public record TraceEntry(TraceAction action, long address, long size, long stream, long timeMicros, String metadata,
        int site) {
}
