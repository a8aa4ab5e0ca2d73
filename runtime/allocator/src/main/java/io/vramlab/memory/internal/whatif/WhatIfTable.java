package io.vramlab.memory.internal.whatif;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.vramlab.memory.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A what-if report as a table of text, and as JSON. */
public final class WhatIfTable {

    private static final List<String> HEADINGS = List.of("device", "settings", "peak reserved", "peak allocated",
            "fragmentation", "retries", "out of memory");

    private WhatIfTable() {
    }

    /** The headings of {@link #rows}. */
    public static List<String> headings() {
        return HEADINGS;
    }

    /** One row of texts for settings that come to the same; {@link WhatIfReport#remarks} names them. */
    public static List<List<String>> rows(final WhatIfReport report) {
        final List<List<String>> rows = new ArrayList<>();
        for (final AlikeSettings settings : report.alike()) {
            final WhatIfResult r = settings.result();
            rows.add(List.of(Integer.toString(r.device()), settings.label(), Sizes.both(r.reservedPeak()),
                    Sizes.both(r.allocatedPeak()), String.format(Locale.ROOT, "%.1f %%", 100 * r.fragmentationAtPeak()),
                    Sizes.exact(r.retries()), r.oom() == null ? "no" : outOfMemory(r.oom())));
        }
        return rows;
    }

    /** The table, the notes and the best setting. */
    public static String text(final WhatIfReport report) {
        final List<List<String>> lines = new ArrayList<>();
        lines.add(HEADINGS);
        lines.addAll(rows(report));
        final int[] widths = new int[HEADINGS.size()];
        for (final List<String> line : lines) {
            Arrays.setAll(widths, i -> Math.max(widths[i], line.get(i).length()));
        }
        final StringBuilder text = new StringBuilder();
        for (final List<String> line : lines) {
            final StringBuilder row = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                row.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        report.remarks().forEach(note -> text.append(note).append('\n'));
        if (report.runsOutUnderEach()) {
            text.append("None of these settings is enough: memory runs out under each.\n");
        } else {
            report.best().ifPresent(best -> text.append("Best: ").append(AlikeSettings.name(best)).append('\n'));
        }
        return text.toString();
    }

    /** An array with one object per device and setting. */
    public static String json(final WhatIfReport report) {
        final JsonArray array = new JsonArray();
        for (final WhatIfResult r : report.results()) {
            final JsonObject o = new JsonObject();
            o.addProperty("conf", r.conf());
            o.addProperty("device", r.device());
            o.addProperty("limit", r.limit());
            o.addProperty("reserved_peak", r.reservedPeak());
            o.addProperty("allocated_peak", r.allocatedPeak());
            o.addProperty("fragmentation_at_peak", r.fragmentationAtPeak());
            o.addProperty("segments_peak", r.segmentsPeak());
            o.addProperty("retries", r.retries());
            o.addProperty("events", r.events());
            o.add("oom", r.oom() == null ? JsonNull.INSTANCE : json(r.oom()));
            array.add(o);
        }
        return new GsonBuilder().serializeNulls().setPrettyPrinting().create().toJson(array);
    }

    private static JsonObject json(final WhatIfResult.OutOfMemory oom) {
        final JsonObject o = new JsonObject();
        o.addProperty("event", oom.event());
        o.addProperty("requested", oom.requested());
        o.addProperty("reserved", oom.reserved());
        o.addProperty("allocated", oom.allocated());
        return o;
    }

    private static String outOfMemory(final WhatIfResult.OutOfMemory oom) {
        return "at event " + Sizes.exact(oom.event()) + ", asking for " + Sizes.both(oom.requested());
    }
}
