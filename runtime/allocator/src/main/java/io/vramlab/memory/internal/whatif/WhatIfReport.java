package io.vramlab.memory.internal.whatif;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What histories come to under several settings.
 *
 * @param results
 *            per device and setting
 * @param notes
 *            what a reader must know of the recording: where it began, what could not be matched
 */
public record WhatIfReport(List<WhatIfResult> results, List<String> notes) {

    /** Copies the lists. */
    public WhatIfReport {
        results = List.copyOf(results);
        notes = List.copyOf(notes);
    }

    /** The rows of a table: settings that come to exactly the same on a device are one. */
    public List<AlikeSettings> alike() {
        return AlikeSettings.of(results);
    }

    /** What stands below a table of {@link #alike}: which settings a row is about, and what a reader must know. */
    public List<String> remarks() {
        final List<String> remarks = new ArrayList<>();
        alike().stream().filter(group -> group.results().size() > 1).map(AlikeSettings::note).distinct()
                .forEach(remarks::add);
        remarks.addAll(notes);
        return remarks;
    }

    /** Whether memory runs out under each setting, on some device: then the best one is no remedy. */
    public boolean runsOutUnderEach() {
        return !results.isEmpty() && results.stream()
                .collect(Collectors.groupingBy(WhatIfResult::conf, Collectors.reducing(false, r -> r.oom() != null,
                        Boolean::logicalOr)))
                .values().stream().allMatch(out -> out);
    }

    /**
     * The setting that comes out best: it runs to the end on every device, or furthest; then it reserves least; then it
     * flushes least often; then the earlier one. Empty when there are no results.
     */
    public Optional<String> best() {
        final Map<String, List<WhatIfResult>> bySetting = results.stream().collect(
                Collectors.groupingBy(WhatIfResult::conf, java.util.LinkedHashMap::new, Collectors.toList()));
        return new ArrayList<>(bySetting.entrySet()).stream()
                .min(Comparator.<Map.Entry<String, List<WhatIfResult>>>comparingLong(
                        e -> e.getValue().stream().filter(r -> r.oom() != null).count())
                        .thenComparingLong(e -> -finished(e.getValue()))
                        .thenComparingLong(e -> e.getValue().stream().mapToLong(WhatIfResult::reservedPeak).sum())
                        .thenComparingLong(e -> e.getValue().stream().mapToLong(WhatIfResult::retries).sum()))
                .map(Map.Entry::getKey);
    }

    private static long finished(final List<WhatIfResult> results) {
        return results.stream().filter(r -> r.oom() != null).mapToLong(WhatIfResult::events).sum();
    }
}
