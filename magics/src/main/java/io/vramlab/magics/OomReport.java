package io.vramlab.magics;

import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.magics.oom.FreeingAdvice;
import io.vramlab.magics.oom.Advisor;
import io.vramlab.magics.oom.Failure;
import io.vramlab.magics.oom.Hole;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.CellLines;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.OutOfMemoryException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is shown of a failed allocation: the figures, the largest holders, and what would have helped. */
final class OomReport {

    private static final int TOP = 10;

    private OomReport() {
    }

    static ReportTable of(Failure failure, Session session, String source) {
        LiveSet now = LiveSet.of(session);
        LiveSet then = LiveSet.of(failure.tensors(), session);
        List<FreeingAdvice> advice = Advisor.of(failure, now, session, source);
        RowBuilder rows = new RowBuilder().number("rank").text("what would have helped", "run").number("gives up bytes")
                .text("checked");
        for (int i = 0; i < advice.size(); i++) {
            FreeingAdvice a = advice.get(i);
            rows.row(i + 1, a.what(), a.command(), a.freed(), a.checked());
        }
        ReportTable report = rows.report("Out of memory on " + failure.device().name() + CellLines.line(failure.line())
                .map(l -> " at " + l.text()).orElse(" in In [" + failure.cell() + "]") + ": " + headline(failure));
        if (advice.isEmpty()) {
            report.note("Nothing that was tried would have helped: the device is too small for this request.");
        }
        return report.section(figures(failure, then))
                .section(largest("Largest holders by variable", "variable", then, failure,
                        t -> isGone(t, now, failure)
                                ? gone(t)
                                : t.path() == null ? t.called() : t.path().root().label()))
                .section(largest("Largest holders by cell", "made in", then, failure,
                        t -> t.cell() == 0 ? "unknown" : "In [" + t.cell() + "]"));
    }

    /** Whether what was alive then is not any more: its address may lead to what came in its place. */
    private static boolean isGone(LiveTensor then, LiveSet now, Failure failure) {
        return now.at(failure.device(), then.address()).filter(failure::had).isEmpty();
    }

    /** What was let go of as the failed call ended has no name any more; the line that made it says what it was. */
    private static String gone(LiveTensor then) {
        return then.madeAt().isEmpty() ? "let go of since" : "let go of since, " + then.madeAt();
    }

    /** What is to be known first: was there too little, or only no piece large enough? */
    private static String headline(Failure failure) {
        OutOfMemoryException e = failure.error();
        return ReadableSizes.text(e.requested()) + " asked for; " + ReadableSizes.text(e.deviceFree())
                + " free on the device, "
                + ReadableSizes.text(failure.freeInCache()) + " free in the cache"
                + (failure.freeInCache() == 0
                        ? ""
                        : ", the largest piece " + ReadableSizes.text(failure.largestFree()));
    }

    private static ReportTable figures(Failure failure, LiveSet then) {
        OutOfMemoryException e = failure.error();
        long requestedInUse = failure.segments().stream().mapToLong(s -> s.requestedSize()).sum();
        RowBuilder rows = new RowBuilder().text("figure").number("bytes");
        rows.row("asked for", e.requested()).row("rounded to a block of", e.rounded())
                .row("segment that was tried for", e.segmentBytes());
        if (e.limit() != 0) {
            rows.row("limit of this process", e.limit());
        }
        rows.row("device", e.deviceTotal()).row("free on the device", e.deviceFree()).row("reserved", e.reserved())
                .row("allocated", e.allocated()).row("requested of that", requestedInUse)
                .row("free in the cache", failure.freeInCache()).row("largest free block", failure.largestFree());
        ReportTable report = rows.report("What was true");
        if (e.reserved() > 0) {
            report.note("Fragmentation: 1 - allocated / reserved = 1 - " + ReadableSizes.exact(e.allocated()) + " / "
                    + ReadableSizes.exact(e.reserved()) + " = "
                    + ReadableSizes.percent((double) (e.reserved() - e.allocated()) / e.reserved()) + ".");
        }
        long outside = e.deviceTotal() - e.deviceFree() - e.reserved();
        if (outside > 0) {
            report.note("Outside of this allocator: " + ReadableSizes.both(outside) + ".");
        }
        boolean small = e.rounded() <= AllocatorSettings.SMALL_MAX;
        Hole.best(failure.segments(), e.rounded(), failure.stream(), small).filter(h -> !h.inTheWay().isEmpty())
                .ifPresent(hole -> report.note("The best hole has " + ReadableSizes.both(hole.bytes()) + " at 0x"
                        + Long.toHexString(hole.segment().address()) + "; in the way: " + names(hole, failure, then)
                        + " (" + ReadableSizes.both(hole.cost()) + ")."));
        return report;
    }

    private static String names(Hole hole, Failure failure, LiveSet then) {
        String names = hole.inTheWay().stream().limit(5).map(b -> name(b, failure, then))
                .collect(Collectors.joining(", "));
        return names + (hole.inTheWay().size() > 5 ? " and " + (hole.inTheWay().size() - 5) + " more" : "");
    }

    private static String name(BlockInfo block, Failure failure, LiveSet then) {
        return then.at(failure.device(), block.address()).map(LiveTensor::called).orElse(Kinds.NO_TENSOR + " memory");
    }

    private static ReportTable largest(String caption, String column, LiveSet then, Failure failure,
            Function<LiveTensor, String> key) {
        Map<String, long[]> sums = new TreeMap<>();
        for (LiveTensor tensor : then.on(failure.device())) {
            long[] sum = sums.computeIfAbsent(key.apply(tensor), k -> new long[2]);
            sum[0] += tensor.bytes();
            sum[1]++;
        }
        RowBuilder rows = new RowBuilder().text(column).number("bytes", "tensors");
        sums.entrySet().stream().sorted(Comparator.comparing((Map.Entry<String, long[]> s) -> -s.getValue()[0]))
                .forEach(s -> rows.row(s.getKey(), s.getValue()[0], s.getValue()[1]));
        return rows.report(caption).rows(TOP);
    }
}
