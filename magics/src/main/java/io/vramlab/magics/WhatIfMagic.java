package io.vramlab.magics;

import io.vramlab.device.ByteSize;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Progress;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.AlikeSettings;
import io.vramlab.memory.internal.whatif.ProvenLimits;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** {@code %what_if}: the recorded history under other settings, another limit, or on another device. */
public final class WhatIfMagic extends OptionMagic {

    /** Found by the kernel. */
    public WhatIfMagic() {
        super("what_if", Options.of("%what_if", "Replays a recorded history under other allocator settings.")
                .words("[FILE]", 0, 1,
                        "a snapshot, PyTorch's or from %memory_snapshot; the session's own history without it")
                .files()
                .value("conf", "SETTINGS",
                        "settings to try, several separated by semicolons; a sensible set without it")
                .value("limit", "SIZE", "what may be reserved, for instance 8GiB")
                .value("on", "GPU", "a GPU's name or a size: the device's capacity", Gpu.profiles())
                .value("device", "N", Gpu.OPTION)
                .detail("Without --limit and --on, this session's history is replayed under the GPU's own capacity and the limit "
                        + "of %memory_fraction; a file's, where memory ran out in it, under the most that it proves was allowed, else "
                        + "without any limit.\nA history is kept from the first cell on, the last 262,144 "
                        + "entries; %memory_snapshot --record on keeps all from then on.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        boolean own = arguments.words().isEmpty();
        Room room = own ? Room.of(Gpu.of(arguments)) : Room.ENDLESS;
        boolean bounded = arguments.has("limit") || arguments.has("on");
        long limit = arguments.has("limit")
                ? bytes(arguments.value("limit").orElseThrow())
                : bounded ? 0 : room.limit();
        long capacity = arguments.has("on")
                ? capacity(arguments.value("on").orElseThrow())
                : bounded ? 0 : room.capacity();
        List<String> settings = arguments.value("conf")
                .map(c -> Arrays.stream(c.split(";")).map(String::strip).toList())
                .orElseGet(() -> own ? room.settings(limit > 0 || capacity > 0) : List.of());
        MemorySnapshot snapshot = snapshot(arguments);
        ProvenLimits proven = own || bounded ? ProvenLimits.NONE : ProvenLimits.of(snapshot);
        WhatIfReport result;
        try {
            result = replay(progress -> own || bounded
                    ? new WhatIf(snapshot, limit, capacity).run(settings, progress)
                    : proven.run(snapshot, settings, progress));
        } catch (IllegalArgumentException e) {
            throw new UsageException("%what_if: " + e.getMessage());
        }
        boolean several = result.results().stream().mapToInt(WhatIfResult::device).distinct().count() > 1;
        boolean grouped = result.alike().size() < result.results().size();
        RowBuilder rows = new RowBuilder().text("settings");
        if (grouped) {
            rows.number("and alike");
        }
        if (several) {
            rows.number("device");
        }
        rows.number("reserved peak bytes", "allocated peak bytes").decimal("fragmentation")
                .number("segments", "retries").text("out of memory");
        for (AlikeSettings alike : result.alike()) {
            WhatIfResult r = alike.result();
            List<Object> cells = new ArrayList<>(List.of(alike.name()));
            if (grouped) {
                cells.add(alike.results().size() - 1);
            }
            if (several) {
                cells.add(r.device());
            }
            cells.addAll(List.of(r.reservedPeak(), r.allocatedPeak(), r.fragmentationAtPeak(), r.segmentsPeak(),
                    r.retries(), r.oom() == null
                            ? "no"
                            : "at event " + ReadableSizes.exact(r.oom().event()) + ", asking for "
                                    + ReadableSizes.text(r.oom().requested())));
            rows.row(cells.toArray());
        }
        ReportTable report = rows.report("What if" + verdict(result));
        if (own && !bounded) {
            report.note(room.words());
        }
        proven.sentences("--limit or --on").forEach(report::note);
        result.remarks().forEach(report::note);
        return report;
    }

    /** A bar for each setting that takes long. */
    private static WhatIfReport replay(Function<ReplayProgress, WhatIfReport> replays) {
        String[] running = {""};
        Progress[] bar = {Progress.ifLong("%what_if", 0)};
        WhatIfReport report = replays.apply((what, done, of) -> {
            if (!what.equals(running[0])) {
                bar[0].close();
                running[0] = what;
                bar[0] = Progress.ifLong("%what_if " + what, of);
            }
            bar[0].at(done);
        });
        bar[0].close();
        return report;
    }

    private static String verdict(WhatIfReport result) {
        if (result.runsOutUnderEach()) {
            return ": it runs out of memory under every one of these";
        }
        return result.best().map(best -> ": best with " + (best.isEmpty() ? "the default settings" : best)).orElse("");
    }

    private static long bytes(String text) throws UsageException {
        return ByteSize.parse(text)
                .orElseThrow(() -> new UsageException("%what_if: --limit was given \"" + text
                        + "\". It is a size in bytes, KiB, MiB or GiB. Write for instance --limit 512MiB."));
    }

    private static long capacity(String name) throws UsageException {
        try {
            return DeviceProfile.of(name).totalBytes();
        } catch (DeviceException e) {
            throw new UsageException("%what_if --on " + name + ": " + e.getMessage());
        }
    }

    /** The history of one GPU: limits differ from GPU to GPU. */
    private static MemorySnapshot own(Device device) {
        return Allocators.of(device) instanceof CachingAllocator caching
                ? MemorySnapshot.of(Map.of(device.index(), caching))
                : Cuda.snapshot();
    }

    private static MemorySnapshot snapshot(Arguments arguments) throws UsageException {
        if (arguments.words().isEmpty()) {
            return own(Gpu.of(arguments));
        }
        String name = arguments.words().get(0);
        try {
            return MemorySnapshot.read(Path.of(name));
        } catch (InvalidPathException unusable) {
            throw unreadable(name, "No file can have that name.");
        } catch (IOException e) {
            throw unreadable(name, FileTrouble.why(Path.of(name), e));
        }
    }

    private static UsageException unreadable(String name, String why) {
        if (name.matches("\\w+[:=].*")) {
            return new UsageException("%what_if: the snapshot " + name + " was to be read. " + why
                    + " Settings are an option: %what_if --conf " + name.replace('=', ':'));
        }
        return new UsageException("%what_if: the snapshot " + name + " was to be read. " + why
                + " Name a file that torch.cuda.memory._dump_snapshot or %memory_snapshot wrote.");
    }
}
