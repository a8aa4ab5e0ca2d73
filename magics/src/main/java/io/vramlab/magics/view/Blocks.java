package io.vramlab.magics.view;

import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** The blocks of one device's history, in columns: a block per index, by the event that allocated it. */
final class Blocks {

    /** Addresses are told in units of this many bytes, which every block is a multiple of. */
    static final int UNIT = 512;

    int count;
    int[] from = new int[1024];
    int[] to = new int[1024];
    int[] site = new int[1024];
    long[] address = new long[1024];
    long[] bytes = new long[1024];
    final Map<Integer, String> holders = new HashMap<>();
    /** Event, change of what is reserved. */
    final List<long[]> reserved = new ArrayList<>();
    /** Event, bytes that were asked for. */
    final List<long[]> failures = new ArrayList<>();
    long[] micros;
    long reservedBefore;
    int events;
    private final List<long[]> spans = new ArrayList<>();

    private Blocks() {
    }

    /**
     * Reads a history.
     *
     * @param trace
     *            of one device, oldest first
     * @param segments
     *            its layout at the end
     * @param holder
     *            what holds the block at an address now, null where nothing that has a name does
     */
    static Blocks of(List<TraceEntry> trace, List<SegmentInfo> segments, LongFunction<String> holder) {
        Blocks blocks = new Blocks();
        blocks.events = trace.size();
        blocks.micros = new long[trace.size()];
        Map<Long, Integer> live = new HashMap<>();
        blocks.before(trace, segments, live);
        for (int i = 0; i < trace.size(); i++) {
            blocks.read(i, trace.get(i), live);
        }
        for (SegmentInfo segment : segments) {
            blocks.spans.add(new long[]{segment.address(), segment.totalSize()});
        }
        live.forEach((address, block) -> {
            String name = holder.apply(address);
            if (name != null) {
                blocks.holders.put(block, name);
            }
        });
        return blocks;
    }

    private void read(int i, TraceEntry entry, Map<Long, Integer> live) {
        micros[i] = entry.timeMicros();
        switch (entry.action()) {
            case ALLOC -> live.put(entry.address(), add(i, entry.address(), entry.size(), entry.site()));
            case FREE_REQUESTED -> {
                Integer block = live.remove(entry.address());
                if (block != null) {
                    to[block] = i;
                }
            }
            case SEGMENT_ALLOC, SEGMENT_MAP -> {
                reserved.add(new long[]{i, entry.size()});
                spans.add(new long[]{entry.address(), entry.size()});
            }
            case SEGMENT_FREE, SEGMENT_UNMAP -> {
                reserved.add(new long[]{i, -entry.size()});
                spans.add(new long[]{entry.address(), entry.size()});
            }
            case OOM -> failures.add(new long[]{i, entry.size()});
            default -> {
                // the picture shows blocks until their free is asked for, and no snapshots
            }
        }
    }

    /** What was there before the first event: freed later without having been allocated, or alive at the end. */
    private void before(List<TraceEntry> trace, List<SegmentInfo> segments, Map<Long, Integer> live) {
        Map<Long, Boolean> seen = new HashMap<>();
        long change = 0;
        long lowest = 0;
        for (TraceEntry entry : trace) {
            switch (entry.action()) {
                case ALLOC -> seen.put(entry.address(), true);
                case FREE_REQUESTED -> {
                    if (seen.put(entry.address(), true) == null) {
                        live.put(entry.address(), add(-1, entry.address(), entry.size(), entry.site()));
                    }
                }
                case SEGMENT_ALLOC, SEGMENT_MAP -> change += entry.size();
                case SEGMENT_FREE, SEGMENT_UNMAP -> {
                    change -= entry.size();
                    lowest = Math.min(lowest, change);
                }
                default -> {
                    // says nothing of what was there
                }
            }
        }
        long atEnd = 0;
        for (SegmentInfo segment : segments) {
            atEnd += segment.totalSize();
            for (BlockInfo block : segment.blocks()) {
                if (block.state() == BlockState.ACTIVE_ALLOCATED && !seen.containsKey(block.address())) {
                    live.put(block.address(), add(-1, block.address(), block.size(), block.site()));
                }
            }
        }
        // a snapshot may tell of no segments; what was given back was there
        reservedBefore = Math.max(atEnd - change, -lowest);
    }

    private int add(int event, long where, long size, int callSite) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            site = Arrays.copyOf(site, 2 * count);
            address = Arrays.copyOf(address, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
        }
        from[count] = Math.max(0, event);
        to[count] = events;
        site[count] = callSite;
        address[count] = where;
        bytes[count] = size;
        return count++;
    }

    /** Where each block lies when all segments that ever were are put one behind another, in units; and how many there are. */
    long[] places() {
        TreeMap<Long, Long> merged = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            spans.add(new long[]{address[i], Math.max(UNIT, bytes[i])});
        }
        spans.sort((a, b) -> Long.compare(a[0], b[0]));
        long start = 0;
        long end = -1;
        for (long[] span : spans) {
            if (end < 0 || span[0] > end) {
                if (end >= 0) {
                    merged.put(start, end);
                }
                start = span[0];
                end = span[0] + span[1];
            } else {
                end = Math.max(end, span[0] + span[1]);
            }
        }
        if (end >= 0) {
            merged.put(start, end);
        }
        TreeMap<Long, Long> offsets = new TreeMap<>();
        long total = 0;
        for (Map.Entry<Long, Long> span : merged.entrySet()) {
            offsets.put(span.getKey(), total);
            total += span.getValue() - span.getKey();
        }
        long[] places = new long[count + 1];
        for (int i = 0; i < count; i++) {
            Map.Entry<Long, Long> span = offsets.floorEntry(address[i]);
            places[i] = (span.getValue() + address[i] - span.getKey()) / UNIT;
        }
        places[count] = (total + UNIT - 1) / UNIT;
        return places;
    }
}
