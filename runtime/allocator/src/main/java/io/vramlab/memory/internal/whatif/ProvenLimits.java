package io.vramlab.install;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.vramlab.install.diagnosis.Figures;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/**
 * What a snapshot's histories prove that might be reserved: where requests failed, replays under no limit would answer another
 * question than the one that is asked.
 *
 * @param byDevice bytes of each device whose history is there; 0 where nothing failed
 */
record KnownLimits(SortedMap<Integer, Long> byDevice) {

    static final KnownLimits NONE = new KnownLimits(new TreeMap<>());

    static KnownLimits of(MemorySnapshot snapshot) {
        SortedMap<Integer, Long> limits = new TreeMap<>();
        for (int device : snapshot.devicesWithHistory()) {
            boolean failed = snapshot.traces().get(device).stream()
                    .anyMatch(entry -> entry.action() == TraceAction.OOM);
            limits.put(device, failed ? Figures.allowed(Story.of(snapshot, device)) : 0);
        }
        return new KnownLimits(limits);
    }

    /** Replays each device's history under what it proves. */
    WhatIfReport run(MemorySnapshot snapshot, List<String> settings, ReplayProgress progress) {
        List<Long> limits = byDevice.values().stream().distinct().toList();
        if (limits.size() <= 1) {
            return new WhatIf(snapshot, limits.isEmpty() ? 0 : limits.getFirst(), 0).run(settings, progress);
        }
        List<String> chosen = settings.isEmpty() ? WhatIf.sensibleSettings(true) : settings;
        List<WhatIfResult> results = new ArrayList<>();
        List<String> notes = List.of();
        for (long limit : limits) {
            WhatIfReport report = new WhatIf(snapshot, limit, 0).run(chosen, progress);
            report.results().stream().filter(each -> byDevice.get(each.device()) == limit).forEach(results::add);
            notes = report.notes();
        }
        return new WhatIfReport(results, notes);
    }

    /** What is said above the table, a line for each device that failed. */
    List<String> sentences() {
        return byDevice.entrySet().stream().filter(each -> each.getValue() > 0)
                .map(each -> "GPU " + each.getKey() + ", replayed with at most " + Sizes.both(each.getValue())
                        + " reserved, the most that its history, in which memory ran out, proves was allowed;"
                        + " --limit or --device asks for another limit.")
                .toList();
    }
}
