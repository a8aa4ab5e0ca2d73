/**
 * Following an allocator while cells run. An {@link io.vramlab.magics.track.EventLog} hears every event and keeps it in
 * arrays of primitives; everything else (totals of a cell, figures per line, the live set at the peak, the timeline) is
 * computed from the log afterwards. Following is passive: it flushes nothing, waits for nothing, and changes no
 * statistic. When it is off nothing listens.
 */
package io.vramlab.magics.track;
