package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A group for each channel in bfloat16, as an H100 answered. */
class DepthwiseInputsTest {

    /** A video's pooling of queries: 12 x 96 channels of 8 x 14 x 14 are 3,612,672 bytes, 96 x 27 taps 5,184. */
    @Test
    void gradientsOfVolumesCopyTheInputEightTimesAndTheWeightSixteen() {
        assertEquals(8L * 3_612_672 + 16 * 5_184 + 16, bytes(Pass.INPUT, 1, new long[]{8, 14, 14}));
    }

    @Test
    void overStepsOrPlanesAndForOutputsTheyTakeNothing() {
        assertEquals(0, bytes(Pass.INPUT, 2, new long[]{8, 14, 14}));
        assertEquals(0, bytes(Pass.INPUT, 1, new long[]{14, 14}));
        assertEquals(0, bytes(Pass.FORWARD, 1, new long[]{8, 14, 14}));
    }

    private static long bytes(Pass pass, long step, long[] in) {
        long[] out = Arrays.stream(in).map(x -> (x - 1) / step + 1).toArray();
        Convolution c = new Convolution(pass, DType.BFLOAT16, false, 12, 96, 96, 96, in, all(in, 3), all(in, step),
                all(in, 1), all(in, 1), out);
        return ConvolutionWorkspace.bytes(c, Optional.empty(), DeviceProfile.find("H100-80GB").orElseThrow());
    }

    private static long[] all(long[] like, long value) {
        return Arrays.stream(like).map(x -> value).toArray();
    }
}
