package io.vramlab.magics;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.Report;
import io.vramlab.magics.table.Rows;
import io.vramlab.magics.text.Sizes;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.whatif.WhatIf;
import io.vramlab.memory.whatif.WhatIfReport;
import io.vramlab.memory.whatif.WhatIfResult;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

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
                .detail("The history must be recorded before the program runs: %memory_snapshot --record on."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        long limit = arguments.has("limit") ? bytes(arguments.value("limit").orElseThrow()) : 0;
        long capacity = arguments.has("on") ? capacity(arguments.value("on").orElseThrow()) : 0;
        List<String> settings = arguments.value("conf")
                .map(c -> Arrays.stream(c.split(";")).map(String::strip).toList())
                .orElse(List.of());
        WhatIfReport result;
        try {
            result = new WhatIf(snapshot(arguments), limit, capacity).run(settings, (what, done, of) -> {
            });
        } catch (IllegalArgumentException e) {
            throw new UsageException("%what_if: " + e.getMessage());
        }
        Rows rows = new Rows().text("settings").number("device", "reserved peak bytes", "allocated peak bytes")
                .decimal("fragmentation").number("segments", "retries").text("out of memory");
        for (WhatIfResult r : result.results()) {
            rows.row(r.conf().isEmpty() ? "default" : r.conf(), r.device(), r.reservedPeak(), r.allocatedPeak(),
                    r.fragmentationAtPeak(), r.segmentsPeak(), r.retries(), r.oom() == null
                            ? "no"
                            : "at event " + Sizes.exact(r.oom().event()) + ", asking for "
                                    + Sizes.text(r.oom().requested()));
        }
        Report report = rows.report("What if" + verdict(result));
        result.notes().forEach(report::note);
        return report;
    }

    private static String verdict(WhatIfReport result) {
        if (result.results().stream().allMatch(each -> each.oom() != null)) {
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

    private static MemorySnapshot snapshot(Arguments arguments) throws UsageException {
        if (arguments.words().isEmpty()) {
            return Cuda.snapshot();
        }
        String name = arguments.words().get(0);
        try {
            return MemorySnapshot.read(Path.of(name));
        } catch (InvalidPathException | IOException e) {
            throw new UsageException("%what_if: the snapshot " + name + " was to be read. That failed: "
                    + e.getClass().getSimpleName() + ", " + e.getMessage()
                    + ". Name a file that torch.cuda.memory._dump_snapshot or %memory_snapshot wrote.");
        }
    }
}
