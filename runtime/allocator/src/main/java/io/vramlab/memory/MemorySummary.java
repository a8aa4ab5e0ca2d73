package io.vramlab.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table of {@code torch.cuda.memory_summary()}, byte for byte: docs/allocator.md, "The summary". */
public final class MemorySummary {

    private record Metric(String key, String title, boolean bytes) {
    }

    private static final List<Metric> METRICS = List.of(new Metric("allocated_bytes", "Allocated memory", true),
            new Metric("active_bytes", "Active memory", true), new Metric("requested_bytes", "Requested memory", true),
            new Metric("reserved_bytes", "GPU reserved memory", true),
            new Metric("inactive_split_bytes", "Non-releasable memory", true),
            new Metric("allocation", "Allocations", false), new Metric("active", "Active allocs", false),
            new Metric("segment", "GPU reserved segments", false),
            new Metric("inactive_split", "Non-releasable allocs", false));
    private static final List<Metric> OVERSIZE = List.of(
            new Metric("oversize_allocations", "Oversize allocations", false),
            new Metric("oversize_segments", "Oversize GPU segments", false));
    private static final String[] FIELDS = {"current", "peak", "allocated", "freed"};
    private static final String[] BYTE_UNITS = {"B  ", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final String[] COUNT_UNITS = {" ", "K", "M"};
    private static final int WIDTH = 75;

    private final Map<String, Long> stats;
    private final List<String> lines = new ArrayList<>();

    private MemorySummary(final Map<String, Long> stats) {
        this.stats = stats;
    }

    /**
     * The table.
     *
     * @param stats
     *            the 122 statistics
     * @param device
     *            the device's index, as text
     * @param abbreviated
     *            without the rows per pool
     * @return lines of 77 characters, each ended by a newline
     */
    public static String text(final Map<String, Long> stats, final String device, final boolean abbreviated) {
        final MemorySummary summary = new MemorySummary(stats);
        summary.heading(device);
        for (final Metric metric : METRICS) {
            summary.metric(metric, abbreviated);
        }
        for (final Metric metric : OVERSIZE) {
            summary.rule('-');
            summary.row(metric.title, metric, "", "");
        }
        summary.rule('=');
        return String.join("\n", summary.lines) + "\n";
    }

    private void heading(final String device) {
        rule('=');
        line(" ".repeat(17) + " PyTorch CUDA memory summary, device ID " + left(device, 17) + " ");
        rule('-');
        line(" ".repeat(12) + "CUDA OOMs: " + left(stats.get("num_ooms").toString(), 12) + " | " + " ".repeat(7)
                + "cudaMalloc retries: " + left(stats.get("num_alloc_retries").toString(), 8) + "  ");
        rule('=');
        line("        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ");
    }

    private void metric(final Metric metric, final boolean abbreviated) {
        rule('-');
        row(metric.title, metric, ".all", ".all");
        if (!abbreviated) {
            row("      from large pool", metric, ".large_pool", ".all");
            row("      from small pool", metric, ".small_pool", ".all");
        }
    }

    /** One row; its units are chosen by the preferred row's values, so that a metric's rows share them. */
    private void row(final String name, final Metric metric, final String pool, final String preferred) {
        final StringBuilder text = new StringBuilder(" ").append(left(name, 21)).append(" | ");
        for (int i = 0; i < FIELDS.length; i++) {
            final long value = stats.get(metric.key + pool + "." + FIELDS[i]);
            final long preference = stats.get(metric.key + preferred + "." + FIELDS[i]);
            text.append(i == 0 ? "" : " | ").append(metric.bytes ? size(value, preference) : count(value, preference));
        }
        line(text.append(' ').toString());
    }

    private static String size(final long value, final long preference) {
        long shown = value;
        double deciding = preference;
        int unit = 0;
        while (unit < BYTE_UNITS.length - 1 && deciding >= 768.0 * 1024) {
            shown = Math.floorDiv(shown, 1024L);
            deciding /= 1024;
            unit++;
        }
        return right(shown, 6) + " " + BYTE_UNITS[unit];
    }

    private static String count(final long value, final long preference) {
        long shown = value;
        double deciding = preference;
        int unit = 0;
        while (unit < COUNT_UNITS.length - 1 && deciding >= 750.0 * 1000) {
            shown = Math.floorDiv(shown, 1000L);
            deciding /= 1000;
            unit++;
        }
        return right(shown, 7) + " " + COUNT_UNITS[unit] + " ";
    }

    private void rule(final char mark) {
        line(String.valueOf(mark).repeat(WIDTH));
    }

    private void line(final String content) {
        lines.add("|" + content + "|");
    }

    private static String left(final String text, final int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String right(final long value, final int width) {
        final String text = Long.toString(value);
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
