package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionCall.Pass;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** cuDNN's heuristics answer for an H200 that is not there what they answered on one. */
class CudnnHeuristicsTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();

    private static final String ONE_ORDER = "vramlab.cudnn.deterministic";

    private final CudnnHeuristics heuristics = new CudnnHeuristics();

    @AfterEach
    void inAnyOrderAgain() {
        System.clearProperty(ONE_ORDER);
    }

    @BeforeEach
    void needsTheLibrary() {
        assumeTrue(heuristics.library().isPresent(),
                "this machine has no cuDNN 9.8 or later: pip install nvidia-cudnn-cu13, and VRAMLAB_CUDNN names its folder");
    }

    /** Bytes as recorded on an H200 with cuDNN 9.19, of engines that know all they need without it. */
    @ParameterizedTest
    @CsvSource({
            "OUTPUT, FLOAT32, 32, 3, 64, 224, 7, 2, 3, 122065680",
            "OUTPUT, FLOAT32, 32, 64, 1, 56, 5, 1, 2, 27321360"})
    void whatIsAnsweredWasRecorded(Pass pass, DType dtype, long n, long c, long k, long size, long kernel, long stride,
            long padding, long bytes) {
        long out = (size + 2 * padding - kernel) / stride + 1;
        ConvolutionCall call = new ConvolutionCall(pass, dense(dtype, n, c, size), dense(dtype, k, c, kernel),
                dense(dtype, n, k, out), both(stride), both(padding), both(1));

        assertEquals(bytes, heuristics.answer(call, H200).orElseThrow().bytes());
    }

    /**
     * The gradient of an image's float64 goes to engine 25 of cuDNN 9.19, whose sums have no order (its numerical note 4, {@code NONDETERMINISTIC}): on an
     * H100 its last bits changed from run to run. Who asks for one order gets the next one offered.
     */
    @Test
    void whoAsksForSumsInOneOrderGetsAnotherEngineWhereTheFirstHasNone() {
        ConvolutionCall call = new ConvolutionCall(Pass.INPUT, dense(DType.FLOAT64, 2, 2, 4),
                dense(DType.FLOAT64, 3, 2, 3), dense(DType.FLOAT64, 2, 3, 4), both(1), both(1), both(1));
        int first = heuristics.answer(call, H200).orElseThrow().engine();
        System.setProperty(ONE_ORDER, "on");
        int inOrder = heuristics.answer(call, H200).orElseThrow().engine();

        assertEquals(25, first);
        assertEquals(0, inOrder);
    }

    @Test
    void beforeComputeCapability8NothingIsAnswered() {
        ConvolutionCall call = new ConvolutionCall(Pass.OUTPUT, dense(DType.FLOAT32, 1, 3, 8),
                dense(DType.FLOAT32, 4, 3, 3), dense(DType.FLOAT32, 1, 4, 6), both(1), both(0), both(1));

        assertTrue(heuristics.answer(call, DeviceProfile.find("T4").orElseThrow()).isEmpty());
    }

    private static long[] both(long value) {
        return new long[]{value, value};
    }

    private static Operand dense(DType dtype, long n, long c, long size) {
        return new Operand(0, dtype, new long[]{n, c, size, size}, new long[]{c * size * size, size * size, size, 1});
    }
}
