package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.track.Tracking;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Collected;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code %gc}: lets the collector find what was dropped without being closed. */
public final class GcMagic extends OptionMagic {

    /** Found by the kernel. */
    public GcMagic() {
        super("gc", Options.of("%gc", "Collects tensors that were dropped without being closed, and tells what went.")
                .detail("It happens by itself after every cell while tracking is on, and before an allocation fails."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Map<Device, Long> before = new LinkedHashMap<>();
        Tracking.gpusInUse().forEach(d -> before.put(d, Allocators.of(d).stats().allocatedBytes()));
        Collected collected = Collector.run();
        RowBuilder rows = new RowBuilder().text("device").number("before bytes", "after bytes", "freed bytes");
        before.forEach((device, bytes) -> {
            long after = Allocators.of(device).stats().allocatedBytes();
            rows.row(device.name(), bytes, after, bytes - after);
        });
        long freed = rows.sum("freed bytes");
        return rows.report("Collected: " + (freed == 0 ? "nothing" : ReadableSizes.text(freed)))
                .note("The collector found " + ReadableSizes.count(collected.handles(), "tensor")
                        + " that nothing could reach.");
    }
}
