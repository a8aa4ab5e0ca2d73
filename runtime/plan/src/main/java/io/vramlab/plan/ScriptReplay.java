package io.vramlab.plan;

import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemoryStats;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.ProcessMemory;
import io.vramlab.memory.StreamEvents;

/** A script in the caching allocator of a device of which only addresses exist. */
final class ScriptReplay {

    /**
     * What came out. Peaks are counted from the program's last reset of them, as PyTorch tells them at its end.
     *
     * @param allocated
     *            peak of allocated bytes
     * @param highest
     *            peaks of the whole run, whatever the program reset
     * @param failedAt
     *            the step that found no memory, -1 for none
     */
    record Result(long allocated, long requested, long reserved, long allocations, Highest highest, int failedAt,
            String failure) {
    }

    /**
     * The highest of a whole run.
     *
     * @param allocated
     *            bytes
     * @param at
     *            the script's step at which so much was allocated first
     * @param reserved
     *            bytes
     */
    record Highest(long allocated, int at, long reserved) {
    }

    private ScriptReplay() {
    }

    static Result run(Script script, String conf, Placement placement, String device, DeviceRoom room) {
        return run(script, conf, placement, device, room, StreamEvents.IMMEDIATE);
    }

    /** The same with a GPU that lags behind: what another stream used is free again only after the program waited for the GPU. */
    static Result lagging(Script script, String conf, Placement placement, String device, DeviceRoom room) {
        return run(script, conf, placement, device, room, new LaggingEvents());
    }

    private static Result run(Script script, String conf, Placement placement, String device, DeviceRoom room,
            StreamEvents events) {
        SegmentMemory memory = placement.memory(device, room.bytes(), room.outside());
        CachingAllocator allocator = new CachingAllocator(0, memory, events,
                AllocatorSettings.DEFAULT.with(conf), ProcessMemory.soleUser(memory));
        long[] addresses = new long[script.blocks()];
        long peak = 0;
        int at = 0;
        long reserved = 0;
        int i = 0;
        try {
            for (; i < script.length(); i++) {
                switch (script.kind(i)) {
                    case Script.TAKE, Script.TRY, Script.SPARED -> {
                        addresses[script.index(i)] = take(script, i, allocator);
                        if (allocator.allocatedBytes() > peak) {
                            peak = allocator.allocatedBytes();
                            at = i;
                        }
                    }
                    case Script.GIVE -> give(addresses[script.index(i)], allocator);
                    case Script.EMPTY_CACHE -> allocator.emptyCache();
                    case Script.USE -> allocator.recordStream(addresses[script.index(i)], script.stream(i));
                    case Script.WAIT -> events.synchronize(0);
                    case Script.LIMIT -> limit(script, i, room, allocator);
                    case Script.DRIVER -> memory.step(script.step(i));
                    default -> {
                        reserved = Math.max(reserved, allocator.stats().peakReservedBytes());
                        allocator.resetPeakMemoryStats();
                    }
                }
            }
        } catch (OutOfMemoryException full) {
            return result(allocator.stats(), new Highest(peak, at, reserved), i, full.getMessage());
        }
        return result(allocator.stats(), new Highest(peak, at, reserved), -1, "");
    }

    private static void limit(Script script, int i, DeviceRoom room, CachingAllocator allocator) {
        if (!room.isEndless()) {
            allocator.setMemoryFraction(Double.longBitsToDouble(script.bytes(i)));
        }
    }

    /**
     * A trial takes the largest workspace that the device has room for, half as much where that is not in one piece, and half again
     * (Conv_v8.cpp, generate_and_filter_plans).
     */
    private static long take(Script script, int i, CachingAllocator allocator) {
        if (script.kind(i) == Script.TAKE) {
            return allocator.allocate(script.bytes(i), script.stream(i));
        }
        if (script.kind(i) == Script.SPARED) {
            return spared(script, i, allocator);
        }
        for (long size = script.triedWithin(i, allocator.reservedBytes()); size > 0; size /= 2) {
            try {
                return allocator.allocate(size, script.stream(i));
            } catch (OutOfMemoryException full) {
                // PyTorch goes on with plans that work in half of it
            }
        }
        return 0;
    }

    /**
     * Where a plan's workspace has no room PyTorch tries the plans that follow (Conv_v8.cpp, try_configs); counted is one that works in
     * nothing, as cuDNN offers for every product that was asked about. What is cached is gone by then.
     */
    private static long spared(Script script, int i, CachingAllocator allocator) {
        try {
            return allocator.allocate(script.bytes(i), script.stream(i));
        } catch (OutOfMemoryException full) {
            return 0;
        }
    }

    private static void give(long address, CachingAllocator allocator) {
        if (address != 0) {
            allocator.free(address);
        }
    }

    private static Result result(MemoryStats stats, Highest before, int failedAt, String failure) {
        return new Result(stats.peakAllocatedBytes(), stats.get("requested_bytes.all.peak"), stats.peakReservedBytes(),
                stats.get("allocation.all.allocated"),
                new Highest(before.allocated, before.at, Math.max(before.reserved, stats.peakReservedBytes())),
                failedAt, failure);
    }
}
