package io.vramlab.device.internal.cuda;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What CUDA's deviceQuery prints of a GPU and {@link io.vramlab.device.DeviceProperties} do not tell. Those of an H200 and an H100 were
 * measured, the others' are published: the cache and the clocks in NVIDIA's data sheets (A100, H100, L4, L40S, A10) and architecture
 * white papers (GA102, AD102, GB202). The memory's clock is half of what a pin carries, so that twice the clock times the width of the
 * bus is the specified bandwidth.
 *
 * @param cache
 *            bytes of the cache of the second level
 * @param memoryClock
 *            in kHz
 * @param clock
 *            of the multiprocessors, in kHz
 */
record PublishedGpu(long cache, long memoryClock, long clock) {

    private static final PublishedGpu H200 = new PublishedGpu(62_914_560, 3_201_000, 1_980_000);
    private static final PublishedGpu A100 = new PublishedGpu(41_943_040, 1_593_000, 1_410_000);
    private static final int HOPPER = 9;

    /** By a part of the name; a name that holds another comes before it. */
    private static final Map<String, PublishedGpu> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("H200", H200);
        KNOWN.put("H100-PCIE", new PublishedGpu(52_428_800, 1_593_000, 1_755_000));
        KNOWN.put("H100", new PublishedGpu(52_428_800, 2_619_000, 1_980_000));
        KNOWN.put("A100-40GB", new PublishedGpu(41_943_040, 1_215_000, 1_410_000));
        KNOWN.put("A100", A100);
        KNOWN.put("L40S", new PublishedGpu(100_663_296, 9_001_000, 2_520_000));
        KNOWN.put("L4", new PublishedGpu(50_331_648, 6_251_000, 2_040_000));
        KNOWN.put("A10G", new PublishedGpu(6_291_456, 6_251_000, 1_710_000));
        KNOWN.put("RTX-5090", new PublishedGpu(100_663_296, 14_001_000, 2_407_000));
        KNOWN.put("RTX-4090", new PublishedGpu(75_497_472, 10_501_000, 2_520_000));
        KNOWN.put("RTX-4060", new PublishedGpu(25_165_824, 8_501_000, 2_460_000));
        KNOWN.put("RTX-3090", new PublishedGpu(6_291_456, 9_751_000, 1_695_000));
        KNOWN.put("RTX-3060", new PublishedGpu(2_359_296, 7_501_000, 1_777_000));
    }

    /**
     * {@return that of the GPU with such a name; of one that is not known an H200's, or an A100's before compute capability 9.0}
     */
    static PublishedGpu of(String name, int major) {
        return KNOWN.entrySet().stream().filter(known -> name.contains(known.getKey())).findFirst()
                .map(Map.Entry::getValue).orElse(major >= HOPPER ? H200 : A100);
    }
}
