package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The models of {@link ModelsTest} on a real GPU, where cuDNN itself tells its workspaces: what is requested, its peaks and how often are PyTorch's at every mark. */
@Tag("gpu")
class ModelsOnARealGpuTest {

    /** Requested now and at the peak, allocations alive, and made so far; what is allocated and reserved depends on the driver's addresses. */
    private static final int[] REQUESTED = {1, 3, 6, 8};

    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void count() {
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Cuda.setAllocatorSettings("expandable_segments:False");
        Device.select("sim:8GiB");
    }

    static Stream<Arguments> runs() {
        return Stream.of("pure", "default", "expandable")
                .flatMap(mode -> RecordedModels.names().stream().map(model -> Arguments.of(model, mode)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void whatIsRequestedAndHowOftenIsEqualAtEveryMark(String model, String mode) throws Exception {
        try (Device gpu = Device.select("cuda:0")) {
            assumeTrue(gpu.driver().kernels().recurrent().isPresent(), "this machine has no cuDNN");
            assertEquals("",
                    RecordedModels.differences(model, mode, RecordedModels.marks(model, mode, gpu), REQUESTED));
        }
    }
}
