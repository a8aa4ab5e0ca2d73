package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Cuda;
import java.util.List;
import java.util.Map;

/** {@code %memory_summary}: torch.cuda.memory_summary(), as a table and, in plain text, byte for byte. */
public final class MemorySummaryMagic extends OptionMagic {

    private record Metric(String title, String key, String unit, boolean pools) {
    }

    /** In PyTorch's order. */
    private static final List<Metric> METRICS = List.of(
            new Metric("Allocated memory", "allocated_bytes", "bytes", true),
            new Metric("Active memory", "active_bytes", "bytes", true),
            new Metric("Requested memory", "requested_bytes", "bytes", true),
            new Metric("GPU reserved memory", "reserved_bytes", "bytes", true),
            new Metric("Non-releasable memory", "inactive_split_bytes", "bytes", true),
            new Metric("Allocations", "allocation", "count", true),
            new Metric("Active allocs", "active", "count", true),
            new Metric("GPU reserved segments", "segment", "count", true),
            new Metric("Non-releasable allocs", "inactive_split", "count", true),
            new Metric("Oversize allocations", "oversize_allocations", "count", false),
            new Metric("Oversize GPU segments", "oversize_segments", "count", false));

    /** Found by the kernel. */
    public MemorySummaryMagic() {
        super("memory_summary", Options
                .of("%memory_summary", "Shows the allocator's statistics as PyTorch's summary does.")
                .flag("abbreviated", "without the rows of the small and the large pool")
                .value("device", "N", Gpu.OPTION)
                .detail("Columns: now, the most at once since the last reset of peaks, and all that was ever allocated "
                        + "and freed.\nWhere only text is shown it is torch.cuda.memory_summary(), byte for byte.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        boolean abbreviated = arguments.has("abbreviated");
        Map<String, Long> stats = Cuda.memoryStats(device);
        RowBuilder rows = new RowBuilder().text("metric", "pool", "unit").number("current", "peak", "allocated",
                "freed");
        for (Metric metric : METRICS) {
            List<String> pools = metric.pools && !abbreviated
                    ? List.of("all", "large_pool", "small_pool")
                    : List.of("all");
            for (String pool : pools) {
                String key = metric.pools ? metric.key + "." + pool : metric.key;
                rows.row(metric.title, pool.replace('_', ' '), metric.unit, stats.get(key + ".current"),
                        stats.get(key + ".peak"), stats.get(key + ".allocated"), stats.get(key + ".freed"));
            }
        }
        return rows.report("Memory of " + device.name())
                .note("CUDA OOMs: " + stats.get("num_ooms") + ", cudaMalloc retries: " + stats.get("num_alloc_retries"))
                .text(Cuda.memorySummary(device, abbreviated));
    }
}
