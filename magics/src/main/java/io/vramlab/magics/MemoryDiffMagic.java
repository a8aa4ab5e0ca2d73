package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.Alike;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.CallSiteText;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.magics.track.BlockLabel;
import io.vramlab.magics.track.CellLines;
import io.vramlab.magics.track.EventLog;
import io.vramlab.magics.track.Region;
import io.vramlab.magics.track.Tracking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code %memory_diff}: what came, went and grew between two moments. */
public final class MemoryDiffMagic extends OptionMagic {

    /** Bytes and blocks by group, and which blocks. */
    private record Moment(String label, Map<String, long[]> groups) {

        void add(String group, long bytes) {
            long[] sum = groups.computeIfAbsent(group, g -> new long[2]);
            sum[0] += bytes;
            sum[1]++;
        }

        long bytes(String group) {
            return groups.getOrDefault(group, new long[2])[0];
        }

        long blocks(String group) {
            return groups.getOrDefault(group, new long[2])[1];
        }
    }

    /** Found by the kernel. */
    public MemoryDiffMagic() {
        super("memory_diff", Options.of("%memory_diff", "Compares what was alive at two moments: new, gone, grown.")
                .words("A [B]", 1, 2, "a cell's number, a mark's name (their ends), start, now, or a snapshot file; "
                        + "B is now if left out")
                .oneOfOrAny(List.of("start", "now")).files()
                .choice("by", List.of("variable", "line", "kind"), "how to group")
                .flag("all", "also what did not change").value("device", "N", Gpu.OPTION)
                .detail("Tracking must have been on (%track on), except for two snapshot files, which are compared by line.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String a = arguments.words().get(0);
        String b = arguments.words().size() > 1 ? arguments.words().get(1) : "now";
        if (Files.isRegularFile(Path.of(a)) && Files.isRegularFile(Path.of(b))) {
            return compare(file(a), file(b), "line", arguments.has("all"));
        }
        Device device = Gpu.of(arguments);
        Tracking.Followed followed = Tracking.of(call.session()).of(device)
                .orElseThrow(() -> new UsageException("%memory_diff: " + a + " and " + b
                        + " were to be compared. Tracking is "
                        + "off, so earlier moments are not known. Switch it on with %track on, then run the cells again."));
        String by = arguments.value("by").orElse("variable");
        LiveSet live = LiveSet.of(call.session());
        return compare(moment(a, followed, by, live), moment(b, followed, by, live), by, arguments.has("all"));
    }

    private static Moment moment(String name, Tracking.Followed followed, String by, LiveSet live)
            throws UsageException {
        EventLog log = followed.log();
        Moment moment = new Moment(name, new HashMap<>());
        Map<Long, EventLog.Live> now = log.liveAt(log.end());
        for (EventLog.Live block : log.liveAt(index(name, followed)).values()) {
            boolean alive = now.getOrDefault(block.address(), block).index() == block.index()
                    && now.containsKey(block.address());
            BlockLabel label = (alive
                    ? live.at(followed.device(), block.address())
                    : java.util.Optional.<io.vramlab.magics.live.LiveTensor>empty())
                    .map(t -> new BlockLabel(t.name(), t.kind(), t.form()))
                    .or(() -> followed.label(block)).orElse(new BlockLabel("", "Temporary", ""));
            String line = CellLines.line(block.line()).map(CellLines.Line::text)
                    .orElse(block.index() < 0 ? "before tracking" : "outside of cells");
            moment.add(switch (by) {
                case "line" -> line;
                case "kind" -> label.kind();
                default -> label.name().isEmpty() ? "unnamed, " + line : label.name();
            }, block.bytes());
        }
        return moment;
    }

    private static long index(String name, Tracking.Followed followed) throws UsageException {
        if (name.equals("now")) {
            return followed.log().end();
        }
        if (name.equals("start")) {
            return followed.log().begin();
        }
        List<Region> regions = new ArrayList<>(followed.cells());
        regions.addAll(followed.marks());
        List<String> known = new ArrayList<>();
        for (Region region : regions.reversed()) {
            if (region.label().equals(name) || region.label().equals("In [" + name + "]")) {
                return region.to();
            }
            known.add(region.label());
        }
        throw new UsageException("%memory_diff: the moment " + name + " was asked for. Known are start, now"
                + (known.isEmpty() ? "" : ", " + String.join(", ", known.reversed())) + ". Name one of these.");
    }

    private static Moment file(String name) throws UsageException {
        try {
            Moment moment = new Moment(name, new HashMap<>());
            for (SegmentInfo segment : MemorySnapshot.read(Path.of(name)).segments()) {
                for (BlockInfo block : segment.blocks()) {
                    if (block.state() != BlockState.INACTIVE) {
                        moment.add(CallSiteText.line(block.site()), block.size());
                    }
                }
            }
            return moment;
        } catch (IOException e) {
            throw new UsageException("%memory_diff: the snapshot " + name + " was to be read. That failed: "
                    + e.getMessage() + ". Name a file that %memory_snapshot or PyTorch wrote.");
        }
    }

    private static ReportTable compare(Moment a, Moment b, String by, boolean all) {
        Set<String> groups = new TreeSet<>(a.groups().keySet());
        groups.addAll(b.groups().keySet());
        List<String> order = new ArrayList<>(groups);
        order.sort((x, y) -> Long.compare(Math.abs(b.bytes(y) - a.bytes(y)), Math.abs(b.bytes(x) - a.bytes(x))));
        RowBuilder rows = new RowBuilder().text(by, "change").number("before bytes", "after bytes", "change bytes",
                "before blocks",
                "after blocks");
        long change = 0;
        for (String group : order) {
            change += b.bytes(group) - a.bytes(group);
        }
        List<String> shown = order.stream().filter(group -> all || a.bytes(group) != b.bytes(group)).toList();
        for (Alike<String> alike : Alike.of(shown, group -> group,
                group -> List.of(a.bytes(group), b.bytes(group), a.blocks(group), b.blocks(group)))) {
            long before = alike.count() * a.bytes(alike.first());
            long after = alike.count() * b.bytes(alike.first());
            rows.row(alike.name(), word(before, after), before, after, after - before,
                    alike.count() * a.blocks(alike.first()), alike.count() * b.blocks(alike.first()));
        }
        return rows.report("From " + a.label() + " to " + b.label() + ": " + ReadableSizes.change(change))
                .note("In all: " + ReadableSizes.both(change) + ".");
    }

    private static String word(long before, long after) {
        if (before == 0) {
            return "new";
        }
        if (after == 0) {
            return "gone";
        }
        return after > before ? "grown" : after < before ? "shrunk" : "same";
    }
}
