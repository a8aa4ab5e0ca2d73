package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionCall.Pass;
import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Convolutions by cuDNN give what the definition gives, in memory that was taken for them and in less of it. */
@Tag("gpu")
class CudnnTest {

    private Twins twins;

    @BeforeEach
    void open() {
        twins = new Twins();
        assumeTrue(twins.real().kernels().convolutions().isPresent(), "this machine has no cuDNN");
    }

    @AfterEach
    void close() {
        twins.close();
    }

    private record Case(int n, int c, int k, int groups, int h, int w, Window window, boolean last) {
    }

    static Stream<Case> cases() {
        return Stream.of(new Case(2, 3, 8, 1, 12, 10, window(3, 3, 1, 1, 1, 1), false),
                new Case(4, 16, 32, 1, 9, 9, window(1, 1, 1, 0, 1, 1), false),
                new Case(3, 8, 12, 4, 14, 11, window(5, 3, 2, 2, 1, 4), false),
                new Case(2, 6, 4, 2, 1, 40, window(1, 7, 3, 0, 2, 2), false),
                new Case(2, 16, 8, 1, 12, 12, window(3, 3, 2, 1, 1, 1), true));
    }

    private static Window window(int h, int w, int stride, int pad, int dilation, int groups) {
        // a height of 1 is not padded, spread or stepped over
        boolean line = h == 1 && w > 1;
        return new Window(h, w, line ? 1 : stride, stride, line ? 0 : pad, pad, line ? 1 : dilation, dilation, groups);
    }

    /** TF32 keeps ten bits of each factor, as PyTorch lets cuDNN do: 2^-10 of a sum's terms. */
    private static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-11;
            case FLOAT32, FLOAT16 -> 6e-2;
            default -> 1e-1;
        };
    }

    private static long[] strides(boolean last, long... shape) {
        long[] order = last ? new long[]{1, 3, 2, 0} : new long[]{3, 2, 1, 0};
        long[] strides = new long[4];
        long step = 1;
        for (long d : order) {
            strides[(int) d] = step;
            step *= shape[(int) d];
        }
        return strides;
    }

    private Twin random(DType dtype, boolean last, long... shape) {
        return twins.limited(dtype, 3, shape).view(shape, strides(last, shape));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void eachProductOfEachDtype(Case one) {
        Window w = one.window;
        long outH = (one.h + 2L * w.padH() - (long) w.dilationH() * (w.kernelH() - 1) - 1) / w.strideH() + 1;
        long outW = (one.w + 2L * w.padW() - (long) w.dilationW() * (w.kernelW() - 1) - 1) / w.strideW() + 1;
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16)) {
            for (Pass pass : Pass.values()) {
                Twin x = random(dtype, one.last, one.n, one.c, one.h, one.w);
                Twin weight = random(dtype, one.last, one.k, one.c / one.groups, w.kernelH(), w.kernelW());
                Twin y = random(dtype, one.last, one.n, one.k, outH, outW);
                twins.run((k, of) -> {
                    if (k.convolutions().isPresent()) {
                        assertTrue(k.convolutions().get().compute(
                                new ConvolutionCall(pass, of.apply(x), of.apply(weight), of.apply(y),
                                        new long[]{w.strideH(), w.strideW()}, new long[]{w.padH(), w.padW()},
                                        new long[]{w.dilationH(), w.dilationW()}),
                                this::lend, 0), one + " " + dtype + " " + pass);
                    } else if (pass == Pass.OUTPUT) {
                        k.conv2d(of.apply(y), of.apply(x), of.apply(weight), null, w, 0);
                    } else if (pass == Pass.INPUT) {
                        k.conv2dBackwardInput(of.apply(x), of.apply(y), of.apply(weight), w, 0);
                    } else {
                        k.conv2dBackwardWeight(of.apply(weight), of.apply(y), of.apply(x), w, 0);
                    }
                });
                twins.same(one + " " + dtype + " " + pass, tolerance(dtype), x, weight, y);
            }
        }
    }

    private void lend(long bytes, LongConsumer use) {
        DeviceDriver gpu = twins.real();
        long address = bytes == 0 ? 0 : gpu.allocate(bytes);
        use.accept(address);
        gpu.synchronize();
        if (bytes > 0) {
            gpu.free(address);
        }
    }

    @Test
    void whereThereIsNoMemoryForAPlanTheNextIsTried() {
        Twin x = random(DType.FLOAT32, false, 32, 64, 56, 56);
        Twin weight = random(DType.FLOAT32, false, 128, 64, 3, 3);
        Twin y = twins.zeros(DType.FLOAT32, 32, 128, 28, 28);
        ConvolutionLibrary library = twins.real().kernels().convolutions().orElseThrow();
        List<Long> asked = new ArrayList<>();
        twins.run((k, of) -> {
            if (k.convolutions().isPresent()) {
                ConvolutionCall call = new ConvolutionCall(Pass.OUTPUT, of.apply(x), of.apply(weight), of.apply(y),
                        new long[]{2, 2}, new long[]{1, 1}, new long[]{1, 1});
                assertTrue(library.compute(call, (bytes, use) -> {
                    asked.add(bytes);
                    if (bytes > 0) {
                        throw new IllegalStateException("no memory");
                    }
                    use.accept(0);
                }, 0));
            } else {
                k.conv2d(of.apply(y), of.apply(x), of.apply(weight), null, window(3, 3, 2, 1, 1, 1), 0);
            }
        });
        assertEquals(0, asked.getLast());
        assertTrue(asked.getFirst() > 0, asked.toString());
        twins.same("without memory", tolerance(DType.FLOAT32), y);
    }

    @Test
    void aConvolutionThatFitsNoPlanIsRefusedAndNothingIsLost() {
        Twin x = random(DType.FLOAT32, false, 1, 4, 8, 8);
        Twin weight = random(DType.FLOAT32, false, 4, 3, 3, 3);
        Twin y = twins.zeros(DType.FLOAT32, 1, 4, 6, 6);
        ConvolutionLibrary library = twins.real().kernels().convolutions().orElseThrow();
        twins.run((k, of) -> {
            if (k.convolutions().isPresent()) {
                // a weight of three channels for an input of four
                ConvolutionCall call = new ConvolutionCall(Pass.OUTPUT, of.apply(x), of.apply(weight), of.apply(y),
                        new long[]{1, 1}, new long[]{0, 0}, new long[]{1, 1});
                assertFalse(library.compute(call, this::lend, 0));
            }
        });
        twins.same("refused", 0, y);
    }

    @Test
    void noMemoryAtAllIsToldInTheCallersWords() {
        Twin x = random(DType.FLOAT32, false, 32, 64, 56, 56);
        Twin weight = random(DType.FLOAT32, false, 128, 64, 3, 3);
        Twin y = twins.zeros(DType.FLOAT32, 32, 128, 28, 28);
        ConvolutionLibrary library = twins.real().kernels().convolutions().orElseThrow();
        twins.run((k, of) -> {
            if (k.convolutions().isPresent()) {
                ConvolutionCall call = new ConvolutionCall(Pass.OUTPUT, of.apply(x), of.apply(weight), of.apply(y),
                        new long[]{2, 2}, new long[]{1, 1}, new long[]{1, 1});
                IllegalStateException none = assertThrows(IllegalStateException.class,
                        () -> library.compute(call, (bytes, use) -> {
                            throw new IllegalStateException("no memory for " + bytes);
                        }, 0));
                assertTrue(none.getMessage().startsWith("no memory for "), none.getMessage());
            }
        });
    }
}
