package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.Alike;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.SessionHistory;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;
import io.vramlab.tensor.LiveTensors;
import java.util.Comparator;
import java.util.List;

/** {@code %track}: the live tensors; on and off: a report after every cell. {@code %%track}: a cell line by line. */
public final class TrackMagic extends OptionMagic {

    /** Found by the kernel. */
    public TrackMagic() {
        super("track", Options.of("%track", "Lists the tensors that are alive: who made them, what holds them.")
                .words("[on|off]", 0, 1, "on: after every cell a table of what it allocated, freed, peaked at and left "
                        + "behind; off: no more")
                .oneOf(List.of("on", "off")).value("top", "N", "only the first N")
                .choice("sort", List.of("bytes", "age", "name", "kind", "cell"), "the order; largest first by default")
                .flag("each",
                        "a row for each tensor; without it, history[0] to history[7] that are alike are history[0..7], with "
                                + "the bytes of all")
                .flag("leaks", "only what lives on though no variable leads to it")
                .flag("collected", "instead, what the garbage collector had to free, and why counting did not")
                .value("older", "K", "only what was made at least K cells ago").value("device", "N", Gpu.OPTION)
                .detail("%%track as the first line of a cell runs the cell and lists, line by line, what it allocated and "
                        + "freed, and how much of that had to come from the device.\n"
                        + "\"held by\" names one way; %holds NAME shows all.")
                .tellsWithoutWords());
    }

    @Override
    public Magic.Kind kind() {
        return Magic.Kind.LINE_AND_CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        if (call.hasBody()) {
            return LineReport.of(call);
        }
        if (arguments.has("collected")) {
            Collector.run();
            return CollectedReport.of(call.session());
        }
        Tracking tracking = Tracking.of(call.session());
        String word = arguments.words().isEmpty() ? "" : arguments.words().get(0);
        if (word.equals("on")) {
            LiveTensors.recordSites(true);
            tracking.startLoudly();
            return state("Tracking is on: every cell is followed by what it did to the memory.", "on");
        }
        if (word.equals("off")) {
            if (SessionHistory.isDefault()) {
                tracking.goOnQuietly();
            } else {
                tracking.reporting(false);
                tracking.stop();
            }
            return state("Tracking is off: no more tables after cells. A bounded history goes on from here.", "off");
        }
        return list(arguments, call);
    }

    private static ReportTable state(String words, String tracking) {
        RowBuilder rows = new RowBuilder().text("device", "tracking").number("allocated bytes", "reserved bytes");
        for (Device device : Tracking.gpusInUse()) {
            MemoryStats stats = Allocators.of(device).stats();
            rows.row(device.name(), tracking, stats.allocatedBytes(), stats.reservedBytes());
        }
        return rows.report(words);
    }

    private static ReportTable list(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        LiveSet live = LiveSet.of(call.session());
        int newest = call.session().executionCount() - arguments.number("older", 0, 0);
        List<LiveTensor> all = live.on(device);
        String sort = arguments.value("sort").orElse("bytes");
        List<LiveTensor> shown = all.stream().filter(t -> !arguments.has("leaks") || t.isForgotten())
                .filter(t -> !arguments.has("older") || t.cell() <= newest)
                .sorted(order(sort)).toList();
        List<Alike<LiveTensor>> groups = inOrder(sort, arguments.has("each")
                ? shown.stream().map(t -> new Alike<>(t.name(), List.of(t))).toList()
                : Alike.of(shown, LiveTensor::name,
                        t -> List.of(t.kind(), t.form(), t.bytes(), made(t), t.heldBy())));
        int top = arguments.number("top", groups.size(), 1);
        RowBuilder rows = new RowBuilder().text("variable", "kind", "tensor").number("bytes").text("made at",
                "held by");
        for (Alike<LiveTensor> group : groups.subList(0, Math.min(top, groups.size()))) {
            LiveTensor one = group.first();
            rows.row(group.name(), one.kind(), group.times(one.form()), group.count() * one.bytes(), made(one),
                    one.heldBy());
        }
        ReportTable report = rows.report((arguments.has("leaks") ? "Forgotten tensors on " : "Live tensors on ")
                + device.name() + ": " + ReadableSizes.count(shown.size(), "tensor") + ", "
                + ReadableSizes.text(shown.stream().mapToLong(LiveTensor::bytes).sum()));
        if (top < groups.size()) {
            report.note("… " + ReadableSizes.exact(groups.size() - top) + " more");
        }
        report.note(sum(device, all));
        if (all.stream().anyMatch(t -> t.stack().isEmpty())) {
            report.note("Where a tensor was made is remembered from the start of a session, unless "
                    + "LiveTensors.recordSites(false) said otherwise.");
        }
        if (!live.complete()) {
            report.note("The search for names stopped after "
                    + ReadableSizes.exact(io.vramlab.magics.hold.Walk.MOST_OBJECTS)
                    + " objects; some names may be missing.");
        }
        return report;
    }

    /** Several frames are folded under the first. */
    private static String made(LiveTensor tensor) {
        return tensor.stack().indexOf('\n') < 0 ? tensor.madeAt() : tensor.madeAt() + "\n" + tensor.stack();
    }

    private static String sum(Device device, List<LiveTensor> all) {
        long bytes = all.stream().mapToLong(LiveTensor::bytes).sum();
        MemoryStats stats = Allocators.of(device).stats();
        long others = stats.allocations() - all.stream().filter(t -> t.bytes() > 0).count();
        return ReadableSizes.count(all.size(), "tensor") + ", " + ReadableSizes.both(bytes)
                + " asked for; allocated " + ReadableSizes.both(stats.allocatedBytes()) + ", reserved "
                + ReadableSizes.both(stats.reservedBytes())
                + (others > 0
                        ? "; " + ReadableSizes.count(others, "block") + " of no tensor (workspaces, direct allocations)"
                        : "")
                + ".";
    }

    /** Rows of several tensors stand by what they hold together. */
    private static List<Alike<LiveTensor>> inOrder(String sort, List<Alike<LiveTensor>> groups) {
        return switch (sort) {
            case "bytes" -> Alike.bySum(groups, LiveTensor::bytes);
            case "kind" -> Alike.bySum(groups, LiveTensor::bytes).stream()
                    .sorted(Comparator.comparing(group -> group.first().kind())).toList();
            default -> groups;
        };
    }

    private static Comparator<LiveTensor> order(String sort) {
        return switch (sort) {
            case "age" -> (a, b) -> 0;
            case "name" -> Comparator.comparing(LiveTensor::called);
            case "kind" ->
                Comparator.comparing(LiveTensor::kind).thenComparing(LiveTensor::bytes, Comparator.reverseOrder());
            case "cell" -> Comparator.comparing(LiveTensor::cell).thenComparing(LiveTensor::line);
            default -> Comparator.comparing(LiveTensor::bytes, Comparator.reverseOrder());
        };
    }
}
