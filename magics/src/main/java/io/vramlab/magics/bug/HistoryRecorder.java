package io.vramlab.magics.bug;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemoryListener;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.tensor.type.Generator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Follows the GPUs' allocators while a bug report is being recorded. */
public final class HistoryRecorder {

    /** Characters that all parts together may take: a notebook grows by less than 2 MB. */
    static final int BUDGET = 1_900_000;
    /** What a part takes beside its events and tables, the file's own quoting included. */
    static final int FRAME = 1_000;
    /** In the kernel's environment, {@code on}: sessions record from their first cell. */
    static final String OPTION = "VRAMLAB_BUG_REPORT";
    private final Map<Device, Followed> followed = new LinkedHashMap<>();
    private final int budget;
    private boolean on;
    private int spent;

    HistoryRecorder(int budget) {
        this.budget = budget;
    }

    /** That session's. */
    public static HistoryRecorder of(Session session) {
        return session.part(HistoryRecorder.class, () -> opened(System.getenv(OPTION)));
    }

    /** A session's, with what the kernel's environment says. */
    static HistoryRecorder opened(String option) {
        HistoryRecorder recorder = new HistoryRecorder(BUDGET);
        recorder.on = "on".equals(option);
        return recorder;
    }

    /** Whether it records. */
    public synchronized boolean isOn() {
        return on;
    }

    /** Begins; what is there already is part of the first part. Idempotent. */
    public synchronized void start() {
        on = true;
        cellStarted();
    }

    /** Ends. Idempotent. */
    public synchronized void stop() {
        on = false;
        followed.forEach((device, log) -> Allocators.of(device).removeListener(log));
        followed.clear();
        spent = 0;
    }

    /** A cell begins: GPUs that are new are followed from here. */
    public synchronized void cellStarted() {
        if (on) {
            followed.keySet().retainAll(Device.all());
            Tracking.gpusInUse().forEach(gpu -> followed.computeIfAbsent(gpu, Followed::new));
        }
    }

    /** What the cell did, one part for each GPU on which something happened. */
    public synchronized List<RecordedPart> cellFinished(int cell) {
        List<RecordedPart> parts = new ArrayList<>();
        if (on) {
            cellStarted();
            for (Map.Entry<Device, Followed> gpu : followed.entrySet()) {
                RecordedPart part = gpu.getValue().part(cell, gpu.getKey(), budget - spent - FRAME);
                if (part != null) {
                    spent += part.json().length() + FRAME;
                    parts.add(part);
                }
            }
            if (parts.stream().anyMatch(RecordedPart::ended)) {
                stop();
            }
        }
        return parts;
    }

    /** What is told of the machine, and no more. */
    public static Map<String, String> environment(Device device) {
        String version = HistoryRecorder.class.getPackage().getImplementationVersion();
        return new TreeMap<>(Map.of("vramlab", version == null ? "unpackaged" : version,
                "java", Integer.toString(Runtime.version().feature()), "profile", device.properties().name(),
                "kind", device.kind().name(), "seed", Long.toString(Generator.of(device).initialSeed())));
    }

    /** One allocator's events since the last cell. */
    private static final class Followed implements MemoryListener {

        private final Events.Numbering numbering = new Events.Numbering();
        private Events events = new Events(0);
        private long first;
        private int dropped;
        private String previous = "";

        Followed(Device device) {
            Allocator allocator = Allocators.of(device);
            for (SegmentInfo segment : allocator.segments()) {
                events.add(Events.Kind.GAIN, segment.totalSize());
                for (BlockInfo block : segment.blocks()) {
                    if (block.state() == BlockState.ACTIVE_ALLOCATED) {
                        allocated(block.address(), block.size(), block.requested(), 0, 0);
                    }
                }
            }
            allocator.addListener(this);
        }

        @Override
        public synchronized void allocated(long address, long bytes, long requested, long stream, int site) {
            numbering.allocated(address);
            add(Events.Kind.ALLOC, requested);
        }

        @Override
        public synchronized void freed(long address, long bytes, long requested, long stream, int site) {
            long block = numbering.freed(address);
            if (block >= 0) {
                add(Events.Kind.FREE, block);
            }
        }

        @Override
        public synchronized void segmentAllocated(long address, long bytes, long stream) {
            add(Events.Kind.GAIN, bytes);
        }

        @Override
        public synchronized void segmentFreed(long address, long bytes, long stream) {
            add(Events.Kind.RELEASE, bytes);
        }

        @Override
        public synchronized void outOfMemory(OutOfMemoryException failure, long stream) {
            add(Events.Kind.OUT_OF_MEMORY, failure.requested());
        }

        private void add(Events.Kind kind, long number) {
            if (events.size() == Events.MOST / 2) {
                int before = events.size();
                events = events.lasting();
                dropped += before - events.size();
            }
            events.add(kind, number);
        }

        synchronized RecordedPart part(int cell, Device device, int room) {
            if (events.size() == 0) {
                return null;
            }
            int happened = events.size() + dropped;
            StateTables state = StateTables.of(device);
            boolean tight = state.packed().length() > room;
            Events kept = fitting(tight ? room : room - state.packed().length());
            boolean last = tight || kept.size() == 1 && kept.kind(0) == Events.Kind.SKIPPED;
            events = new Events(numbering.next());
            first = numbering.next();
            dropped = 0;
            Allocator allocator = Allocators.of(device);
            String settings = allocator instanceof CachingAllocator caching
                    ? caching.settings().text()
                    : AllocatorSettings.DEFAULT.text();
            long total = device.properties().totalBytes();
            double fraction = allocator.memoryFraction();
            RecordedPart part = new RecordedPart(cell, device.name(), environment(device), settings, total,
                    fraction < 1 ? (long) (fraction * total) : 0, happened, previous, kept,
                    tight ? StateTables.NONE : state, last);
            previous = part.checksum();
            return part;
        }

        /** All events, or what lasts beyond the cell, or only that blocks came. */
        private Events fitting(int room) {
            if (events.packed().length() <= room) {
                return events;
            }
            Events lasting = events.lasting();
            if (lasting.packed().length() <= room) {
                return lasting;
            }
            Events none = new Events(first);
            none.add(Events.Kind.SKIPPED, numbering.next() - first);
            return none;
        }
    }
}
