package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.option.Arguments;
import io.vramlab.magics.option.Options;
import io.vramlab.magics.table.Rows;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;

/** {@code %memory_fraction}: torch.cuda.set_per_process_memory_fraction(). */
public final class MemoryFractionMagic extends ReportMagic {

    /** Found by the kernel. */
    public MemoryFractionMagic() {
        super("memory_fraction",
                Options.of("%memory_fraction", "Shows or sets the share of the device that may be reserved.")
                        .words("[FRACTION]", 0, 1, "between 0 and 1; 1 removes the limit")
                        .value("device", "N", Gpu.OPTION)
                        .detail("The limit holds for what is reserved from the device, free blocks in the cache included. "
                                + "What is reserved beyond a new limit stays."));
    }

    @Override
    Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        Allocator allocator = Allocators.of(device);
        if (!arguments.words().isEmpty()) {
            allocator.setMemoryFraction(fraction(arguments.words().get(0)));
        }
        double fraction = allocator.memoryFraction();
        long total = device.properties().totalBytes();
        Rows rows = new Rows().text("device").decimal("fraction").number("limit bytes", "total bytes",
                "reserved bytes");
        rows.row(device.name(), fraction, (long) (fraction * total), total, allocator.stats().reservedBytes());
        return rows.report("Memory limit of " + device.name());
    }

    private static double fraction(String text) throws UsageException {
        try {
            double fraction = Double.parseDouble(text);
            if (fraction >= 0 && fraction <= 1) {
                return fraction;
            }
        } catch (NumberFormatException e) {
            // told below, together with numbers out of range
        }
        throw new UsageException(
                "%memory_fraction: \"" + text + "\" was given. It is a number between 0 and 1, the share "
                        + "of the device's memory. Write for instance %memory_fraction 0.5.");
    }
}
