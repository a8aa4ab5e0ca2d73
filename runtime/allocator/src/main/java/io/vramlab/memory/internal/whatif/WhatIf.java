package io.vramlab.memory.internal.whatif;

import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Replays the allocation history of a snapshot, PyTorch's or ours, under other settings, another limit, or on another
 * device: what would it have reserved, and would it have run out of memory?
 *
 * <p>
 * The replay allocates what was requested and frees it when the recording did. Addresses are the replay's own, so ties
 * between equally large blocks may go another way than on a real driver; everything else is the allocator's rule. Memory
 * outside the allocator (the CUDA context, some 500 MiB, and libraries) is not part of a history.
 */
public final class WhatIf {

    /** Larger than any device. */
    private static final long ENDLESS = 1L << 40;
    private static final int MOST_EVENTS_SIDE_BY_SIDE = 500_000;
    private static final long TOP_ADDRESS = 0x7f40_0000_0000L;

    private final MemorySnapshot snapshot;
    private final long limit;
    private final long capacity;
    private final List<String> notes = new ArrayList<>();

    /**
     * Prepares replays of a snapshot's history.
     *
     * @param snapshot
     *            with a history: recorded by {@code torch.cuda.memory._record_memory_history} or
     *            {@code Cuda.recordMemoryHistory}
     * @param limit
     *            bytes that may be reserved, 0 for no limit
     * @param capacity
     *            bytes of the device, 0 for more than anybody has
     */
    public WhatIf(final MemorySnapshot snapshot, final long limit, final long capacity) {
        this.snapshot = snapshot;
        this.limit = limit;
        this.capacity = capacity;
    }

    /** A sensible set of settings to try. */
    public static List<String> sensibleSettings(final boolean limited) {
        final List<String> settings = new ArrayList<>(List.of("", "expandable_segments:True", "max_split_size_mb:64",
                "max_split_size_mb:256", "roundup_power2_divisions:8"));
        if (limited) {
            settings.add("garbage_collection_threshold:0.8");
        }
        return settings;
    }

    /**
     * Replays every device's history under every setting.
     *
     * @param settings
     *            texts as in {@code PYTORCH_CUDA_ALLOC_CONF}; empty for {@link #sensibleSettings}
     * @throws IllegalArgumentException
     *             if a setting is not valid, or the snapshot has no history
     */
    public WhatIfReport run(final List<String> settings, final ReplayProgress progress) {
        final boolean limited = limit > 0 || capacity > 0;
        final List<String> chosen = settings.isEmpty() ? sensibleSettings(limited) : settings;
        for (final String conf : chosen) {
            check(conf);
        }
        final List<List<TraceEntry>> traces = snapshot.traces();
        final List<WhatIfResult> results = new ArrayList<>();
        for (int device = 0; device < traces.size(); device++) {
            if (!traces.get(device).isEmpty()) {
                results.addAll(device(device, traces.get(device), new LinkedHashSet<>(chosen), progress));
            }
        }
        if (results.isEmpty()) {
            throw new IllegalArgumentException("The snapshot has no allocation history, so there is nothing to replay."
                    + " Record one before the program runs: torch.cuda.memory._record_memory_history(max_entries=...)"
                    + " in PyTorch, Cuda.recordMemoryHistory() here.");
        }
        return new WhatIfReport(results, notes);
    }

    private static void check(final String conf) {
        try {
            AllocatorSettings.DEFAULT.with(conf);
        } catch (final IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException("The settings \"" + conf + "\" are not valid: " + e.getMessage().strip()
                    + ". Write them as in PYTORCH_CUDA_ALLOC_CONF, for instance expandable_segments:True.", e);
        }
    }

    private List<WhatIfResult> device(final int device, final List<TraceEntry> trace, final Collection<String> settings,
            final ReplayProgress progress) {
        final ReplayScript script = ReplayScript.of(trace,
                snapshot.segments().stream().filter(segment -> segment.device() == device).toList(),
                snapshot.collectsGarbage());
        note(device, script);
        // each run has a device of its own; side by side only where all of them together need little memory
        final Stream<String> runs = script.totalEvents() <= MOST_EVENTS_SIDE_BY_SIDE
                ? settings.parallelStream()
                : settings.stream();
        return runs.map(conf -> new ScriptRun(script, new ModelMemory("the replay's device",
                capacity > 0 ? capacity : ENDLESS, TOP_ADDRESS, Backing.NONE), conf, limit).run(device, progress))
                .toList();
    }

    private void note(final int device, final ReplayScript script) {
        final String on = "Device " + device + ": ";
        if (script.existingCount() > 0) {
            notes.add(on + "the recording starts in the middle. Allocated before it: "
                    + counted(script.existingCount(), "block") + ", " + Sizes.both(script.existingTotal())
                    + "; freed in it: " + String.format(Locale.ROOT, "%,d", script.unknownFrees())
                    + ". The replay allocates them first, by the recording's last account.");
        }
        if (script.pendingFrees() > 0) {
            notes.add(on + "frees that waited for another stream: " + script.pendingFrees()
                    + "; each completes in the replay when it did in the recording.");
        }
        if (script.emptied() > 0) {
            notes.add(on + "the program emptied the cache " + counted(script.emptied(), "time")
                    + "; so does the replay.");
        }
    }

    private static String counted(final long number, final String singular) {
        return String.format(Locale.ROOT, "%,d ", number) + singular + (number == 1 ? "" : "s");
    }
}
