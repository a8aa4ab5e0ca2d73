package io.vramlab.memory.internal.whatif;

import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a snapshot's histories prove that might be reserved: where requests failed, replays under no limit would answer
 * another question than the one that is asked.
 *
 * @param byDevice
 *            bytes of each device whose history is there; 0 where nothing failed
 */
public record ProvenLimits(SortedMap<Integer, Long> byDevice) {

    /** Nothing is known. */
    public static final ProvenLimits NONE = new ProvenLimits(new TreeMap<>());

    /** What each of a snapshot's histories proves. */
    public static ProvenLimits of(final MemorySnapshot snapshot) {
        final SortedMap<Integer, Long> limits = new TreeMap<>();
        for (final int device : snapshot.devicesWithHistory()) {
            limits.put(device, allowed(snapshot.traces().get(device), before(snapshot, device)));
        }
        return new ProvenLimits(limits);
    }

    /** Replays each device's history under what it proves; of what is not given, the same as {@link WhatIf#run}. */
    public WhatIfReport run(final MemorySnapshot snapshot, final List<String> settings,
            final ReplayProgress progress) {
        final List<Long> limits = byDevice.values().stream().distinct().toList();
        if (limits.size() <= 1) {
            return noted(snapshot,
                    new WhatIf(snapshot, limits.isEmpty() ? 0 : limits.getFirst(), 0).run(settings, progress));
        }
        final List<String> chosen = settings.isEmpty() ? WhatIf.sensibleSettings(true) : settings;
        final List<WhatIfResult> results = new ArrayList<>();
        List<String> notes = List.of();
        for (final long limit : limits) {
            final WhatIfReport report = new WhatIf(snapshot, limit, 0).run(chosen, progress);
            report.results().stream().filter(each -> byDevice.get(each.device()) == limit).forEach(results::add);
            notes = report.notes();
        }
        return noted(snapshot, new WhatIfReport(results, notes));
    }

    private WhatIfReport noted(final MemorySnapshot snapshot, final WhatIfReport report) {
        final List<String> notes = new ArrayList<>(report.notes());
        byDevice.forEach((device, limit) -> unlike(snapshot, device, limit, report).ifPresent(notes::add));
        return new WhatIfReport(report.results(), notes);
    }

    /**
     * What a reader must know where a replay under the very settings that ran out, and the limit that the history proves,
     * serves every request: then rows without a failure prove little.
     *
     * @param device
     *            whose history it is
     * @param limit
     *            what the history proves; 0 where nothing failed in it, and there is nothing to say
     */
    public static Optional<String> unlike(final MemorySnapshot snapshot, final int device, final long limit,
            final WhatIfReport report) {
        final String recorded = snapshot.settings().orElse("");
        return limit > 0 && report.results().stream()
                .anyMatch(each -> each.device() == device && each.conf().equals(recorded) && each.oom() == null)
                        ? Optional.of("Device " + device + ": replayed with the settings that it was recorded with ("
                                + AlikeSettings.name(recorded)
                                + "), memory does not run out, as it did in the recording:"
                                + " blocks lie at other addresses in a replay, and so do the holes between them. That other"
                                + " settings are enough is not proven here.")
                        : Optional.empty();
    }

    /**
     * What is said beside the table, a sentence for each device that failed.
     *
     * @param others
     *            how another limit is asked for, as in {@code --limit or --device}
     */
    public List<String> sentences(final String others) {
        return byDevice.entrySet().stream().filter(each -> each.getValue() > 0)
                .map(each -> "GPU " + each.getKey() + ", replayed with at most " + Sizes.both(each.getValue())
                        + " reserved, the most that its history, in which memory ran out, proves was allowed; "
                        + others + " asks for another limit.")
                .toList();
    }

    /** Bytes of the segments that were there before the history began: what it gives back, or leaves, without having taken it. */
    private static long before(final MemorySnapshot snapshot, final int device) {
        final Map<Long, Long> taken = new HashMap<>();
        final Map<Long, Long> before = new HashMap<>();
        for (final TraceEntry event : snapshot.traces().get(device)) {
            switch (event.action()) {
                case SEGMENT_ALLOC, SEGMENT_MAP -> taken.put(event.address(), event.size());
                case SEGMENT_FREE -> {
                    if (taken.remove(event.address()) == null) {
                        before.putIfAbsent(event.address(), event.size());
                    }
                }
                case SEGMENT_UNMAP -> taken.remove(event.address());
                default -> {
                    // takes nothing from the driver
                }
            }
        }
        for (final SegmentInfo left : snapshot.segments()) {
            if (left.device() == device && !left.expandable() && !taken.containsKey(left.address())) {
                before.putIfAbsent(left.address(), left.totalSize());
            }
        }
        return before.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The most that was ever reserved, or what was reserved and free when the driver was what refused. */
    private static long allowed(final List<TraceEntry> trace, final long before) {
        long reserved = before;
        long most = before;
        boolean failed = false;
        for (final TraceEntry event : trace) {
            switch (event.action()) {
                case SEGMENT_ALLOC, SEGMENT_MAP -> reserved += event.size();
                case SEGMENT_FREE, SEGMENT_UNMAP -> reserved -= event.size();
                default -> {
                    final boolean refused = event.action() == TraceAction.OOM;
                    failed |= refused;
                    // a failed request has what the driver had free in the address's place
                    most = refused && event.address() < event.size()
                            ? Math.max(most, reserved + event.address())
                            : most;
                }
            }
            most = Math.max(most, reserved);
        }
        return failed ? most : 0;
    }
}
