package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProcess;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;

/** {@code %gpu}: the device's own account of its memory, beside ours. */
public final class GpuMagic extends OptionMagic {

    /** Found by the kernel. */
    public GpuMagic() {
        super("gpu", Options.of("%gpu", "Shows each GPU's memory as the driver counts it, and what lies outside of us.")
                .detail("outside: in use on the device but not reserved by this session's allocator: the CUDA context, "
                        + "libraries, other processes.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        RowBuilder rows = new RowBuilder().text("device", "name", "kind")
                .number("total bytes", "used bytes", "free bytes").decimal("used share");
        RowBuilder parts = new RowBuilder().text("device").number("used bytes", "allocated bytes", "cached bytes",
                "outside bytes");
        for (Device device : Device.all()) {
            MemoryStats stats = Allocators.of(device).stats();
            long total = device.driver().totalBytes();
            long free = device.driver().freeBytes();
            long used = total - free;
            rows.row(device.name(), device.properties().name(), Gpu.kind(device), total, used, free,
                    (double) used / total);
            parts.row(device.name(), used, stats.allocatedBytes(), stats.reservedBytes() - stats.allocatedBytes(),
                    used - stats.reservedBytes());
        }
        ReportTable report = rows.report("GPUs");
        for (Device device : Device.all()) {
            for (DeviceProcess process : device.driver().processes()) {
                if (!process.own()) {
                    report.note("On " + device.name() + " process " + process.pid() + " holds "
                            + ReadableSizes.both(process.bytes()) + ".");
                }
            }
        }
        Device.notice().ifPresent(report::note);
        return report.section(parts.report("Of what is used"));
    }
}
