package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a process holds outside of PyTorch's allocator. */
class OutsideTest {

    private static final double MIB = 1 << 20;

    /**
     * A bare context, as others measured it (multiprocessors, threads of one, compute capability, MiB): invoke-ai/InvokeAI#9413,
     * unslothai/unsloth-zoo#1053, ggml-org/llama.cpp#23604. 24 MiB for kernels are counted besides, 94 on an A100, 240 from Hopper on.
     */
    @ParameterizedTest
    @CsvSource({"82,1536,8,6,256,24", "142,1536,8,9,426,24", "34,1536,8,9,107,24", "188,1536,12,0,555,240"})
    void aContextGrowsWithTheThreadsThatADeviceRunsAtOnce(int processors, int threads, int major, int minor,
            double measured, double kernels) {
        DeviceProperties device = new DeviceProperties("GPU", 24L << 30, processors, threads, 32, major, minor);
        assertEquals(measured, Outside.context(device) / MIB - kernels, 0.05 * measured);
    }

    /** NVML's figure less what this plan reserves, of three models of 1.5 to 4 billion weights on an A100: 92, 94 and 94 MiB. */
    @Test
    void anA100LoadsMoreThanASmallerGpu() {
        // 2 KiB for each of 108 x 2,048 threads: 432 MiB
        assertEquals((432 + 94) * MIB, Outside.context(DeviceProfile.find("A100-40GB").orElseThrow()));
        // of 28 x 1,536: 84 MiB
        assertEquals((84 + 24) * MIB, Outside.context(DeviceProfile.find("RTX-3060-12GB").orElseThrow()));
    }

    @Test
    void anH200sIsWhatWasMeasured() {
        DeviceProperties h200 = DeviceProfile.find("H200").orElseThrow();
        assertEquals(804_061_184, Outside.context(h200));
        // 2 KiB for each of 131 x 2,048 threads, and what was loaded on the H200: 804,061,184 - 552,402,944 = 240 MiB
        DeviceProperties other = new DeviceProperties("GPU", 80L << 30, 131, 2048, 32, 9, 0);
        assertEquals(131L * 2048 * 2048 + (240L << 20), Outside.context(other));
    }
}
