package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.util.Map;

/**
 * What CUDA's deviceQuery prints of a GPU and {@link DeviceProperties} do not tell. Those of an H200 and an H100 were measured; the
 * cache of a GH200, a B200, an RTX PRO 6000, an RTX 3080, an RTX 3070 and an RTX 2080 Ti is what deviceQuery and PyTorch print in public
 * threads, and that of an H100 NVL and an H20 a GH200's, which has as many stacks of memory. The others' are published: the cache and the
 * clocks in NVIDIA's data sheets and architecture white papers (V100, TU102, GA102, AD102, GB202). The memory's clock is half of what a pin carries, so that twice the clock times the width of the bus is the specified bandwidth.
 * {@code PUBLISHED} in install/vramlab_cudnn.py says the same, which a test compares.
 *
 * @param cache
 *            bytes of the cache of the second level
 * @param memoryClock
 *            in kHz
 * @param clock
 *            of the multiprocessors, in kHz
 */
record PublishedGpu(long cache, long memoryClock, long clock) {

    private static final int HOPPER = 9;

    /** By the profile's name. */
    private static final Map<String, PublishedGpu> KNOWN = Map.ofEntries( //
            known("H200", 62_914_560, 3_201_000, 1_980_000), //
            known("H100-80GB", 52_428_800, 2_619_000, 1_980_000), //
            known("H100-NVL-94GB", 62_914_560, 2_619_000, 1_785_000), //
            known("H100-PCIE-80GB", 52_428_800, 1_593_000, 1_755_000), //
            known("GH200-96GB", 62_914_560, 2_619_000, 1_980_000), //
            known("H20-96GB", 62_914_560, 2_619_000, 1_980_000), //
            known("B200", 132_644_864, 3_996_000, 1_965_000), //
            known("A100-40GB", 41_943_040, 1_215_000, 1_410_000), //
            known("A100-80GB", 41_943_040, 1_593_000, 1_410_000), //
            known("A30", 25_165_824, 1_215_000, 1_440_000), //
            known("V100-16GB", 6_291_456, 877_000, 1_530_000), //
            known("V100-32GB", 6_291_456, 877_000, 1_530_000), //
            known("L40S", 100_663_296, 9_001_000, 2_520_000), //
            known("L4", 50_331_648, 6_251_000, 2_040_000), //
            known("A40", 6_291_456, 7_251_000, 1_740_000), //
            known("A10", 6_291_456, 6_251_000, 1_695_000), //
            known("A10G", 6_291_456, 6_251_000, 1_710_000), //
            known("T4", 4_194_304, 5_001_000, 1_590_000), //
            known("RTX-PRO-6000", 134_217_728, 14_001_000, 2_617_000), //
            known("RTX-6000-Ada", 100_663_296, 10_001_000, 2_505_000), //
            known("RTX-A6000", 6_291_456, 8_001_000, 1_800_000), //
            known("RTX-A5000", 6_291_456, 8_001_000, 1_695_000), //
            known("RTX-A4000", 4_194_304, 7_001_000, 1_560_000), //
            known("RTX-5090", 100_663_296, 14_001_000, 2_407_000), //
            known("RTX-5080", 67_108_864, 15_001_000, 2_617_000), //
            known("RTX-5070-Ti", 50_331_648, 14_001_000, 2_452_000), //
            known("RTX-5070", 50_331_648, 14_001_000, 2_512_000), //
            known("RTX-4090", 75_497_472, 10_501_000, 2_520_000), //
            known("RTX-4080", 67_108_864, 11_201_000, 2_505_000), //
            known("RTX-4070-Ti", 50_331_648, 10_501_000, 2_610_000), //
            known("RTX-4070", 37_748_736, 10_501_000, 2_475_000), //
            known("RTX-4060-Ti-16GB", 33_554_432, 9_001_000, 2_535_000), //
            known("RTX-4060-8GB", 25_165_824, 8_501_000, 2_460_000), //
            known("RTX-3090", 6_291_456, 9_751_000, 1_695_000), //
            known("RTX-3080-10GB", 5_242_880, 9_501_000, 1_710_000), //
            known("RTX-3070", 4_194_304, 7_001_000, 1_725_000), //
            known("RTX-3060-12GB", 2_359_296, 7_501_000, 1_777_000), //
            known("RTX-2080-Ti", 5_767_168, 7_000_000, 1_545_000));

    private static Map.Entry<String, PublishedGpu> known(String name, long cache, long memoryClock, long clock) {
        return Map.entry(name, new PublishedGpu(cache, memoryClock, clock));
    }

    /**
     * {@return that of the GPU with such a name; of one that is not known an H200's, or an A100's before compute capability 9.0}
     */
    static PublishedGpu of(String name, int major) {
        return DeviceProfile.find(name.replace("Simulated ", "")).map(DeviceProperties::name).map(KNOWN::get)
                .orElse(KNOWN.get(major >= HOPPER ? "H200" : "A100-80GB"));
    }
}
