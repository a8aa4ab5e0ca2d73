package io.vramlab.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.AutogradException;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointTest {

    private static final long MIB = 1 << 20;

    private final Device before = Device.current();
    private final Device device = Device.simulated("256MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().allocatedBytes();
    }

    enum Variant {
        RECOMPUTED {
            @Override
            Tensor run(UnaryOperator<Tensor> f, Tensor x) {
                return Checkpoint.checkpoint(f, x);
            }
        },
        REENTRANT {
            @Override
            Tensor run(UnaryOperator<Tensor> f, Tensor x) {
                return Checkpoint.reentrant(f, x);
            }
        };

        abstract Tensor run(UnaryOperator<Tensor> f, Tensor x);
    }

    private static Tensor chain(Tensor x) {
        Tensor y = x;
        for (int i = 0; i < 4; i++) {
            y = y.sigmoid();
        }
        return y;
    }

    private static float[] gradient(UnaryOperator<Tensor> function) {
        try (Scope scope = Scope.open()) {
            Tensor.manualSeed(9);
            Tensor x = Tensor.randn(64).requiresGrad_(true);
            function.apply(x).sum().backward();
            return x.grad().toFloatArray();
        }
    }

    @ParameterizedTest
    @EnumSource
    void gradientsAreTheSameAsWithout(Variant variant) {
        UnaryOperator<Tensor> function = t -> chain(t).mul(t);
        assertArrayEquals(gradient(function), gradient(x -> variant.run(function, x)));
    }

    @ParameterizedTest
    @EnumSource
    void randomNumbersAreTheSameTheSecondTime(Variant variant) {
        UnaryOperator<Tensor> function = t -> Functional.dropout(t, 0.5, true).mul(t);
        assertArrayEquals(gradient(function), gradient(x -> variant.run(function, x)));
    }

    @ParameterizedTest
    @EnumSource
    void onlyInputAndOutputAreHeldAfterForward(Variant variant) {
        try (Tensor x = Tensor.randn(512, 512).requiresGrad_(true)) {
            assertEquals(MIB, allocated());
            try (Tensor y = variant.run(CheckpointTest::chain, x)) {
                // without a checkpoint four results of 1 MiB are held
                assertEquals(2 * MIB, allocated());
            }
            assertEquals(MIB, allocated());
        }
        assertEquals(0, allocated());
    }

    private long allocations(UnaryOperator<Tensor> last) {
        try (Tensor x = Tensor.full(TensorOptions.defaults().requiresGrad(true), 0.5, 64);
                Tensor y = Checkpoint.checkpoint(t -> last.apply(t.sigmoid()), x);
                Tensor sum = y.sum()) {
            long before = Allocators.of(device).stats().get("allocation.all.allocated");
            sum.backward();
            return Allocators.of(device).stats().get("allocation.all.allocated") - before;
        }
    }

    @Test
    void aLastFunctionThatSavesItsArgumentAloneIsNotComputedAgain() {
        // of the same gradient, tensor by tensor; PyTorch stops at the last tensor that is saved, before the kernel
        assertEquals(allocations(Tensor::erf), allocations(Tensor::erfc));
        // has its result to compute, which it saves too, and one tensor less on the way to its gradient
        assertEquals(allocations(Tensor::erf), allocations(Tensor::erfcx));
    }

    @ParameterizedTest
    @EnumSource
    void backwardLeavesTheGradientAlone(Variant variant) {
        try (Tensor x = Tensor.randn(512, 512).requiresGrad_(true);
                Tensor y = variant.run(CheckpointTest::chain, x);
                Tensor sum = y.sum()) {
            sum.backward();
            // input, output, gradient, and the sum's block of 512 bytes
            assertEquals(3 * MIB + 512, allocated());
        }
        assertEquals(0, allocated());
    }

    @Test
    void anOperationThatOnlySavesItsInputsIsNotComputedAgain() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.randn(512, 512).requiresGrad_(true);
            Tensor w = Tensor.randn(512, 4096);
            Tensor sum = Checkpoint.checkpoint(t -> t.sigmoid().matmul(w), x).sum();
            int[] large = {0};
            Allocators.of(device).addListener(new MemoryListener() {
                @Override
                public void allocated(long address, long bytes, long requested, long stream, int site) {
                    large[0] += bytes == 8 * MIB ? 1 : 0;
                }
            });
            sum.backward();
            // the product's gradient is one number seen everywhere, which cuBLAS cannot read: it is copied. The product
            // itself, of 8 MiB too, is not made again
            assertEquals(1, large[0]);
        }
    }

    @Test
    void aRetainedGraphIsRecomputedAgain() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.randn(8).requiresGrad_(true);
            Tensor sum = Checkpoint.checkpoint(CheckpointTest::chain, x).sum();
            sum.backward(true);
            float[] once = x.grad().toFloatArray();
            sum.backward(false);
            for (int i = 0; i < once.length; i++) {
                assertEquals(2 * once[i], x.grad().toFloatArray()[i], 1e-6);
            }
        }
        assertEquals(0, allocated());
    }

    @Test
    void aFunctionThatChangesIsRefused() {
        int[] calls = {0};
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.randn(8).requiresGrad_(true);
            Tensor y = Checkpoint.checkpoint(t -> calls[0]++ == 0 ? t.sigmoid().sigmoid() : t.sigmoid(), x);
            Tensor sum = y.sum();
            assertTrue(assertThrows(AutogradException.class, sum::backward).getMessage()
                    .contains("A different number of tensors was saved"));
        }
        assertEquals(0, allocated());
    }

    @Test
    void aSequenceIsCutIntoSegments() {
        UnaryOperator<Tensor> sigmoid = Tensor::sigmoid;
        List<UnaryOperator<Tensor>> functions = Collections.nCopies(6, sigmoid);
        assertArrayEquals(gradient(x -> Checkpoint.sequential(functions, 1, x)),
                gradient(x -> Checkpoint.sequential(functions, 3, x)));
        try (Tensor x = Tensor.randn(512, 512).requiresGrad_(true);
                Tensor y = Checkpoint.sequential(functions, 3, x)) {
            // the inputs of the two checkpointed parts and both results of the last part, which is not one; its input,
            // the end of the second part, is held by nobody: sigmoid saves its result
            assertEquals(4 * MIB, allocated());
        }
        try (Tensor x = Tensor.randn(2)) {
            assertThrows(IllegalArgumentException.class, () -> Checkpoint.sequential(functions, 7, x));
        }
    }

    @Test
    void productsThatEndAPartKeepTheirFactorsApart() {
        Tensor a = Tensor.arange(4).view(2, 2).to(DType.FLOAT32).requiresGrad_(true);
        Tensor b = Tensor.arange(4).view(2, 2).to(DType.FLOAT32).add(5).detach().requiresGrad_(true);
        for (List<UnaryOperator<Tensor>> products : List.of(List.<UnaryOperator<Tensor>>of(x -> x.mm(b)),
                List.<UnaryOperator<Tensor>>of(x -> x.unsqueeze(0).bmm(b.unsqueeze(0))))) {
            a.grad(null);
            b.grad(null);
            Checkpoint.checkpoint(products.getFirst(), a).sum().backward();
            assertArrayEquals(new float[]{11, 15, 11, 15}, a.grad().toFloatArray());
            assertArrayEquals(new float[]{2, 2, 4, 4}, b.grad().toFloatArray());
        }
    }
}
