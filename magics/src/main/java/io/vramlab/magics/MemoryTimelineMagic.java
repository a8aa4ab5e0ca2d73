package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.table.Alike;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.timeline.TimelinePicture;
import io.vramlab.magics.track.BlockLabel;
import io.vramlab.magics.track.CellLines;
import io.vramlab.magics.track.EventLog;
import io.vramlab.magics.track.Region;
import io.vramlab.magics.track.Totals;
import io.vramlab.magics.track.Tracking;
import io.vramlab.magics.view.Page;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemorySnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** {@code %memory_timeline}: memory over events or time. */
public final class MemoryTimelineMagic extends OptionMagic {

    private static final String GONE = "Temporary";

    /** Found by the kernel. */
    public MemoryTimelineMagic() {
        super("memory_timeline", Options
                .of("%memory_timeline", "Draws allocated, reserved and requested bytes of this session.")
                .choice("by", List.of("kind", "cell", "variable"), "stacked areas instead")
                .flag("time", "over time instead of events").value("last", "K", "only the last K cells")
                .flag("view",
                        "also a picture to zoom, pan and ask, of the allocator's history; where the notebook is trusted")
                .flag("png", "as PNG, for places that show no SVG").value("device", "N", Gpu.OPTION)
                .detail("The table lists what was alive at the peak; Temporary is what was gone before its cell ended.\nThe last 262,144 events of a GPU are kept from the first cell on, the last 1,048,576 from %track on.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        Tracking.Followed followed = Tracking.of(call.session()).of(device)
                .orElseThrow(() -> new UsageException("%memory_timeline: the timeline of " + device.name()
                        + " was asked for. Tracking is off, so no events were kept. Switch it on with %track on, then run "
                        + "the cells again."));
        EventLog log = followed.log();
        List<Region> bands = bands(followed);
        long from = first(arguments, followed);
        long to = log.end();
        LiveSet live = LiveSet.of(call.session());
        Function<EventLog.Live, BlockLabel> label = label(device, followed, live);
        Function<EventLog.Live, String> group = arguments.value("by").map(by -> group(by, label)).orElse(null);
        Kinds kinds = new Kinds(arguments.value("by").orElse("").equals("kind"));
        long total = device.properties().totalBytes();
        long limit = (long) (Allocators.of(device).memoryFraction() * total);
        Picture picture = TimelinePicture.draw(log, new TimelinePicture.Request(device.name(), from, to,
                arguments.has("time"), bands, limit, group, kinds::paint));
        ReportTable report = atPeak(device, log, from, to, label).picture(picture, arguments.has("png")).rows(8);
        if (arguments.has("view")) {
            view(device, live, report);
        }
        if (log.begin() > 0) {
            report.note("The first " + ReadableSizes.exact(log.begin()) + " events are no longer kept.");
        }
        return report;
    }

    /** The still picture stays for where scripts do not run. */
    private static void view(Device device, LiveSet live, ReportTable report) throws UsageException {
        Page page = new Page("Memory of " + device.name());
        if (Allocators.of(device) instanceof CachingAllocator caching) {
            page.add("this session", MemorySnapshot.of(Map.of(device.index(), caching)),
                    address -> live.at(device, address).map(LiveTensor::called).orElse(null));
        }
        if (page.isEmpty()) {
            throw new UsageException("%memory_timeline --view: the history of " + device.name()
                    + " was to be shown. It was switched off. Switch it on with %memory_snapshot --record on, then run the "
                    + "cells again.");
        }
        report.page(page.html());
    }

    private static List<Region> bands(Tracking.Followed followed) {
        List<Region> bands = new ArrayList<>(followed.cells());
        long last = bands.isEmpty() ? 0 : bands.get(bands.size() - 1).to();
        if (followed.cellStart() >= last && followed.log().end() > followed.cellStart()) {
            bands.add(new Region("this cell", followed.cellStart(), followed.log().end()));
        }
        return bands;
    }

    private static long first(Arguments arguments, Tracking.Followed followed) throws UsageException {
        List<Region> cells = followed.cells();
        int last = arguments.number("last", cells.size(), 1);
        return last >= cells.size() ? followed.log().begin() : cells.get(cells.size() - last).from();
    }

    /** What a block is, if it lives, or was when a cell ended. */
    private static Function<EventLog.Live, BlockLabel> label(Device device, Tracking.Followed followed, LiveSet live) {
        Set<Long> stillThere = new HashSet<>();
        followed.log().liveAt(followed.log().end()).values().forEach(l -> stillThere.add(l.index()));
        return block -> {
            Optional<LiveTensor> tensor = stillThere.contains(block.index())
                    ? live.at(device, block.address())
                    : Optional.empty();
            return tensor.map(t -> new BlockLabel(t.name(), t.kind(), t.form())).or(() -> followed.label(block))
                    .orElse(new BlockLabel("", stillThere.contains(block.index()) ? Kinds.NO_TENSOR : GONE, ""));
        };
    }

    private static Function<EventLog.Live, String> group(String by, Function<EventLog.Live, BlockLabel> label) {
        return switch (by) {
            case "cell" -> block -> CellLines.line(block.line()).map(l -> "In [" + l.cell() + "]")
                    .orElse(block.index() < 0 ? "before tracking" : "outside of cells");
            case "variable" -> block -> root(label.apply(block).name());
            default -> block -> label.apply(block).kind();
        };
    }

    private static String root(String name) {
        int end = 0;
        while (end < name.length() && Character.isJavaIdentifierPart(name.charAt(end))) {
            end++;
        }
        return end == 0 ? "unnamed" : name.substring(0, end);
    }

    private static String made(EventLog.Live block) {
        return CellLines.line(block.line()).map(CellLines.Line::text)
                .orElse(block.index() < 0 ? "before tracking" : "");
    }

    private static ReportTable atPeak(Device device, EventLog log, long from, long to,
            Function<EventLog.Live, BlockLabel> label) {
        Totals totals = Totals.of(log, from, to);
        List<EventLog.Live> alive = new ArrayList<>(log.liveAt(totals.peakIndex()).values());
        alive.sort(Comparator.comparing(EventLog.Live::bytes, Comparator.reverseOrder())
                .thenComparing(EventLog.Live::index));
        RowBuilder rows = new RowBuilder().text("name", "kind", "tensor").number("bytes").text("made at");
        List<Alike<EventLog.Live>> groups = Alike.bySum(Alike.of(alive, b -> label.apply(b).name(),
                b -> List.of(label.apply(b).kind(), label.apply(b).shape(), b.bytes(), made(b))), EventLog.Live::bytes);
        for (Alike<EventLog.Live> group : groups) {
            EventLog.Live block = group.first();
            BlockLabel what = label.apply(block);
            rows.row(group.name(), what.kind(), group.times(what.shape()), group.count() * block.bytes(), made(block));
        }
        return rows.report("Alive at the peak of " + device.name() + ": " + ReadableSizes.both(totals.peak()));
    }
}
