package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.Autograd;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.type.MemoryFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When backward copies a gradient that does not lie as a kernel wants it, in PyTorch's order (ConvShared.cpp, Loss.cpp). */
class CopiedGradientsTest {

    private static final long INPUT = 4L * 2 * 8 * 10 * 10;
    private static final long WEIGHT = 4L * 4 * 8 * 3 * 3;
    private static final long GRADIENT = 4L * 2 * 4 * 10 * 10;

    private Device before;
    private Device device;

    @BeforeEach
    void anH200WithoutValues() {
        before = Device.current();
        device = Device.shapesOnly("H200");
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    @Test
    void aGradientWithGapsIsCopiedForEachProductOfAConvolution() {
        try (Tensor wide = Tensor.empty(2, 12, 10, 10); Tensor part = wide.narrow(1, 8, 4)) {
            assertEquals("+input +gradient -gradient +gradient +weight -gradient", backward(part));
        }
    }

    @Test
    void aGradientInAnotherOrderIsCopiedOnceForBoth() {
        try (Tensor packed = Tensor.empty(2, 4, 10, 10);
                Tensor turned = packed.contiguous(MemoryFormat.CHANNELS_LAST)) {
            assertEquals("+gradient +input +weight -gradient", backward(turned));
        }
    }

    @Test
    void aGradientThatLiesPackedIsNotCopied() {
        try (Tensor packed = Tensor.empty(2, 4, 10, 10)) {
            assertEquals("+input +weight", backward(packed));
        }
    }

    @Test
    void theGradientOfASquaredErrorIsContiguousHoweverTheOutputLies() {
        try (Tensor leaf = leaf(2, 10, 10, 4);
                Tensor out = leaf.permute(0, 3, 1, 2);
                Tensor target = Tensor.empty(2, 4, 10, 10);
                Tensor loss = Functional.mseLoss(out, target)) {
            assertFalse(out.isContiguous());
            assertTrue(Autograd.grad(loss, out)[0].isContiguous());
        }
    }

    @Test
    void theLikelihoodOfLinesThatDoNotLiePackedHasAPackedGradient() {
        try (Tensor leaf = leaf(4, 48, 30);
                Tensor log = leaf.transpose(1, 2);
                Tensor classes = Tensor.zeros(TensorOptions.of(DType.INT64), 4, 48);
                Tensor loss = Functional.nllLoss(log, classes)) {
            assertTrue(Autograd.grad(loss, log)[0].isContiguous());
        }
    }

    @Test
    void whatIsFilledByAMaskIsContiguousHoweverItLay() {
        try (Tensor x = Tensor.empty(4, 6, 8);
                Tensor turned = x.transpose(1, 2);
                Tensor mask = Tensor.zeros(TensorOptions.of(DType.BOOL), 4, 8, 6);
                Tensor filled = turned.maskedFill(mask, 0)) {
            assertTrue(filled.isContiguous());
        }
    }

    private static Tensor leaf(long... shape) {
        return Tensor.empty(TensorOptions.of(DType.FLOAT32).requiresGrad(true), shape);
    }

    /** What backward of a convolution takes and gives back, workspaces left out. */
    private String backward(Tensor gradient) {
        List<String> events = new ArrayList<>();
        try (Tensor x = leaf(2, 8, 10, 10);
                Tensor w = leaf(4, 8, 3, 3);
                Tensor y = Functional.conv2d(x, w, null, 1, 1)) {
            Allocator allocator = Allocators.of(device);
            MemoryListener listener = listener(events);
            allocator.addListener(listener);
            y.backward(gradient, false);
            allocator.removeListener(listener);
        }
        return String.join(" ", events);
    }

    private static MemoryListener listener(List<String> events) {
        return new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                told("+", requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                told("-", requested);
            }

            private void told(String sign, long bytes) {
                if (Set.of(INPUT, WEIGHT, GRADIENT).contains(bytes)) {
                    events.add(sign + (bytes == INPUT ? "input" : bytes == WEIGHT ? "weight" : "gradient"));
                }
            }
        };
    }
}
