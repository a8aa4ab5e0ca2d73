package io.vramlab.memory.internal.whatif;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Settings under which one device's history comes to exactly the same: one row of a table for them all.
 *
 * @param results
 *            in the order in which they were tried; equal but for their settings
 */
public record AlikeSettings(List<WhatIfResult> results) {

    /** Copies the list. */
    public AlikeSettings {
        results = List.copyOf(results);
    }

    /** Puts together what is alike; groups stand where their first setting stood. */
    static List<AlikeSettings> of(final List<WhatIfResult> results) {
        final Map<WhatIfResult, List<WhatIfResult>> groups = new LinkedHashMap<>();
        for (final WhatIfResult result : results) {
            groups.computeIfAbsent(result.under(""), key -> new ArrayList<>()).add(result);
        }
        return groups.values().stream().map(AlikeSettings::new).toList();
    }

    /** What all of them come to; its settings are the first ones. */
    public WhatIfResult result() {
        return results.getFirst();
    }

    /** {@return the first of them in words, {@code default} where nothing is set} */
    public String name() {
        return name(result());
    }

    /** {@return the row's name: {@code default}, or {@code default and 3 alike}} */
    public String label() {
        return name() + (results.size() == 1 ? "" : " and " + (results.size() - 1) + " alike");
    }

    /** {@return for below the table: {@code Alike: default; max_split_size_mb:64.}} */
    String note() {
        return results.stream().map(AlikeSettings::name).collect(Collectors.joining("; ", "Alike: ", "."));
    }

    private static String name(final WhatIfResult result) {
        return name(result.conf());
    }

    /** {@return settings in words, which say so when there are none} */
    static String name(final String conf) {
        return conf.isEmpty() ? "default" : conf;
    }
}
