package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.Cuda;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code %alloc_conf}: PYTORCH_CUDA_ALLOC_CONF while the program runs. */
public final class AllocConfMagic extends OptionMagic {

    /** Found by the kernel. */
    public AllocConfMagic() {
        super("alloc_conf", Options.of("%alloc_conf", "Shows or changes the allocator's settings.")
                .words("[SETTINGS]", 0, 1, "as in PYTORCH_CUDA_ALLOC_CONF, for instance expandable_segments:True")
                .oneOfOrAny(List.of("expandable_segments:True", "expandable_segments:False", "max_split_size_mb:",
                        "garbage_collection_threshold:", "roundup_power2_divisions:"))
                .value("device", "N", Gpu.OPTION)
                .detail("Several settings are separated by commas. They hold for allocations from now on; segments that are "
                        + "there stay as they are.\nThey are the process's, as in PyTorch: every GPU has them, and %device "
                        + "keeps them.")
                .tellsWithoutWords());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        if (!arguments.words().isEmpty()) {
            try {
                Cuda.setAllocatorSettings(arguments.words().get(0));
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw new UsageException("%alloc_conf " + arguments.words().get(0) + ": " + e.getMessage().strip()
                        + "\nNothing was changed. Write settings as in PYTORCH_CUDA_ALLOC_CONF, "
                        + "for instance expandable_segments:True.");
            }
        }
        return table(device);
    }

    private static ReportTable table(Device device) {
        Allocator allocator = Allocators.of(device);
        AllocatorSettings settings = allocator instanceof CachingAllocator c ? c.settings() : AllocatorSettings.DEFAULT;
        RowBuilder rows = new RowBuilder().text("setting", "value");
        values(settings).forEach(rows::row);
        rows.row("per_process_memory_fraction", allocator.memoryFraction());
        return rows.report("Allocator settings of " + device.name()
                + (settings.text().isEmpty() ? ": default" : ": " + settings.text()));
    }

    private static Map<String, String> values(AllocatorSettings settings) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("expandable_segments", String.valueOf(settings.expandableSegments()));
        values.put("max_split_size",
                settings.limitsSplitting() ? ReadableSizes.both(settings.maxSplitSize()) : "unlimited");
        values.put("max_non_split_rounding", ReadableSizes.both(settings.maxNonSplitRounding()));
        values.put("garbage_collection_threshold", String.valueOf(settings.garbageCollectionThreshold()));
        values.put("roundup_power2_divisions", divisions(settings.roundupPower2Divisions()));
        values.put("backend", settings.asyncBackend() ? "cudaMallocAsync" : "native");
        return values;
    }

    /** The text of the process's settings if they differ from the default ones. */
    static Optional<String> changed() {
        AllocatorSettings settings = Allocators.settings();
        return values(settings).equals(values(AllocatorSettings.DEFAULT))
                ? Optional.empty()
                : Optional.of(settings.text());
    }

    private static String divisions(int[] divisions) {
        if (Arrays.stream(divisions).allMatch(d -> d <= 1)) {
            return "off";
        }
        return Arrays.stream(divisions).distinct().count() == 1
                ? String.valueOf(divisions[0])
                : Arrays.toString(divisions) + " from 1 MiB to 32 GiB";
    }
}
