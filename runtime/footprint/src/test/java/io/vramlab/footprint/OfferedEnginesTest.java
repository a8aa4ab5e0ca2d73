package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers of a cuDNN that is offered its engines on cuBLAS as well, as it gave them without a GPU, and what an H100 took. */
class OfferedEnginesTest {

    private static final DeviceProperties H100 = DeviceProfile.find("H100-80GB").orElseThrow();

    /** Another engine is answered where cuBLAS's are not offered, which works in 46,211,088 bytes. */
    @Test
    void cublassFirstWayTakesNothingWhateverTreesSay() {
        assertEquals(0, bytes(plain(Pass.FORWARD, 16, 128, 250, 75), new Answer(0, 58, all(Map.of(25, 0L)))));
    }

    /** A float32 copy of the weight for each of six images: 6 x 960 x 160 x 4 bytes, and at most some hundred bytes by another way. */
    @Test
    void piecesOfAWeightAreThoseThatAreAnswered() {
        Convolution c = plain(Pass.WEIGHT, 6, 960, 161, 18);
        long copies = 6L * 960 * 161 * 4;
        assertEquals(copies, bytes(c, new Answer(copies, 62, all(Map.of(25, 0L)))));
        long other = bytes(c, new Answer(copies, 62, all(Map.of(25, 1L))));
        assertTrue(other >= copies && other < copies + 1100);
    }

    /** What engines of transforms work in is answered, and no tree is asked: 144 x (192 x 512 + 65,536) bytes by Winograd's. */
    @Test
    void transformsTakeWhatIsAnswered() {
        Convolution c = new Convolution(Pass.WEIGHT, DType.FLOAT32, false, 48, 256, 256, 1, new long[]{6, 6},
                new long[]{3, 3}, new long[]{1, 1}, new long[]{1, 1}, new long[]{1, 1}, new long[]{6, 6});
        assertEquals(144L * (192 * 512 + 65_536), bytes(c, new Answer(23_592_960, 17, all(Map.of(25, 0L)))));
        assertEquals(1_234_560, bytes(c, new Answer(1_234_560, 50, all(Map.of(2, 5L, 5, 3L, 14, 4L)))));
    }

    private static Map<Integer, Long> all(Map<Integer, Long> choices) {
        Map<Integer, Long> marked = new HashMap<>(choices);
        marked.put(100, 1L);
        return marked;
    }

    private static long bytes(Convolution c, Answer answer) {
        return ConvolutionWorkspace.bytes(c, Optional.of(answer), H100);
    }

    private static Convolution plain(Pass pass, long batch, long channels, long outputs, long side) {
        long[] sides = {side, side};
        long[] one = {1, 1};
        return new Convolution(pass, DType.FLOAT32, false, batch, channels, outputs, 1, sides, one, one,
                new long[]{0, 0}, one, sides);
    }
}
