package io.vramlab.memory.internal.whatif;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemoryStats;
import io.vramlab.memory.OutOfMemoryException;
import java.util.List;

/** One script under one setting. */
final class ScriptRun {

    private static final int STEPS_PER_REPORT = 20_000;

    private final ReplayScript script;
    private final String conf;
    private final long limit;
    private final ScriptedEvents events = new ScriptedEvents();
    private final CachingAllocator allocator;
    private final long[] addresses;
    private final long[] waiting;
    private long peak;
    private double fragmentation;
    private WhatIfResult.OutOfMemory oom;
    private int position;

    /**
     * A run on fresh memory.
     *
     * @param conf
     *            settings text
     * @param limit
     *            bytes that may be reserved, 0 for no limit
     */
    ScriptRun(final ReplayScript script, final DeviceMemory memory, final String conf, final long limit) {
        this.script = script;
        this.conf = conf;
        this.limit = limit;
        allocator = new CachingAllocator(0, memory, events, AllocatorSettings.DEFAULT.with(conf), List::of);
        if (limit > 0) {
            allocator.setMemoryLimit(limit);
        }
        addresses = new long[script.blocks()];
        waiting = new long[script.blocks()];
    }

    WhatIfResult run(final int device, final ReplayProgress progress) {
        for (int i = 0; i < script.existingCount() && oom == null; i++) {
            allocate(script.existingBlock(i), script.existingBytes(i), script.existingStream(i));
        }
        int step = 0;
        while (step < script.steps() && oom == null) {
            if (step % STEPS_PER_REPORT == 0) {
                progress.at(conf.isEmpty() ? "default" : conf, step, script.steps());
            }
            position = script.event(step);
            perform(step++);
        }
        final MemoryStats stats = allocator.stats();
        return new WhatIfResult(device, conf, limit, stats.peakReservedBytes(), stats.peakAllocatedBytes(),
                fragmentation, stats.get("segment.all.peak"), stats.get("num_alloc_retries"),
                oom == null ? script.totalEvents() : position, oom);
    }

    private void perform(final int step) {
        final int block = script.block(step);
        switch (script.kind(step)) {
            case ReplayScript.ALLOCATE -> allocate(block, script.bytes(step), script.stream(step));
            case ReplayScript.FREE -> allocator.free(addresses[block]);
            case ReplayScript.FREE_LATER -> {
                waiting[block] = events.takeStream();
                allocator.recordStream(addresses[block], waiting[block]);
                allocator.free(addresses[block]);
            }
            case ReplayScript.COMPLETE -> events.complete(waiting[block]);
            case ReplayScript.EMPTY_CACHE -> allocator.emptyCache();
            case ReplayScript.RUN_OUT -> tryAgain(script.bytes(step), script.stream(step));
            default -> throw new IllegalStateException("kind=" + script.kind(step));
        }
    }

    /** What failed in the recording may succeed here; the program's answer to that is not recorded. */
    private void tryAgain(final long bytes, final long stream) {
        try {
            allocator.free(allocator.allocate(bytes, stream));
            notePeak();
        } catch (final OutOfMemoryException e) {
            fail(e);
        }
    }

    private void allocate(final int block, final long bytes, final long stream) {
        try {
            addresses[block] = allocator.allocate(bytes, stream);
            notePeak();
        } catch (final OutOfMemoryException e) {
            fail(e);
        }
    }

    private void fail(final OutOfMemoryException e) {
        oom = new WhatIfResult.OutOfMemory(position, e.requested(), e.reserved(), e.allocated());
    }

    private void notePeak() {
        final long reserved = allocator.reservedBytes();
        if (reserved > peak) {
            peak = reserved;
            fragmentation = 1 - (double) allocator.allocatedBytes() / reserved;
        }
    }
}
