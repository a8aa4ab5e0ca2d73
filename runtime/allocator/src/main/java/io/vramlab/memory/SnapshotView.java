package io.vramlab.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Reads a snapshot's data as segments and history entries; says in one line what is missing or of the wrong kind. */
final class SnapshotView {

    /** As many as an index of PyTorch's (c10::DeviceIndex, eight bits with a sign) can tell apart. */
    static final int MOST_DEVICES = 128;

    private final Map<String, Object> root;
    private final Map<Object, Integer> sites = new IdentityHashMap<>();

    SnapshotView(final Map<String, Object> root) {
        this.root = root;
    }

    List<SegmentInfo> segments() {
        final List<SegmentInfo> list = new ArrayList<>();
        for (final Object item : list(root, "segments")) {
            list.add(segment(map(item, "a segment")));
        }
        return list;
    }

    List<List<TraceEntry>> traces() {
        final List<List<TraceEntry>> traces = new ArrayList<>();
        final List<?> devices = list(root, "device_traces");
        if (devices.size() > MOST_DEVICES) {
            throw new IllegalArgumentException("it tells of " + devices.size() + " devices; PyTorch knows at most "
                    + MOST_DEVICES);
        }
        for (final Object device : devices) {
            if (!(device instanceof List<?> items)) {
                throw new IllegalArgumentException("a device's trace is no list");
            }
            if (items instanceof HistoryColumns columns) {
                traces.add(columns.entries());
                continue;
            }
            final List<TraceEntry> entries = new ArrayList<>(items.size());
            for (final Object item : items) {
                final TraceEntry entry = item instanceof TraceEntry read ? read : entry(map(item, "a trace entry"));
                if (entry != null) {
                    entries.add(entry);
                }
            }
            traces.add(entries);
        }
        return traces;
    }

    private SegmentInfo segment(final Map<?, ?> s) {
        final List<BlockInfo> blocks = new ArrayList<>();
        long address = number(s, "address");
        for (final Object item : list(s, "blocks")) {
            final Map<?, ?> b = map(item, "a block");
            final long size = number(b, "size");
            blocks.add(new BlockInfo(address, size, number(b, "requested_size", size), state(b), site(b)));
            address += size;
        }
        final long device = number(s, "device", 0);
        if (device < 0 || device >= MOST_DEVICES) {
            throw new IllegalArgumentException("a segment is on device " + device + "; PyTorch's are 0 to "
                    + (MOST_DEVICES - 1));
        }
        return new SegmentInfo((int) device, number(s, "address"), number(s, "total_size"),
                number(s, "allocated_size", 0), number(s, "active_size", 0), number(s, "requested_size", 0),
                number(s, "stream", 0), "small".equals(s.get("segment_type")), poolId(s),
                Boolean.TRUE.equals(s.get("is_expandable")), site(s), blocks);
    }

    private static long poolId(final Map<?, ?> segment) {
        return segment.get("segment_pool_id") instanceof List<?> id && id.size() == 2
                && id.get(0) instanceof Long graph && id.get(1) instanceof Long pool
                        ? graph == 0 ? pool : -graph
                        : 0;
    }

    private static BlockState state(final Map<?, ?> block) {
        for (final BlockState state : BlockState.values()) {
            if (state.text().equals(block.get("state"))) {
                return state;
            }
        }
        if ("active_awaiting_free".equals(block.get("state"))) {
            return BlockState.ACTIVE_PENDING_FREE;
        }
        throw new IllegalArgumentException("a block has the unknown state " + block.get("state"));
    }

    /** An entry; null for actions that this allocator does not have. */
    private TraceEntry entry(final Map<?, ?> e) {
        final TraceAction action = e.get("action") instanceof String text ? TraceAction.of(text) : null;
        if (action == null) {
            if (e.get("action") instanceof String) {
                return null;
            }
            throw new IllegalArgumentException("a trace entry has no action");
        }
        final long address = action == TraceAction.OOM ? number(e, "device_free", 0) : number(e, "addr");
        return new TraceEntry(action, address, number(e, "size"), number(e, "stream", 0), number(e, "time_us", 0),
                e.get("user_metadata") instanceof String text ? text : "", site(e));
    }

    private int site(final Map<?, ?> owner) {
        if (!(owner.get("frames") instanceof List<?> frames) || frames.isEmpty()) {
            return 0;
        }
        return sites.computeIfAbsent(frames, shared -> {
            final List<Frame> list = new ArrayList<>();
            for (final Object item : frames) {
                if (item instanceof Frame read) {
                    list.add(read);
                    continue;
                }
                final Map<?, ?> frame = map(item, "a frame");
                list.add(new Frame(String.valueOf(frame.get("filename")), line(frame),
                        String.valueOf(frame.get("name"))));
            }
            return CallSites.intern(list);
        });
    }

    /** PyTorch writes 2^64 - 1 for a line that it does not know. */
    private static int line(final Map<?, ?> frame) {
        if (frame.get("line") instanceof BigInteger) {
            return 0;
        }
        final long line = number(frame, "line", 0);
        return line >= 0 && line <= Integer.MAX_VALUE ? (int) line : 0;
    }

    private static Map<?, ?> map(final Object value, final String what) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(what + " is no dictionary");
    }

    private static List<?> list(final Map<?, ?> owner, final String key) {
        if (owner.get(key) instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("there is no list called " + key);
    }

    private static long number(final Map<?, ?> owner, final String key) {
        if (owner.get(key) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("there is no whole number called " + key);
    }

    private static long number(final Map<?, ?> owner, final String key, final long otherwise) {
        return owner.get(key) == null ? otherwise : number(owner, key);
    }
}
