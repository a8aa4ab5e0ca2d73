package io.vramlab.memory;

import java.util.Arrays;

/**
 * The caching allocator's settings, as {@code PYTORCH_CUDA_ALLOC_CONF} expresses them. Immutable; sizes in bytes.
 *
 * <p>
 * {@link #DEFAULT} is PyTorch's default: every free block may be split, requests are rounded to 512 bytes, segments are
 * allocated whole.
 */
public final class AllocatorSettings {

    /** Every block's size is a multiple of this. */
    public static final long MIN_BLOCK = 512;
    /** The largest rounded size that the small pool serves. */
    public static final long SMALL_MAX = 1L << 20;
    /** Bytes of a small pool's segment. */
    public static final long SMALL_SEGMENT = 2L << 20;
    /** From this rounded size on a request gets a segment of its own size. */
    public static final long MIN_LARGE = 10L << 20;
    /** Segments of their own size are rounded up to a multiple of this. */
    public static final long ROUND_LARGE = 2L << 20;
    /** The unlimited {@code max_split_size}: 2^64 - 1, which PyTorch reports as -1. */
    public static final long UNLIMITED = -1L;

    /** What PyTorch does when nothing is set. */
    public static final AllocatorSettings DEFAULT = new AllocatorSettings(new Values());

    /** The settings while they are being assembled. */
    static final class Values {

        String text = "";
        long maxSplitSize = UNLIMITED;
        long maxNonSplitRounding = -1;
        long largeSegment = 20L << 20;
        int[] roundupDivisions = new int[16];
        double garbageCollectionThreshold;
        double perProcessMemoryFraction = 1;
        boolean expandableSegments;
        boolean asyncBackend;
        int pinnedRegisterThreads = 1;
        boolean releaseLockOnMalloc;
        boolean pinnedUseHostRegister;
        boolean pinnedUseBackgroundThreads;
        long pinnedReserveSegment;
        boolean graphCaptureRecordStreamReuse;

        Values() {
        }

        Values(final AllocatorSettings before) {
            final Values v = before.values;
            text = v.text;
            maxSplitSize = v.maxSplitSize;
            maxNonSplitRounding = v.maxNonSplitRounding;
            largeSegment = v.largeSegment;
            roundupDivisions = v.roundupDivisions.clone();
            garbageCollectionThreshold = v.garbageCollectionThreshold;
            perProcessMemoryFraction = v.perProcessMemoryFraction;
            expandableSegments = v.expandableSegments;
            asyncBackend = v.asyncBackend;
            pinnedRegisterThreads = v.pinnedRegisterThreads;
            releaseLockOnMalloc = v.releaseLockOnMalloc;
            pinnedUseHostRegister = v.pinnedUseHostRegister;
            pinnedUseBackgroundThreads = v.pinnedUseBackgroundThreads;
            pinnedReserveSegment = v.pinnedReserveSegment;
            graphCaptureRecordStreamReuse = v.graphCaptureRecordStreamReuse;
        }
    }

    private final Values values;
    private final boolean rounds;
    /** The maximum split size with the unsigned range folded into the signed one, for comparisons. */
    final long splitLimit;
    final long nonSplitRounding;

    AllocatorSettings(final Values values) {
        this.values = values;
        this.rounds = Arrays.stream(values.roundupDivisions).anyMatch(d -> d > 1);
        this.splitLimit = values.maxSplitSize < 0 ? Long.MAX_VALUE : values.maxSplitSize;
        this.nonSplitRounding = values.maxNonSplitRounding < 0 ? values.largeSegment : values.maxNonSplitRounding;
    }

    /**
     * Reads a settings text given at run time over these settings: what it does not name is reset or kept as PyTorch
     * does (docs/allocator.md, "Grammar").
     *
     * @param text
     *            as in PYTORCH_CUDA_ALLOC_CONF, for instance {@code expandable_segments:True}
     * @return the new settings; these stay as they are
     * @throws IllegalArgumentException
     *             where PyTorch raises ValueError, with its message
     * @throws IllegalStateException
     *             where PyTorch fails an internal assertion
     */
    public AllocatorSettings with(final String text) {
        return SettingsParser.parse(text, this, SettingsParser.Origin.RUN_TIME);
    }

    /**
     * Reads a settings text as given in the environment: as {@link #with}, but for the words about unknown keys.
     *
     * @param text
     *            as in PYTORCH_CUDA_ALLOC_CONF
     * @return the default settings with what the text names
     * @throws IllegalArgumentException
     *             where PyTorch raises ValueError, with its message
     * @throws IllegalStateException
     *             where PyTorch fails an internal assertion
     */
    public static AllocatorSettings fromEnvironment(final String text) {
        return SettingsParser.parse(text, DEFAULT, SettingsParser.Origin.ENVIRONMENT);
    }

    /** {@return the text that these settings were read from; empty when none} */
    public String text() {
        return values.text;
    }

    /** {@return the size from which blocks are never split, in bytes; the unsigned 2^64 - 1 (here -1) by default} */
    public long maxSplitSize() {
        return values.maxSplitSize;
    }

    /** {@return whether {@code max_split_size_mb} is set at all} */
    public boolean limitsSplitting() {
        return values.maxSplitSize != UNLIMITED;
    }

    /**
     * {@return by how much an unsplittable block may exceed a request that it serves, in bytes; by default
     * {@link #largeSegment}}
     */
    public long maxNonSplitRounding() {
        return nonSplitRounding;
    }

    /** {@return bytes of a segment for large requests below 10 MiB; 20 MiB by default} */
    public long largeSegment() {
        return values.largeSegment;
    }

    /** {@return the share of the limit above which old cached segments are collected; 0 when off} */
    public double garbageCollectionThreshold() {
        return values.garbageCollectionThreshold;
    }

    /** {@return the share of the device that this process may reserve, 1 for no limit} */
    public double perProcessMemoryFraction() {
        return values.perProcessMemoryFraction;
    }

    /** {@return whether segments are reserved large and mapped on demand} */
    public boolean expandableSegments() {
        return values.expandableSegments;
    }

    /** {@return whether {@code backend:cudaMallocAsync} was asked for} */
    public boolean asyncBackend() {
        return values.asyncBackend;
    }

    /**
     * {@return threads that touch the pages of registered host memory; 1 by default; snapshots show it, nothing here
     * acts on it}
     */
    public int pinnedNumRegisterThreads() {
        return values.pinnedRegisterThreads;
    }

    /** {@return whether the lock is to be dropped around cudaMalloc; snapshots show it, nothing here acts on it} */
    public boolean releaseLockOnMalloc() {
        return values.releaseLockOnMalloc;
    }

    /**
     * {@return whether pinned memory is to be registered rather than allocated; snapshots show it, nothing here acts
     * on it}
     */
    public boolean pinnedUseHostRegister() {
        return values.pinnedUseHostRegister;
    }

    /** {@return whether a thread is to poll the pinned cache's events; nothing here acts on it} */
    public boolean pinnedUseBackgroundThreads() {
        return values.pinnedUseBackgroundThreads;
    }

    /** {@return bytes of the pinned arena to be carved before anything else, 0 for none; nothing here acts on it} */
    public long pinnedReserveSegment() {
        return values.pinnedReserveSegment;
    }

    /**
     * {@return whether graph captures are to reuse blocks of several streams; snapshots show it, nothing here acts on
     * it}
     */
    public boolean graphCaptureRecordStreamReuse() {
        return values.graphCaptureRecordStreamReuse;
    }

    /**
     * {@return the divisions of each power of two from 1 MiB (first) to 32 GiB (last of 16) for rounding; 0 when off}
     */
    public int[] roundupPower2Divisions() {
        return values.roundupDivisions.clone();
    }

    /**
     * {@return the size of the block that serves a request of {@code bytes}: docs/allocator.md, "Rounding"}
     *
     * @param bytes
     *            as requested, 0 or more
     */
    public long roundedSize(final long bytes) {
        if (bytes < MIN_BLOCK) {
            return MIN_BLOCK;
        }
        if (rounds) {
            final int slot = Math.clamp(63 - Long.numberOfLeadingZeros(bytes) - 20, 0, 15);
            final int divisions = values.roundupDivisions[slot];
            if (divisions > 1 && bytes > MIN_BLOCK * divisions) {
                return roundedToDivision(bytes, divisions);
            }
        }
        return (bytes + MIN_BLOCK - 1) & -MIN_BLOCK;
    }

    /**
     * {@return the size of a new segment for a rounded request: docs/allocator.md, "Segment sizes"}
     *
     * @param rounded
     *            what {@link #roundedSize} gave, in bytes
     */
    public long segmentSize(final long rounded) {
        if (rounded <= SMALL_MAX) {
            return SMALL_SEGMENT;
        }
        return rounded < MIN_LARGE ? values.largeSegment : (rounded + ROUND_LARGE - 1) & -ROUND_LARGE;
    }

    private static long roundedToDivision(final long bytes, final int divisions) {
        final long power = Long.highestOneBit(bytes);
        if (power == bytes) {
            return bytes;
        }
        final long step = power >>> 31 - Integer.numberOfLeadingZeros(divisions);
        return step == 0 ? 2 * power : (bytes + step - 1) & -step;
    }

    @Override
    public String toString() {
        return values.text.isEmpty() ? "default" : values.text;
    }
}
