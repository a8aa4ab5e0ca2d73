package io.vramlab.memory;

import java.util.Arrays;
import java.util.Set;

/** Reads {@code PYTORCH_CUDA_ALLOC_CONF}: docs/allocator.md, "Settings", texts of refusals included. */
final class SettingsParser {

    /** Where a text comes from: PyTorch words the refusal of an unknown key after it. */
    enum Origin {
        ENVIRONMENT("CUDA allocator config."), RUN_TIME("Accelerator allocator config.");

        private final String ending;

        Origin(final String ending) {
            this.ending = ending;
        }
    }

    private static final Set<String> KEYS = Set.of("large_segment_size_mb", "max_split_size_mb",
            "max_non_split_rounding_mb", "garbage_collection_threshold", "roundup_power2_divisions",
            "expandable_segments", "per_process_memory_fraction", "backend", "release_lock_on_cudamalloc",
            "release_lock_on_hipmalloc", "pinned_use_cuda_host_register", "pinned_use_hip_host_register",
            "pinned_num_register_threads", "pinned_use_background_threads", "pinned_reserve_segment_size_mb",
            "graph_capture_record_stream_reuse");
    private static final long MIB = 1L << 20;
    private static final String TOO_SMALL = "CachingAllocator option %s too small, must be >= %d";

    private final Origin origin;
    private final String text;
    private final AllocatorSettings before;
    private final AllocatorSettings.Values values;

    private SettingsParser(final String text, final AllocatorSettings before, final Origin origin) {
        this.origin = origin;
        this.text = text;
        this.before = before;
        this.values = new AllocatorSettings.Values(before);
        values.text = text;
        values.maxSplitSize = AllocatorSettings.UNLIMITED;
        values.maxNonSplitRounding = -1;
        values.roundupDivisions = new int[16];
        values.garbageCollectionThreshold = 0;
    }

    /**
     * Reads a text. What it does not name falls back to the default or, for the keys that PyTorch keeps, to what it was.
     *
     * @throws IllegalArgumentException
     *             where PyTorch raises ValueError
     * @throws IllegalStateException
     *             where PyTorch fails an internal assertion
     */
    static AllocatorSettings parse(final String text, final AllocatorSettings before, final Origin origin) {
        return new SettingsParser(text, before, origin).parse();
    }

    private AllocatorSettings parse() {
        readLargeSegment();
        final SettingsTokens tokens = new SettingsTokens(text);
        while (tokens.hasNext()) {
            final String key = tokens.take();
            require(KEYS.contains(key), "Unrecognized key '" + key + "' in " + origin.ending);
            tokens.skipSeparator();
            value(key, tokens);
            if (tokens.hasNext()) {
                tokens.skipSeparator();
            }
        }
        return new AllocatorSettings(values);
    }

    /** The size of large segments bounds other keys: it is read first, wherever it stands. */
    private void readLargeSegment() {
        final SettingsTokens tokens = new SettingsTokens(text);
        while (tokens.hasNext()) {
            if (tokens.take().equals("large_segment_size_mb")) {
                tokens.skipSeparator();
                final long mib = tokens.takeUnsigned();
                if (Long.compareUnsigned(mib, 10) <= 0) {
                    throw new IllegalArgumentException(
                            "CachingAllocator option large_segment_size_mb must be > 10 MB");
                }
                values.largeSegment = Math.min(clampedMib(mib) & Long.MAX_VALUE, 1L << 50) * MIB;
                if (values.largeSegment <= 0) {
                    values.largeSegment = 1L << 60;
                }
            }
        }
    }

    private void value(final String key, final SettingsTokens tokens) {
        switch (key) {
            case "large_segment_size_mb" -> tokens.skipValue();
            case "max_split_size_mb" -> values.maxSplitSize = atLeastLargeSegment(key, tokens) * MIB;
            case "max_non_split_rounding_mb" -> {
                final long bytes = atLeastLargeSegment(key, tokens) * MIB;
                values.maxNonSplitRounding = bytes < 0 || bytes > 1L << 60 ? 1L << 60 : bytes;
            }
            case "garbage_collection_threshold" -> {
                final double threshold = tokens.takeDouble();
                require(threshold > 0 && threshold < 1,
                        "garbage_collect_threshold is invalid, set it in (0.0, 1.0)");
                values.garbageCollectionThreshold = threshold;
            }
            case "roundup_power2_divisions" -> RoundupDivisions.read(tokens, values.roundupDivisions);
            case "expandable_segments" -> values.expandableSegments = tokens.takeBoolean();
            case "per_process_memory_fraction" -> {
                final double fraction = tokens.takeDouble();
                require(fraction >= 0 && fraction <= 1, "per_process_memory_fraction is invalid, set it in [0.0, 1.0]");
                values.perProcessMemoryFraction = fraction;
            }
            case "backend" -> backend(tokens.take());
            case "release_lock_on_cudamalloc", "release_lock_on_hipmalloc" ->
                values.releaseLockOnMalloc = tokens.takeBoolean();
            case "pinned_use_cuda_host_register", "pinned_use_hip_host_register" ->
                values.pinnedUseHostRegister = tokens.takeBoolean();
            case "pinned_num_register_threads" -> registerThreads(tokens.takeUnsigned());
            case "pinned_use_background_threads" -> values.pinnedUseBackgroundThreads = tokens.takeBoolean();
            case "pinned_reserve_segment_size_mb" -> {
                final long mib = tokens.takeUnsigned();
                require(mib != 0, "Pinned reserve segment size has to be greater than 0");
                values.pinnedReserveSegment = Math.min(mib & Long.MAX_VALUE, 1L << 40) * MIB;
            }
            case "graph_capture_record_stream_reuse" -> values.graphCaptureRecordStreamReuse = tokens.takeBoolean();
            default -> throw new IllegalStateException("The key " + key + " is known but not read.");
        }
    }

    private long atLeastLargeSegment(final String key, final SettingsTokens tokens) {
        final long mib = tokens.takeUnsigned();
        final long least = values.largeSegment / MIB;
        require(Long.compareUnsigned(mib, least) >= 0, TOO_SMALL.formatted(key, least));
        return clampedMib(mib);
    }

    private void backend(final String name) {
        require(name.equals("native") || name.equals("cudaMallocAsync"),
                "Unknown allocator backend, options are native and cudaMallocAsync");
        final boolean async = name.equals("cudaMallocAsync");
        if (origin == Origin.RUN_TIME && async != before.asyncBackend()) {
            throw new IllegalStateException("tokenizer[i] == get()->name() INTERNAL ASSERT FAILED at"
                    + " \"/pytorch/c10/cuda/CUDAAllocatorConfig.cpp\":44, please report a bug to PyTorch."
                    + " Allocator backend parsed at runtime != allocator backend parsed at load"
                    + " time, " + name + " != " + (before.asyncBackend() ? "cudaMallocAsync" : "native"));
        }
        values.asyncBackend = async;
    }

    private void registerThreads(final long threads) {
        require(Long.bitCount(threads) == 1,
                "Number of register threads has to be power of 2, got " + Long.toUnsignedString(threads));
        require(threads > 0 && threads <= 128, "Number of register threads should be less than or equal to 128, got "
                + Long.toUnsignedString(threads));
        values.pinnedRegisterThreads = (int) threads;
    }

    /** PyTorch clamps to the number of MiB that fit into 64 bits. */
    private static long clampedMib(final long mib) {
        final long most = -1L >>> 20;
        return Long.compareUnsigned(mib, most) > 0 ? most : mib;
    }

    private static void require(final boolean valid, final String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }

    /** The value of {@code roundup_power2_divisions}: docs/allocator.md, "Rounding to divisions of powers of two". */
    private static final class RoundupDivisions {

        private static void read(final SettingsTokens tokens, final int[] slots) {
            if (tokens.peek().equals("[")) {
                readList(tokens, slots);
                return;
            }
            final long divisions = tokens.takeUnsigned();
            require(Long.bitCount(divisions) == 1, "For roundups, the divisions has to be power of 2 ");
            Arrays.fill(slots, clamp(divisions));
        }

        private static void readList(final SettingsTokens tokens, final int[] slots) {
            tokens.take();
            boolean first = true;
            int last = 0;
            while (!tokens.peekInList().equals("]")) {
                final boolean rest = tokens.peek().equals(">");
                final long boundary = rest ? tokens.take().length() : tokens.takeUnsigned();
                tokens.skipSeparator();
                final long divisions = tokens.takeUnsigned();
                require(Long.bitCount(divisions) <= 1,
                        "For roundups, the divisions has to be power of 2 or 0 to disable roundup ");
                if (rest) {
                    Arrays.fill(slots, Math.min(last + 1, slots.length), slots.length, clamp(divisions));
                } else {
                    require(Long.bitCount(boundary) == 1, "For roundups, the intervals have to be power of 2 ");
                    last = Math.min(Long.numberOfTrailingZeros(boundary), slots.length - 1);
                    Arrays.fill(slots, first ? 0 : last, last + 1, clamp(divisions));
                }
                first = false;
                if (tokens.peekInList().equals(",")) {
                    tokens.skipSeparator();
                }
            }
            tokens.take();
        }

        private static int clamp(final long divisions) {
            return (int) Math.min(divisions & Long.MAX_VALUE, 1L << 30);
        }
    }
}
