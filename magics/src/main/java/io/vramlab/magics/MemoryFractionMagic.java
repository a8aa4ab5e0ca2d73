package io.vramlab.magics;

import io.vramlab.device.ByteSize;
import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.Sizes;
import java.util.Optional;

/** {@code %memory_fraction}: torch.cuda.set_per_process_memory_fraction(). */
public final class MemoryFractionMagic extends OptionMagic {

    /** Found by the kernel. */
    public MemoryFractionMagic() {
        super("memory_fraction",
                Options.of("%memory_fraction", "Shows or sets the share of the device that may be reserved.")
                        .words("[FRACTION|SIZE]", 0, 1,
                                "between 0 and 1, or a size such as 256MiB; 1 removes the limit")
                        .value("device", "N", Gpu.OPTION)
                        .detail("The limit holds for what is reserved from the device, free blocks in the cache included. "
                                + "What is reserved beyond a new limit stays.")
                        .tellsWithoutWords());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        Allocator allocator = Allocators.of(device);
        if (!arguments.words().isEmpty()) {
            allocator.setMemoryFraction(fraction(arguments.words().get(0), device));
        }
        double fraction = allocator.memoryFraction();
        long total = device.properties().totalBytes();
        RowBuilder rows = new RowBuilder().text("device").decimal("share").number("limit bytes", "total bytes",
                "reserved bytes");
        rows.row(device.name(), fraction, (long) (fraction * total), total, allocator.stats().reservedBytes());
        return rows.report("Memory limit of " + device.name());
    }

    private static double fraction(String text, Device device) throws UsageException {
        try {
            double fraction = Double.parseDouble(text);
            if (fraction >= 0 && fraction <= 1) {
                return fraction;
            }
        } catch (NumberFormatException e) {
            Optional<Long> size = ByteSize.parse(text);
            if (size.isPresent()) {
                return share(size.get(), device);
            }
        }
        throw new UsageException(
                "%memory_fraction: \"" + text + "\" was given. It is a number between 0 and 1, the share "
                        + "of the device's memory, or a size. Write for instance %memory_fraction 0.5 or 256MiB.");
    }

    /** The smallest share whose bytes, cut off to a whole number, are these. */
    private static double share(long bytes, Device device) throws UsageException {
        long total = device.properties().totalBytes();
        if (bytes > total) {
            throw new UsageException("%memory_fraction: a limit of " + Sizes.both(bytes) + " was asked for. "
                    + device.name() + " has " + Sizes.both(total) + ". Ask for less, or 1 for no limit.");
        }
        double share = (double) bytes / total;
        while ((long) (share * total) < bytes) {
            share = Math.nextUp(share);
        }
        return share;
    }
}
