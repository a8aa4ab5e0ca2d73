package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What plans that are tried take beside those that are told, beside what an H100 took in RegNetY-016, float16, 40 images. */
class ConvolutionPlansTest {

    private static final DeviceProperties H100 = DeviceProfile.find("H100-80GB").orElseThrow();
    private static final Answer NOTHING = new Answer(0, 28, Map.of(2, 4L, 3, 0L));

    @Test
    void groupsOfSeveralChannelsMayBeTriedInAllOperandsTransformed() {
        assertHeld(130_222_080, grouped(Pass.FORWARD, 48, 56, 1));
        assertHeld(130_222_080, grouped(Pass.INPUT, 48, 56, 1));
        assertHeld(192_854_480, grouped(Pass.INPUT, 120, 56, 2));
        assertHeld(92_921_984, grouped(Pass.INPUT, 336, 14, 1));
        assertHeld(251_474_048, grouped(Pass.INPUT, 888, 14, 2));
    }

    /** 40 images' copies of 888 × 888 weights in float32, where the first plan is none of cuBLAS's. */
    @Test
    void aPlainWeightsGradientMayBeTriedInCublassCopies() {
        long[] side = {14, 14};
        Convolution plain = new Convolution(Pass.WEIGHT, DType.FLOAT16, false, 40, 888, 888, 1, side, new long[]{1, 1},
                new long[]{1, 1}, new long[]{0, 0}, new long[]{1, 1}, side);
        assertHeld(40L * 888 * 888 * Float.BYTES, plain);
    }

    /** A group for each channel is computed otherwise, and so is one group. */
    @Test
    void otherGroupsMayNot() {
        for (int groups : new int[]{1, 48}) {
            Convolution other = of(Pass.FORWARD, 48, groups, 56, 1);
            assertArrayEquals(plans(other).all(false, false), plans(other).all(false, true));
        }
    }

    private static void assertHeld(long seen, Convolution product) {
        assertTrue(Arrays.stream(plans(product).all(true, true)).max().orElseThrow() >= seen);
        assertTrue(Arrays.stream(plans(product).all(true, false)).max().orElseThrow() < seen, "it has no rule");
    }

    private static ConvolutionPlans plans(Convolution product) {
        return new ConvolutionPlans(product, Optional.of(NOTHING), List.of(NOTHING), H100);
    }

    private static Convolution grouped(Pass pass, long channels, long side, long step) {
        return of(pass, channels, (int) (channels / 24), side, step);
    }

    private static Convolution of(Pass pass, long channels, int groups, long side, long step) {
        long out = side / step;
        return new Convolution(pass, DType.FLOAT16, false, 40, channels, channels, groups, new long[]{side, side},
                new long[]{3, 3}, new long[]{step, step}, new long[]{1, 1}, new long[]{1, 1}, new long[]{out, out});
    }
}
