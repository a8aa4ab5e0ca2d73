package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import java.util.List;
import java.util.Map;

/** {@code %reset_peak_memory_stats}: torch.cuda.reset_peak_memory_stats(). */
public final class ResetPeakMagic extends OptionMagic {

    /** Found by the kernel. */
    public ResetPeakMagic() {
        super("reset_peak_memory_stats",
                Options.of("%reset_peak_memory_stats",
                        "Sets every peak to the current value, and shows what the peaks were.")
                        .value("device", "N", Gpu.OPTION));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        Allocator allocator = Allocators.of(device);
        Map<String, Long> before = allocator.stats().asMap();
        allocator.resetPeakMemoryStats();
        Map<String, Long> after = allocator.stats().asMap();
        RowBuilder rows = new RowBuilder().text("peak of").number("before bytes", "now bytes");
        for (String key : List.of("allocated_bytes", "active_bytes", "requested_bytes", "reserved_bytes")) {
            rows.row(key, before.get(key + ".all.peak"), after.get(key + ".all.peak"));
        }
        return rows.report("Peaks of " + device.name() + " reset");
    }
}
