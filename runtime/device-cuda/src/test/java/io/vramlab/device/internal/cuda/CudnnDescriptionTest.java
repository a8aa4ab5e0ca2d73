package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cuDNN is told of a GPU that is not there. */
class CudnnDescriptionTest {

    /** Width of the bus in bits, and GB/s, both from NVIDIA's data sheets: 2 transfers in each cycle of the memory's clock. */
    @ParameterizedTest
    @CsvSource({"H200,6144,4800", "H100-80GB,5120,3350", "H100-PCIE-80GB,5120,2039", "A100-80GB,5120,2039",
            "A100-40GB,5120,1555", "L40S,384,864", "L4,192,300", "A10G,384,600", "RTX-5090,512,1792",
            "RTX-4090,384,1008", "RTX-4060-8GB,128,272", "RTX-3090,384,936", "RTX-3060-12GB,192,360"})
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
    void whatIsNotKnownHasAnA100sFiguresBeforeHopperAndAnH200sFromThereOn() {
        assertEquals(PublishedGpu.of("A100-80GB", 8), PublishedGpu.of("Another", 8));
        assertEquals(PublishedGpu.of("H200", 9), PublishedGpu.of("Another", 10));
    }
}
