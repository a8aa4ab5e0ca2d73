package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Cuda;
import java.util.Map;

/** {@code %memory_stats}: torch.cuda.memory_stats(). */
public final class MemoryStatsMagic extends OptionMagic {

    /** Found by the kernel. */
    public MemoryStatsMagic() {
        super("memory_stats",
                Options.of("%memory_stats", "Lists the allocator's 122 statistics under PyTorch's names.")
                        .words("[TEXT]", 0, 1, "only those whose name contains it, for instance allocated_bytes.all")
                        .value("device", "N", Gpu.OPTION)
                        .detail("Names ending in bytes.…: bytes; the others are counts.").tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        String part = arguments.words().isEmpty() ? "" : arguments.words().get(0);
        Map<String, Long> stats = Cuda.memoryStats(device);
        RowBuilder rows = new RowBuilder().text("statistic").number("value").text("size");
        stats.forEach((key, value) -> {
            if (key.contains(part)) {
                rows.row(key, value, key.contains("bytes") && value > 0 ? ReadableSizes.text(value) : "");
            }
        });
        if (rows.count() == 0) {
            throw new UsageException("%memory_stats: no statistic's name contains \"" + part + "\". There are "
                    + stats.size() + ", such as allocated_bytes.all.current. Ask for all with %memory_stats.");
        }
        return rows.report("Statistics of " + device.name()).rows(stats.size());
    }
}
