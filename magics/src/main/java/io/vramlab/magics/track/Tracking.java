package io.vramlab.magics.track;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Session;
import io.vramlab.memory.Allocators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a session follows: one log per GPU while tracking is on, and the cells and marks on it. All times are event
 * numbers, so a region is exact however short it is.
 */
public final class Tracking {

    /** At most so many events of each GPU are kept while nobody asked for tracking: 45 bytes each, 12 MB. */
    static final int QUIET_EVENTS = 1 << 18;

    /** The log of one GPU with its regions. */
    public static final class Followed {

        private final Device device;
        private final EventLog log;
        private final List<Region> cells = new ArrayList<>();
        private final List<Region> marks = new ArrayList<>();
        private final Map<Long, BlockLabel> labels = new LinkedHashMap<>();
        private long cellStart;
        private String openMark;
        private long markStart;

        private Followed(Device device, int most) {
            this.device = device;
            this.log = EventLog.open(Allocators.of(device), most);
        }

        /** The GPU. */
        public Device device() {
            return device;
        }

        /** Its events. */
        public EventLog log() {
            return log;
        }

        /** Number of the first event of the cell that runs, or ran last. */
        public long cellStart() {
            return cellStart;
        }

        /** The cells, in order. */
        public List<Region> cells() {
            return List.copyOf(cells);
        }

        /** The marked regions, in order; the one that is open ends now. */
        public List<Region> marks() {
            List<Region> all = new ArrayList<>(marks);
            if (openMark != null) {
                all.add(new Region(openMark, markStart, log.end()));
            }
            return all;
        }

        private void mark(String name) {
            if (openMark != null) {
                marks.add(new Region(openMark, markStart, log.end()));
            }
            openMark = name;
            markStart = log.end();
        }

        /** Notes what a block was, for the time when it is gone; by the number of its allocation. */
        public void label(long index, BlockLabel label) {
            labels.put(index, label);
        }

        /** What a block was when its cell, or a later one, ended; empty if it was gone by then. */
        public Optional<BlockLabel> label(EventLog.Live live) {
            return Optional.ofNullable(labels.get(live.index()));
        }
    }

    private final Map<Device, Followed> followed = new LinkedHashMap<>();
    private final QuotedCells sources = new QuotedCells();
    private int most = EventLog.MOST_EVENTS;
    private boolean on;
    private boolean reporting;

    private Tracking() {
    }

    /** What that session follows. */
    public static Tracking of(Session session) {
        return session.part(Tracking.class, Tracking::new);
    }

    /** True when events are followed. */
    public synchronized boolean isOn() {
        return on;
    }

    /** True when every cell is reported on. */
    public synchronized boolean isReporting() {
        return reporting;
    }

    /** Says whether every cell is reported on. */
    public synchronized void reporting(boolean wanted) {
        reporting = wanted;
    }

    /** The texts of the cells that ran. */
    public QuotedCells sources() {
        return sources;
    }

    /**
     * Begins to follow every GPU as every session does from its first cell on: fewer events are kept, cells are not reported
     * on, and nothing is collected for it. It takes effect when a cell begins, so that no GPU is opened before it is used.
     */
    public synchronized void startQuietly() {
        most = QUIET_EVENTS;
        on = true;
    }

    /** Keeps more events, and reports on every cell, from now on; what was kept before stays. */
    public synchronized void startLoudly() {
        most = EventLog.MOST_EVENTS;
        followed.values().forEach(f -> f.log.keep(most));
        start();
        reporting = true;
    }

    /** Reports on no cell any more; what was kept stays, and the history goes on. */
    public synchronized void goOnQuietly() {
        most = QUIET_EVENTS;
        start();
        reporting = false;
    }

    /** A GPU's allocator has been made, perhaps in the middle of a cell: it is followed from its first event. */
    public synchronized void made(Device device) {
        if (on) {
            followed.computeIfAbsent(device, d -> new Followed(d, most));
        }
    }

    /** Begins to follow every GPU, in the middle of a cell or between two. Idempotent. */
    public synchronized void start() {
        on = true;
        refresh();
    }

    /** Stops following and forgets. Idempotent. */
    public synchronized void stop() {
        on = false;
        followed.values().forEach(f -> f.log.close());
        followed.clear();
    }

    /** The GPUs come and go with {@code %device}. */
    private void refresh() {
        List<Device> gpus = gpusInUse();
        followed.entrySet().removeIf(entry -> {
            boolean gone = !Device.all().contains(entry.getKey());
            if (gone) {
                entry.getValue().log.close();
            }
            return gone;
        });
        gpus.forEach(gpu -> followed.computeIfAbsent(gpu, g -> new Followed(g, most)));
    }

    /**
     * The GPUs that can be followed without opening any: of real ones, whose contexts take time and memory, the current
     * one and no other.
     */
    public static List<Device> gpusInUse() {
        Device current = Device.current();
        List<Device> gpus = Device.all().stream().filter(d -> d.kind() != Device.Kind.CUDA || d == current).toList();
        // to make an allocator is to tell its watchers, who must not be told while they begin to watch it
        gpus.forEach(Allocators::of);
        return gpus;
    }

    /** A cell begins. */
    public synchronized void cellStarted() {
        if (on) {
            refresh();
            followed.values().forEach(f -> f.cellStart = f.log.end());
        }
    }

    /** A cell ends: its region is noted. */
    public synchronized void cellFinished(int cell) {
        if (on) {
            refresh();
            followed.values().forEach(f -> f.cells.add(new Region("In [" + cell + "]", f.cellStart, f.log.end())));
        }
    }

    /** From here to the next mark is a region of that name. */
    public synchronized void mark(String name) {
        followed.values().forEach(f -> f.mark(name));
    }

    /** The log of a GPU; empty when it is not followed. */
    public synchronized Optional<Followed> of(Device device) {
        return Optional.ofNullable(followed.get(device));
    }

    /** All that is followed. */
    public synchronized List<Followed> all() {
        return List.copyOf(followed.values());
    }
}
