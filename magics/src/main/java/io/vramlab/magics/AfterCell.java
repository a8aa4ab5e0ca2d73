package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.device.PendingWork;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.CellListener;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.bug.HistoryRecorder;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.magics.oom.OomWatch;
import io.vramlab.magics.table.Alike;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.BlockLabel;
import io.vramlab.magics.track.EventLog;
import io.vramlab.magics.track.CollectedLog;
import io.vramlab.magics.track.SessionHistory;
import io.vramlab.magics.track.Totals;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.CallSites;
import io.vramlab.tensor.Collected;
import io.vramlab.tensor.LiveTensors;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tech.tablesaw.api.Table;

/** Follows cells: after each one, while tracking is on, what it did to the memory. */
public final class AfterCell implements CellListener {

    private static final int MOST_LEFT_BEHIND = 8;
    /** To look at so many objects takes a few milliseconds, a tenth of a collection. */
    private static final int MOST_TO_LOOK_AT = 10_000;

    private BiConsumer<Device, Allocator> watcher;
    private boolean uncollected;

    @Override
    public void sessionStarted(Session session) {
        LiveTensors.recordSites(true);
        CollectedLog.of(session);
        PendingWork.lines(CallSites::line);
        if (SessionHistory.isDefault()) {
            Tracking.of(session).startQuietly();
            SessionHistory.of(session).bounded();
        }
        // a cell may choose a GPU and fail on it: what was to be seen of that must not wait for the next cell
        watcher = (device, allocator) -> made(device, allocator, session);
        Allocators.watch(watcher);
    }

    private static void made(Device device, Allocator allocator, Session session) {
        // GPUs that %fit tries sizes on are nobody's to look at
        if (Device.all().contains(device)) {
            SessionHistory.of(session).made(allocator);
            Tracking.of(session).made(device);
            OomWatch.of(session).made(device);
        }
    }

    @Override
    public void sessionIdle(Session session) {
        // the first table costs half a second of class loading: not the user's half second
        Thread.ofPlatform().daemon().name("table warm-up").start(() -> Table.create("warm-up"));
    }

    @Override
    public void cellStarted(Cell cell, Session session) {
        quiet(session);
        CallSites.runningCell(cell.number());
        CollectedLog.of(session).cellStarted(cell.number());
        OomWatch.of(session).cellStarted(cell.number());
        Tracking.of(session).sources().started(cell.number(), cell.source());
        SessionHistory.of(session).cellStarted();
        Tracking.of(session).cellStarted();
    }

    @Override
    public void cellFinished(Cell cell, Outcome outcome, Session session) {
        boolean ranOut = explain(cell, outcome, session);
        Tracking tracking = Tracking.of(session);
        if (!tracking.isReporting()) {
            if (ranOut) {
                label(tracking, session);
            }
            tracking.cellFinished(cell.number());
            // the next cell's figures must not hang on when the collector comes by itself
            uncollected = !LiveTensors.list().isEmpty();
            if (HistoryRecorder.of(session).isOn()) {
                quiet(session);
            }
            return;
        }
        Map<Tracking.Followed, Long> before = ends(tracking);
        Collected collected = Collector.run();
        tracking.cellFinished(cell.number());
        report(cell, tracking, before, collected, label(tracking, session), session);
    }

    /** A collection takes as long as many cells: it waits until nobody does, at the latest until the next cell. */
    @Override
    public void quiet(Session session) {
        if (uncollected) {
            uncollected = false;
            // when variables lead to every open tensor, a collection would find none
            if (LiveTensors.open() > LiveSet.reached(session, MOST_TO_LOOK_AT)) {
                Collector.run();
            }
        }
    }

    @Override
    public void sessionEnded(Session session) {
        Allocators.unwatch(watcher);
        LiveTensors.watchCollected(null);
        Tracking.of(session).stop();
        OomWatch.of(session).close();
    }

    /** Under an out-of-memory error: what {@code %oom} says; whether there was one. */
    private static boolean explain(Cell cell, Outcome outcome, Session session) {
        Throwable error = outcome.error();
        for (int depth = 0; error != null && depth < 20; depth++) {
            if (error instanceof OutOfMemoryException failed) {
                Collector.run();
                OomWatch.of(session).last().filter(f -> f.error() == failed)
                        .ifPresent(f -> session.display(OomReport.of(f, session, cell.source())));
                return true;
            }
            error = error.getCause();
        }
        return false;
    }

    private static Map<Tracking.Followed, Long> ends(Tracking tracking) {
        Map<Tracking.Followed, Long> ends = new LinkedHashMap<>();
        tracking.all().forEach(f -> ends.put(f, f.log().end()));
        return ends;
    }

    /** Blocks that this cell made and that are still there keep what they are called, for later pictures. */
    private static LiveSet label(Tracking tracking, Session session) {
        Map<LiveSet.Place, Long> made = new HashMap<>();
        for (Tracking.Followed followed : tracking.all()) {
            for (EventLog.Live block : followed.log().liveAt(followed.log().end()).values()) {
                if (block.index() >= followed.cellStart()) {
                    made.put(new LiveSet.Place(followed.device(), block.address()), block.index());
                }
            }
        }
        List<LiveTensors.Entry> entries = made.isEmpty()
                ? List.of()
                : LiveTensors.list().stream()
                        .filter(e -> made.containsKey(new LiveSet.Place(e.device(), e.address()))).toList();
        LiveSet live = LiveSet.of(entries, session);
        for (LiveTensor tensor : live.tensors()) {
            long index = made.get(new LiveSet.Place(tensor.device(), tensor.address()));
            tracking.of(tensor.device())
                    .ifPresent(f -> f.label(index, new BlockLabel(tensor.name(), tensor.kind(), tensor.form())));
        }
        return live;
    }

    private static void report(Cell cell, Tracking tracking, Map<Tracking.Followed, Long> before, Collected collected,
            LiveSet live, Session session) {
        RowBuilder rows = new RowBuilder().text("device").number("net bytes", "peak bytes", "now bytes",
                "allocated bytes",
                "freed bytes", "collected bytes", "from device bytes");
        String words = "";
        long events = 0;
        for (Tracking.Followed followed : tracking.all()) {
            EventLog log = followed.log();
            long collectedFrom = before.getOrDefault(followed, log.end());
            Totals ran = Totals.of(log, followed.cellStart(), collectedFrom);
            Totals swept = Totals.of(log, collectedFrom, log.end());
            long happened = ran.allocations() + ran.frees() + swept.frees() + ran.outOfMemory();
            long net = ran.net() + swept.net();
            events += happened;
            if (happened > 0) {
                words += (words.isEmpty() ? "" : "; ") + followed.device().name() + " " + ReadableSizes.change(net)
                        + ", peak "
                        + ReadableSizes.text(ran.peak()) + ", now " + ReadableSizes.text(swept.end());
            }
            rows.row(followed.device().name(), net, ran.peak(), swept.end(), ran.allocated(), ran.freed(),
                    swept.freed(), ran.acquired());
        }
        if (events == 0) {
            return;
        }
        ReportTable report = rows.report("In [" + cell.number() + "]: " + words);
        List<LiveTensor> left = live.tensors().stream()
                .sorted(Comparator.comparing(LiveTensor::bytes, Comparator.reverseOrder())).toList();
        if (collected.handles() > 0) {
            report.note("The collector freed " + ReadableSizes.count(collected.handles(), "tensor")
                    + (collected.handles() == 1 ? " that was" : " that were")
                    + " dropped without being closed; the peak depends on when it came.");
        }
        if (!left.isEmpty()) {
            report.section(leftBehind(left));
        }
        if (collected.handles() > 0) {
            report.section(CollectedReport.of(cell.number(), session));
        }
        session.display(report);
    }

    private static ReportTable leftBehind(List<LiveTensor> tensors) {
        RowBuilder rows = new RowBuilder().text("left behind", "tensor").number("bytes", "line").text("held by");
        Alike.bySum(
                Alike.of(tensors, LiveTensor::called, t -> List.of(t.form(), t.bytes(), t.line(), t.heldBy())),
                LiveTensor::bytes)
                .forEach(g -> rows.row(g.name(), g.times(g.first().form()), g.count() * g.first().bytes(),
                        g.first().line(),
                        g.first().heldBy()));
        return rows.report("Left behind: " + ReadableSizes.count(tensors.size(), "tensor") + ", "
                + ReadableSizes.text(tensors.stream().mapToLong(LiveTensor::bytes).sum())).rows(MOST_LEFT_BEHIND);
    }
}
