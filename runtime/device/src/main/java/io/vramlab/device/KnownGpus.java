package io.vramlab.device;

import java.util.List;
import java.util.Map;

/**
 * The GPUs that {@link DeviceProfile} knows. Multiprocessors are those of NVIDIA's data sheets and white papers, threads of one are
 * CUDA's by compute capability.
 *
 * <p>
 * Memory is what CUDA reports on Linux ({@code cudaDeviceProp.totalGlobalMem}), 1 to 9 % less than the nominal capacity. It was measured
 * on an H200 and an H100; of the others it is what {@code torch.cuda.get_device_properties}, CUDA's deviceQuery, llama.cpp and PyTorch's messages
 * print in public threads: to the byte, to the MiB, or to two decimals of a GiB, rounded down to a MiB. Data-centre GPUs have ECC on, as
 * they come; workstations' GPUs (RTX A and Ada) have it off, as most of those threads show them: an RTX 6000 Ada with ECC has 44.43 GiB.
 * Drivers differ by up to 2 %, newer ones report less: 7.79 GiB of an RTX 3070 in 2022, 7.63 in 2025. What your card has is written
 * behind its name (docs/plan.md, "What is estimated, and what is left out").
 */
final class KnownGpus {

    private static final long MIB = 1L << 20;

    /** Largest families first. */
    static final List<DeviceProperties> ALL = List.of(
            gpu("H200", 150_109_880_320L, 132, 2048, 9, 0), //
            gpu("H100-80GB", 85_017_493_504L, 132, 2048, 9, 0), //
            gpu("H100-NVL-94GB", 95_334 * MIB, 132, 2048, 9, 0), //
            gpu("H100-PCIE-80GB", 81_008 * MIB, 114, 2048, 9, 0), //
            gpu("GH200-96GB", 101_468_602_368L, 132, 2048, 9, 0), //
            gpu("H20-96GB", 97_285 * MIB, 78, 2048, 9, 0), //
            gpu("B200", 182_631 * MIB, 148, 2048, 10, 0), //
            gpu("A100-40GB", 42_298_834_944L, 108, 2048, 8, 0), //
            gpu("A100-80GB", 85_095_874_560L, 108, 2048, 8, 0), //
            gpu("A30", 24_166 * MIB, 56, 2048, 8, 0), //
            gpu("V100-16GB", 16_935_682_048L, 80, 2048, 7, 0), //
            gpu("V100-32GB", 32_494 * MIB, 80, 2048, 7, 0), //
            gpu("L40S", 47_697_362_944L, 142, 1536, 8, 9), //
            gpu("L4", 23_580_639_232L, 58, 1536, 8, 9), //
            gpu("A40", 45_416 * MIB, 84, 1536, 8, 6), //
            gpu("A10", 22_587 * MIB, 72, 1536, 8, 6), //
            gpu("A10G", 22_587 * MIB, 80, 1536, 8, 6), //
            gpu("T4", 15_828_320_256L, 40, 1024, 7, 5), //
            gpu("RTX-PRO-6000", 97_250 * MIB, 188, 1536, 12, 0), //
            gpu("RTX-6000-Ada", 48_622 * MIB, 142, 1536, 8, 9), //
            gpu("RTX-A6000", 48_676 * MIB, 84, 1536, 8, 6), //
            gpu("RTX-A5000", 24_114 * MIB, 64, 1536, 8, 6), //
            gpu("RTX-A4000", 15_985 * MIB, 48, 1536, 8, 6), //
            gpu("RTX-5090", 32_119 * MIB, 170, 1536, 12, 0), //
            gpu("RTX-5080", 15_880 * MIB, 84, 1536, 12, 0), //
            gpu("RTX-5070-Ti", 15_842 * MIB, 70, 1536, 12, 0), //
            gpu("RTX-5070", 11_765 * MIB, 48, 1536, 12, 0), //
            gpu("RTX-4090", 25_393_692_672L, 128, 1536, 8, 9), //
            gpu("RTX-4080", 16_049 * MIB, 76, 1536, 8, 9), //
            gpu("RTX-4070-Ti", 12_011 * MIB, 60, 1536, 8, 9), //
            gpu("RTX-4070", 11_875 * MIB, 46, 1536, 8, 9), //
            gpu("RTX-4060-Ti-16GB", 15_944 * MIB, 34, 1536, 8, 9), //
            gpu("RTX-4060-8GB", 8_318_222_336L, 24, 1536, 8, 9), //
            gpu("RTX-3090", 25_438_126_080L, 82, 1536, 8, 6), //
            gpu("RTX-3080-10GB", 9_871 * MIB, 68, 1536, 8, 6), //
            gpu("RTX-3070", 7_817 * MIB, 46, 1536, 8, 6), //
            gpu("RTX-3060-12GB", 12_622_168_064L, 28, 1536, 8, 6), //
            gpu("RTX-2080-Ti", 10_823 * MIB, 68, 1024, 7, 5));

    /**
     * What people and CUDA call some of them besides, without blanks, hyphens and the words that tell nothing: an H100 is the one of SXM.
     */
    static final Map<String, String> CALLED = Map.of("h100", "H100-80GB", "h10080gbpcie", "H100-PCIE-80GB", "h20",
            "H20-96GB", "h200141gb", "H200", "b200180gb", "B200", "gh200480gb", "GH200-96GB", "gh200120gb",
            "GH200-96GB", "rtx4060", "RTX-4060-8GB");

    private KnownGpus() {
    }

    private static DeviceProperties gpu(String name, long bytes, int processors, int threads, int major, int minor) {
        return new DeviceProperties(name, bytes, processors, threads, 32, major, minor);
    }
}
