package io.vramlab.memory;

import io.vramlab.memory.internal.pickle.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lays a snapshot out as {@code torch.cuda.memory._snapshot()} does: docs/allocator.md, "Snapshots". */
final class SnapshotBuilder {

    private static final String[] FRAME = {"name", "filename", "line"};
    private static final String[] BLOCK = {"address", "size", "requested_size", "state", "frames"};
    private static final String[] SEGMENT = {"device", "address", "total_size", "allocated_size", "active_size",
            "requested_size", "stream", "segment_type", "segment_pool_id", "is_expandable", "frames", "blocks"};
    private static final String[] ENTRY = {"action", "addr", "size", "stream", "time_us", "compile_context",
            "user_metadata", "frames"};
    private static final String[] OOM = {"action", "device_free", "size", "stream", "time_us", "compile_context",
            "user_metadata", "frames"};
    private static final String[] ANNOTATION = {"name", "stage", "device", "time_us"};

    private final Map<Integer, List<Object>> frames = new HashMap<>();
    private final List<Object> segments = new ArrayList<>();
    private final List<Object> traces = new ArrayList<>();

    /** Adds one device; the list of traces is indexed by device number. */
    void add(final int device, final List<SegmentInfo> layout, final List<TraceEntry> history,
            final boolean withFrames) {
        for (final SegmentInfo segment : layout) {
            segments.add(segment(device, segment));
        }
        while (traces.size() <= device) {
            traces.add(new ArrayList<>());
        }
        final List<Object> entries = new ArrayList<>(history.size());
        for (final TraceEntry entry : history) {
            entries.add(entry(entry, withFrames));
        }
        traces.set(device, entries);
    }

    Map<String, Object> build(final AllocatorSettings settings) {
        final Map<String, Object> root = new LinkedHashMap<>();
        root.put("segments", segments);
        root.put("device_traces", traces);
        root.put("allocator_settings", settings(settings));
        final List<Object> annotations = new ArrayList<>();
        for (final MemoryAnnotations.Annotation mark : MemoryAnnotations.all()) {
            annotations
                    .add(new SharedKeys(ANNOTATION, mark.name(), mark.start() ? "START" : "END", (long) mark.device(),
                            mark.timeMicros()));
        }
        root.put("external_annotations", annotations);
        return root;
    }

    private Map<String, Object> segment(final int device, final SegmentInfo s) {
        final List<Object> blocks = new ArrayList<>(s.blocks().size());
        for (final BlockInfo b : s.blocks()) {
            blocks.add(new SharedKeys(BLOCK, b.address(), b.size(), b.requested(), b.state().text(), frames(b.site())));
        }
        return new SharedKeys(SEGMENT, (long) device, s.address(), s.totalSize(), s.allocatedSize(), s.activeSize(),
                s.requestedSize(), s.stream(), s.small() ? "small" : "large",
                new Tuple(Math.max(0, -s.poolId()), Math.max(0, s.poolId())),
                s.expandable(), frames(s.site()), blocks);
    }

    private Map<String, Object> entry(final TraceEntry e, final boolean withFrames) {
        final String[] keys = e.action() == TraceAction.OOM ? OOM : ENTRY;
        if (withFrames) {
            return new SharedKeys(keys, e.action().text(), e.address(), e.size(), e.stream(), e.timeMicros(), "N/A",
                    e.metadata(), frames(e.site()));
        }
        return new SharedKeys(keys, e.action().text(), e.address(), e.size(), e.stream(), e.timeMicros(), "N/A",
                e.metadata());
    }

    private List<Object> frames(final int site) {
        return frames.computeIfAbsent(site, id -> {
            final List<Object> list = new ArrayList<>();
            for (final Frame frame : CallSites.frames(id)) {
                list.add(new SharedKeys(FRAME, frame.method(), frame.file(), (long) frame.line()));
            }
            return list;
        });
    }

    private static Map<String, Object> settings(final AllocatorSettings s) {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("PYTORCH_CUDA_ALLOC_CONF", s.text());
        map.put("max_split_size", s.maxSplitSize());
        map.put("garbage_collection_threshold", s.garbageCollectionThreshold());
        map.put("expandable_segments", s.expandableSegments());
        map.put("pinned_num_register_threads", (long) s.pinnedNumRegisterThreads());
        map.put("release_lock_on_cudamalloc", s.releaseLockOnMalloc());
        map.put("pinned_use_cuda_host_register", s.pinnedUseHostRegister());
        map.put("graph_capture_record_stream_reuse", s.graphCaptureRecordStreamReuse());
        final Map<String, Object> divisions = new LinkedHashMap<>();
        final int[] slots = s.roundupPower2Divisions();
        for (int i = 0; i < slots.length; i++) {
            divisions.put(Integer.toString(1 << i), (long) slots[i]);
        }
        map.put("roundup_power2_divisions", divisions);
        return map;
    }
}
