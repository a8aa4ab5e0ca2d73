package io.vramlab.conformance.trace;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemoryStats;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One replay of a recording, with given stream handles. */
final class TraceReplay {

    private final AllocatorTrace trace;
    private final long[] handles;
    private final Supplier<String> memoryDifference;
    private final CachingAllocator allocator;
    private final Map<Integer, Long> addresses = new HashMap<>();
    private int mismatches;
    private String first = "";

    /**
     * A replay on fresh memory.
     *
     * @param order
     *            how the streams are taken
     */
    TraceReplay(final AllocatorTrace trace, final StreamOrder order) {
        this(trace, order, new RecordedMemory(trace));
    }

    private TraceReplay(final AllocatorTrace trace, final StreamOrder order, final RecordedMemory memory) {
        this(trace, order, memory, memory::difference);
    }

    /** A replay with the recording's addresses, and a device's memory behind them. */
    static TraceReplay over(final DeviceMemory device, final AllocatorTrace trace, final StreamOrder order) {
        final RecordedMemory recorded = new RecordedMemory(trace);
        return new TraceReplay(trace, order, new DrivenMemory(device, recorded), recorded::difference);
    }

    /** A replay with a device's own addresses. */
    static TraceReplay on(final DeviceMemory device, final AllocatorTrace trace, final StreamOrder order) {
        return new TraceReplay(trace, order, device, () -> null);
    }

    private TraceReplay(final AllocatorTrace trace, final StreamOrder order, final DeviceMemory memory,
            final Supplier<String> memoryDifference) {
        this.trace = trace;
        this.handles = order.handles();
        this.memoryDifference = memoryDifference;
        final AllocatorSettings settings = trace.conf().isEmpty()
                ? AllocatorSettings.DEFAULT
                : AllocatorSettings.fromEnvironment(trace.conf());
        allocator = new CachingAllocator(0, memory, new OrderedStreams(handles, order.polling()), settings, List::of);
        if (trace.limit() > 0) {
            allocator.setMemoryLimit(trace.limit());
        }
        allocator.recordHistory(HistoryOptions.withoutStacks());
    }

    /** Replays and compares everything. */
    Conformance run() {
        for (int i = 0; i < trace.operations().size(); i++) {
            final AllocatorTrace.Operation operation = trace.operations().get(i);
            final String problem = perform(operation);
            final String difference = problem != null ? problem : columnDifference(i);
            if (difference != null) {
                mismatch("after operation " + i + " (" + describe(operation) + "): " + difference);
            }
        }
        compareHistory();
        compareFinalStats();
        compareSegments();
        giveBack();
        return new Conformance(trace.name(), trace.operations().size(), mismatches, first);
    }

    /** Replays and compares nothing but the statistics: after how many operations one differed. */
    int differingStatistics() {
        int differing = 0;
        for (int i = 0; i < trace.operations().size(); i++) {
            final String problem = perform(trace.operations().get(i));
            differing += problem != null || columnDifference(i) != null ? 1 : 0;
        }
        giveBack();
        return differing;
    }

    private void giveBack() {
        addresses.values().forEach(allocator::free);
        addresses.clear();
        allocator.emptyCache();
    }

    /** Does one operation; says what went otherwise than in the recording, or null. */
    private String perform(final AllocatorTrace.Operation operation) {
        switch (operation.kind()) {
            case ALLOCATE, RUN_OUT -> {
                return allocate(operation);
            }
            case FREE -> {
                final Long address = addresses.remove(operation.id());
                if (address != null) {
                    allocator.free(address);
                }
            }
            case RECORD_STREAM -> {
                final Long address = addresses.get(operation.id());
                if (address != null) {
                    allocator.recordStream(address, handles[operation.stream()]);
                }
            }
            case EMPTY_CACHE -> allocator.emptyCache();
            case RESET_PEAKS -> allocator.resetPeakMemoryStats();
        }
        return null;
    }

    private String allocate(final AllocatorTrace.Operation operation) {
        final boolean fails = operation.kind() == AllocatorTrace.Kind.RUN_OUT;
        try {
            final long address = allocator.allocate(operation.bytes(), handles[operation.stream()]);
            if (fails) {
                allocator.free(address);
                return "succeeded where PyTorch ran out of memory";
            }
            addresses.put(operation.id(), address);
        } catch (final OutOfMemoryException e) {
            if (!fails) {
                final String why = memoryDifference.get() == null ? "" : "; " + memoryDifference.get();
                return "ran out of memory where PyTorch did not" + why;
            }
        }
        return null;
    }

    private String columnDifference(final int index) {
        final MemoryStats stats = allocator.stats();
        final StringBuilder text = new StringBuilder();
        for (int c = 0; c < trace.columns().size(); c++) {
            final long ours = stats.get(key(trace.columns().get(c)));
            final long recorded = trace.expected()[index][c];
            if (ours != recorded) {
                text.append(text.isEmpty() ? "" : ", ").append(trace.columns().get(c)).append(" is ").append(ours)
                        .append(", PyTorch has ").append(recorded);
            }
        }
        if (text.isEmpty()) {
            return null;
        }
        return memoryDifference.get() == null ? text.toString() : text + "; " + memoryDifference.get();
    }

    private static String key(final String column) {
        if (column.startsWith("num_")) {
            return column;
        }
        return column + (column.startsWith("oversize") ? ".current" : ".all.current");
    }

    private void compareHistory() {
        final List<AllocatorTrace.Entry> ours = new ArrayList<>();
        for (final TraceEntry entry : allocator.history()) {
            ours.add(new AllocatorTrace.Entry(entry.action(), entry.address(), entry.size(), index(entry.stream())));
        }
        final List<AllocatorTrace.Entry> recorded = new ArrayList<>(trace.entries());
        sortCompletions(ours);
        sortCompletions(recorded);
        for (int i = 0; i < Math.max(ours.size(), recorded.size()); i++) {
            final AllocatorTrace.Entry a = i < ours.size() ? ours.get(i) : null;
            final AllocatorTrace.Entry b = i < recorded.size() ? recorded.get(i) : null;
            if (!same(a, b)) {
                mismatch("history entry " + i + " is " + describe(a) + ", PyTorch has " + describe(b));
            }
        }
    }

    /** Free device memory, which an oom entry shows, is not the allocator's doing. */
    private static boolean same(final AllocatorTrace.Entry a, final AllocatorTrace.Entry b) {
        return a != null && b != null && a.action() == b.action() && a.size() == b.size() && a.stream() == b.stream()
                && (a.action() == TraceAction.OOM || a.address() == b.address());
    }

    private static void sortCompletions(final List<AllocatorTrace.Entry> entries) {
        for (int from = 0; from < entries.size(); from++) {
            int to = from;
            while (to < entries.size() && entries.get(to).completesFree()) {
                to++;
            }
            if (to - from > 1) {
                entries.subList(from, to).sort(Comparator.comparingLong(AllocatorTrace.Entry::address));
            }
            from = Math.max(from, to - 1);
        }
    }

    private int index(final long handle) {
        for (int i = 0; i < handles.length; i++) {
            if (handles[i] == handle) {
                return i;
            }
        }
        return -1;
    }

    private void compareFinalStats() {
        final MemoryStats stats = allocator.stats();
        final Map<String, Long> ours = stats.asMap();
        if (!trace.finalStats().keySet().equals(ours.keySet())) {
            mismatch("the final statistics have other keys: PyTorch has " + trace.finalStats().size() + ", here are "
                    + ours.size());
        }
        trace.finalStats().forEach((key, recorded) -> {
            if (ours.containsKey(key) && !ours.get(key).equals(recorded)) {
                mismatch("at the end " + key + " is " + ours.get(key) + ", PyTorch has " + recorded);
            }
        });
    }

    private void compareSegments() {
        final List<AllocatorTrace.Layout> ours = allocator.segments().stream().map(this::layout).toList();
        final List<AllocatorTrace.Layout> recorded = new ArrayList<>(trace.segments());
        recorded.sort(Comparator.comparingLong(AllocatorTrace.Layout::address));
        for (int i = 0; i < Math.max(ours.size(), recorded.size()); i++) {
            final AllocatorTrace.Layout a = i < ours.size() ? ours.get(i) : null;
            final AllocatorTrace.Layout b = i < recorded.size() ? recorded.get(i) : null;
            if (a == null || !a.equals(b)) {
                mismatch("at the end segment " + i + " is " + a + ", PyTorch has " + b);
            }
        }
    }

    private AllocatorTrace.Layout layout(final SegmentInfo s) {
        final List<AllocatorTrace.BlockLayout> blocks = new ArrayList<>();
        for (final BlockInfo b : s.blocks()) {
            blocks.add(new AllocatorTrace.BlockLayout(b.size(), b.requested(), b.state().text(), b.address()));
        }
        return new AllocatorTrace.Layout(s.address(), s.totalSize(), index(s.stream()), s.small() ? "small" : "large",
                s.allocatedSize(), s.activeSize(), s.requestedSize(), s.expandable(), blocks);
    }

    private void mismatch(final String text) {
        if (mismatches++ == 0) {
            first = text + (handles.length > 2 ? " (stream handles taken as " + Arrays.toString(handles) + ")" : "");
        }
    }

    private static String describe(final AllocatorTrace.Operation o) {
        return switch (o.kind()) {
            case ALLOCATE, RUN_OUT -> "allocate " + o.bytes() + " bytes as " + o.id() + " on stream " + o.stream();
            case FREE -> "free " + o.id();
            case RECORD_STREAM -> "record stream " + o.stream() + " on " + o.id();
            case EMPTY_CACHE -> "empty the cache";
            case RESET_PEAKS -> "reset peaks";
        };
    }

    private static String describe(final AllocatorTrace.Entry e) {
        return e == null
                ? "missing"
                : e.action().text() + " of " + e.size() + " bytes at 0x" + Long.toHexString(e.address())
                        + " on stream " + e.stream();
    }
}
