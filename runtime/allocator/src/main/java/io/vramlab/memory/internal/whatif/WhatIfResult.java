package io.vramlab.memory.internal.whatif;

/**
 * What one device's history comes to under one setting. Sizes in bytes.
 *
 * @param device
 *            index of the device
 * @param conf
 *            the settings; empty for the default ones
 * @param limit
 *            what could be reserved, 0 for no limit
 * @param reservedPeak
 *            the most that was reserved at once
 * @param allocatedPeak
 *            the most that was handed out at once
 * @param fragmentationAtPeak
 *            1 - allocated / reserved when the reserved memory first reached its peak
 * @param segmentsPeak
 *            the most segments at once
 * @param retries
 *            how often the whole cache was flushed to make room
 * @param events
 *            history entries that were gone through, up to the end or to running out of memory
 * @param oom
 *            where memory ran out; null when it did not
 */
public record WhatIfResult(int device, String conf, long limit, long reservedPeak, long allocatedPeak,
        double fragmentationAtPeak, long segmentsPeak, long retries, int events, OutOfMemory oom) {

    /** {@return the same figures, said of other settings} */
    WhatIfResult under(final String settings) {
        return new WhatIfResult(device, settings, limit, reservedPeak, allocatedPeak, fragmentationAtPeak, segmentsPeak,
                retries, events, oom);
    }

    /**
     * Where memory ran out.
     *
     * @param event
     *            place in the recorded history, from 0
     * @param requested
     *            bytes asked for
     * @param reserved
     *            bytes reserved then
     * @param allocated
     *            bytes handed out then
     */
    public record OutOfMemory(int event, long requested, long reserved, long allocated) {
    }
}
