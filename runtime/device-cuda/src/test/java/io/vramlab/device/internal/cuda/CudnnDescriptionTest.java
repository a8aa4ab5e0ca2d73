package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cuDNN is told of a GPU that is not there. */
class CudnnDescriptionTest {

    /** Width of the bus in bits, and GB/s, both from NVIDIA's data sheets: 2 transfers in each cycle of the memory's clock. */
    @ParameterizedTest
    @CsvSource({"H200,6144,4800", "H100-80GB,5120,3350", "H100-NVL-94GB,6016,3938", "H100-PCIE-80GB,5120,2039",
            "GH200-96GB,6144,4000", "H20-96GB,6144,4000", "B200,7680,7700", "A100-80GB,5120,2039",
            "A100-40GB,5120,1555", "A30,3072,933", "V100-16GB,4096,900", "V100-32GB,4096,900", "L40S,384,864",
            "L4,192,300", "A40,384,696", "A10,384,600", "A10G,384,600", "T4,256,320", "RTX-PRO-6000,512,1792",
            "RTX-6000-Ada,384,960", "RTX-A6000,384,768", "RTX-A5000,384,768", "RTX-A4000,256,448",
            "RTX-5090,512,1792", "RTX-5080,256,960", "RTX-5070-Ti,256,896", "RTX-5070,192,672", "RTX-4090,384,1008",
            "RTX-4080,256,716.8", "RTX-4070-Ti,192,504", "RTX-4070,192,504", "RTX-4060-Ti-16GB,128,288",
            "RTX-4060-8GB,128,272", "RTX-3090,384,936", "RTX-3080-10GB,320,760", "RTX-3070,256,448",
            "RTX-3060-12GB,192,360", "RTX-2080-Ti,352,616"})
    void theMemorysClockGivesThePublishedBandwidth(String name, int bits, double gigabytes) {
        PublishedGpu published = PublishedGpu.of(name, DeviceProfile.find(name).orElseThrow().major());
        assertEquals(gigabytes, 2e3 * published.memoryClock() * bits / 8 / 1e9, 0.025 * gigabytes);
    }

    @Test
    void limitsAreThoseOfTheComputeCapability() {
        String small = CudnnDescription.of(DeviceProfile.find("RTX-3060-12GB").orElseThrow());
        assertTrue(small.contains("\"deviceVer\": 860"), small);
        // 99 KiB of 100 for a block, 16 blocks and 1536 threads for a multiprocessor of compute capability 8.6
        assertTrue(small.contains("\"maxSharedMemoryPerBlockOptin\": 101376"), small);
        assertTrue(small.contains("\"maxCtasPerSM\": 16"), small);
        assertTrue(small.contains("\"maxThreadsPerSM\": 1536"), small);
        String large = CudnnDescription.of(DeviceProfile.find("A100-40GB").orElseThrow());
        assertTrue(large.contains("\"maxSharedMemoryPerBlockOptin\": 166912"), large);
        assertTrue(large.contains("\"maxCtasPerSM\": 32"), large);
    }

    @Test
    void aGpuIsFoundByTheNameThatCudaGivesItAndAsASimulatedOne() {
        assertEquals(PublishedGpu.of("RTX-4090", 8), PublishedGpu.of("NVIDIA GeForce RTX 4090", 8));
        assertEquals(PublishedGpu.of("RTX-4070-Ti", 8), PublishedGpu.of("Simulated RTX-4070-Ti", 8));
        assertNotEquals(PublishedGpu.of("RTX-4070", 8), PublishedGpu.of("RTX-4070-Ti", 8));
    }

    @Test
    void whatIsNotKnownHasAnA100sFiguresBeforeHopperAndAnH200sFromThereOn() {
        assertEquals(PublishedGpu.of("A100-80GB", 8), PublishedGpu.of("Another", 8));
        assertEquals(PublishedGpu.of("H200", 9), PublishedGpu.of("Another", 10));
    }
}
