package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Simulation;
import io.vramlab.footprint.ConvolutionAnswers;
import io.vramlab.footprint.Rule;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code %device}: lists, chooses and resets devices. */
public final class DeviceMagic extends OptionMagic {

    /** Found by the kernel. */
    public DeviceMagic() {
        super("device", Options.of("%device", "Lists the devices, or chooses others.")
                .words("[DEVICE|reset]", 0, 2, "what to use from now on: a size (8GiB), a GPU's name (H100-80GB), "
                        + "shapes:H200, cuda, cuda:1, cpu; or reset")
                .oneOfOrAny(choices()).flag("profiles", "lists the GPUs that can be simulated")
                .detail("A simulated GPU computes real values on this machine's processor; shapes:… hands out addresses and "
                        + "computes nothing; cuda is the real one.\nreset clears a fault of the simulated GPU; memory stays.\n"
                        + "Tensors that are on a device stay usable when another is chosen.")
                .tellsWithoutWords());
    }

    private static List<String> choices() {
        List<String> choices = new ArrayList<>(List.of("8GiB", "cpu", "cuda", "reset"));
        choices.addAll(Gpu.profiles());
        return choices;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        if (arguments.has("profiles")) {
            return profiles();
        }
        String wanted = String.join(" ", arguments.words()); // "8 GiB" and "RTX 4090" are what people write
        if (wanted.equals("reset")) {
            reset(Device.current());
        } else if (!wanted.isEmpty()) {
            select(wanted);
        }
        return devices();
    }

    private static void select(String wanted) throws UsageException {
        try {
            Device.select(known(wanted));
        } catch (DeviceException e) {
            throw new UsageException("%device " + wanted + ": " + e.getMessage());
        }
    }

    /** The words that {@link Device#select} knows pass; a bare size or name means a simulated GPU. */
    private static String known(String wanted) {
        String lower = wanted.toLowerCase(Locale.ROOT);
        boolean hasScheme = lower.equals("cpu") || lower.startsWith("cuda") || lower.contains(":")
                && DeviceProfile.find(wanted.substring(0, wanted.indexOf(':'))).isEmpty();
        return hasScheme ? wanted : "sim:" + wanted;
    }

    private static void reset(Device device) throws UsageException {
        Simulation simulation = device.simulation().orElseThrow(() -> new UsageException("%device reset: a reset of "
                + device.name() + " was asked for. Only a simulated GPU can be reset; a real one's process must be "
                + "restarted. Restart the kernel."));
        simulation.reset();
    }

    private static ReportTable devices() {
        RowBuilder rows = new RowBuilder().text("device", "name", "kind", "current").number("SMs").text("capability");
        RowBuilder memory = new RowBuilder().text("device").number("total bytes", "free bytes", "reserved bytes",
                "allocated bytes");
        for (Device device : Device.all()) {
            DeviceProperties properties = device.properties();
            MemoryStats stats = Allocators.of(device).stats();
            rows.row(device.name(), properties.name(), Gpu.kind(device),
                    device == Device.current() ? "yes" : "", properties.multiProcessorCount(),
                    properties.major() + "." + properties.minor());
            memory.row(device.name(), properties.totalBytes(), device.driver().freeBytes(), stats.reservedBytes(),
                    stats.allocatedBytes());
        }
        if (!Device.current().isCuda()) {
            rows.row("cpu", Device.cpu().properties().name(), "cpu", "yes", null, null);
        }
        ReportTable report = rows.report("Devices");
        Device.notice().ifPresent(report::note);
        if (Device.current().isCuda()) {
            Rule.caveat(Device.current().properties()).ifPresent(report::note);
            if (ConvolutionAnswers.isOn()) {
                ConvolutionAnswers.library().ifPresent(library -> report.note("Workspaces of convolutions that were "
                        + "not recorded are asked of " + library + " (VRAMLAB_CUDNN_ASK)."));
            }
        }
        AllocConfMagic.changed()
                .ifPresent(settings -> report.note("Allocator settings are the process's and stay when a "
                        + "device is chosen: " + settings + " (%alloc_conf)."));
        return memory.count() == 0 ? report : report.section(memory.report("Their memory"));
    }

    private static ReportTable profiles() {
        RowBuilder rows = new RowBuilder().text("profile").number("total bytes", "SMs", "threads per SM")
                .text("capability");
        for (DeviceProperties p : DeviceProfile.all()) {
            rows.row(p.name(), p.totalBytes(), p.multiProcessorCount(), p.maxThreadsPerMultiProcessor(),
                    p.major() + "." + p.minor());
        }
        return rows.report("GPUs that can be simulated")
                .note("Choose one with %device NAME, or any capacity with %device 24GiB. Total bytes are what CUDA reports of "
                        + "such a card; %device NAME:24GiB gives it others.");
    }
}
