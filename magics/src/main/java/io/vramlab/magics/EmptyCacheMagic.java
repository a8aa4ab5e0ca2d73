package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import java.util.Map;

/** {@code %empty_cache}: torch.cuda.empty_cache(), with what it changed. */
public final class EmptyCacheMagic extends OptionMagic {

    /** Found by the kernel. */
    public EmptyCacheMagic() {
        super("empty_cache", Options
                .of("%empty_cache",
                        "Gives cached segments that are wholly free back to the device, and shows before and after.")
                .value("device", "N", Gpu.OPTION)
                .detail("It frees no tensor, and a segment with one block in use stays whole."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        Allocator allocator = Allocators.of(device);
        Map<String, Long> before = allocator.stats().asMap();
        allocator.emptyCache();
        Map<String, Long> after = allocator.stats().asMap();
        RowBuilder rows = new RowBuilder().text("metric").number("before", "after", "change");
        row(rows, "allocated bytes", "allocated_bytes.all.current", before, after);
        row(rows, "reserved bytes", "reserved_bytes.all.current", before, after);
        row(rows, "bytes that cannot be given back", "inactive_split_bytes.all.current", before, after);
        row(rows, "segments", "segment.all.current", before, after);
        long given = before.get("reserved_bytes.all.current") - after.get("reserved_bytes.all.current");
        return rows
                .report("Cache of " + device.name() + " emptied: " + ReadableSizes.text(given)
                        + " given back to the device");
    }

    private static void row(RowBuilder rows, String name, String key, Map<String, Long> before,
            Map<String, Long> after) {
        rows.row(name, before.get(key), after.get(key), after.get(key) - before.get(key));
    }
}
