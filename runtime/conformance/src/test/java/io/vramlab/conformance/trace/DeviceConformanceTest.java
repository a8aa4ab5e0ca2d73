package io.vramlab.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.internal.sim.SimulatedDriver;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recording replayed with a device's own memory behind the allocator. */
class DeviceConformanceTest {

    @ParameterizedTest
    @ValueSource(strings = {"default_mixed_s11", "default_streams_tight_s12", "expandable_tight_s11"})
    void theRecordedOrderOfAddressesGivesPyTorchsStatisticsAndAllMemoryComesBack(String name) throws Exception {
        try (DeviceDriver device = new SimulatedDriver(DeviceProfile.of("H200"))) {
            long free = device.freeBytes();
            DeviceConformance result = TraceConformance.check(
                    Path.of(getClass().getResource("/oracle/traces/" + name + ".json.gz").toURI()), device);

            assertEquals("", result.recordedOrder().firstMismatch());
            assertEquals(4000, result.recordedOrder().operations());
            assertEquals(free, device.freeBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "default_mixed_s11")
    void aDeviceThatIsTooSmallIsAMismatchAndNotABrokenRecording(String name) throws Exception {
        try (DeviceDriver device = new SimulatedDriver(DeviceProfile.of("64MiB"))) {
            DeviceConformance result = TraceConformance.check(
                    Path.of(getClass().getResource("/oracle/traces/" + name + ".json.gz").toURI()), device);

            assertEquals(true,
                    result.recordedOrder().firstMismatch().contains("ran out of memory where PyTorch did not"),
                    result.recordedOrder().firstMismatch());
        }
    }
}
