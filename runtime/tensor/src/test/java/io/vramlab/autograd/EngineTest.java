package io.vramlab.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.AutogradException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

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
        return Allocators.of(device).stats().get("allocated_bytes.all.current");
    }

    private static Tensor leaf(float... values) {
        return Tensor.of(values).requiresGrad_(true);
    }

    @Test
    void theGradientOfAProductIsTheOtherFactor() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2, 3);
            Tensor b = leaf(4, 5, 6);
            a.mul(b).sum().backward();
            assertArrayEquals(new float[]{4, 5, 6}, a.grad().toFloatArray());
            assertArrayEquals(new float[]{1, 2, 3}, b.grad().toFloatArray());
        }
        assertEquals(0, allocated());
    }

    @Test
    void gradientsOfSeveralPassesAddUpInPlace() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2, 3);
            a.mul(2.0).sum().backward();
            long address = a.grad().dataPtr();
            a.mul(3.0).sum().backward();
            assertArrayEquals(new float[]{5, 5, 5}, a.grad().toFloatArray());
            assertEquals(address, a.grad().dataPtr());
        }
    }

    @Test
    void aBroadcastGradientIsSummedBack() {
        try (Scope s = Scope.open()) {
            Tensor row = leaf(1, 2, 3);
            Tensor.ones(4, 3).add(row).sum().backward();
            assertArrayEquals(new float[]{4, 4, 4}, row.grad().toFloatArray());
        }
    }

    @Test
    void aDroppedLossDropsItsGraph() {
        Tensor a = Tensor.ones(256).requiresGrad_(true);
        Tensor x = a;
        for (int i = 0; i < 5000; i++) {
            Tensor y = x.tanh();
            if (x != a) {
                x.close();
            }
            x = y;
        }
        // 5000 saved results of 1024 bytes, and the leaf
        assertEquals(5001 * 1024, allocated());
        x.close();
        assertEquals(1024, allocated());
        a.close();
    }

    @Test
    void backwardTwiceIsRefusedAsPyTorchDoes() {
        try (Scope s = Scope.open()) {
            Tensor loss = leaf(1, 2).exp().sum();
            loss.backward();
            AutogradException e = assertThrows(AutogradException.class, loss::backward);
            assertTrue(e.getMessage().startsWith("Trying to backward through the graph a second time"), e.getMessage());
        }
        assertEquals(0, allocated());
    }

    @Test
    void aRetainedGraphCanBeWalkedAgain() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2);
            Tensor loss = a.mul(a).sum();
            loss.backward(true);
            loss.backward();
            assertArrayEquals(new float[]{4, 8}, a.grad().toFloatArray());
        }
    }

    @Test
    void changingASavedTensorIsNoticed() {
        try (Scope s = Scope.open()) {
            Tensor y = leaf(1, 2).exp();
            Tensor loss = y.sum();
            y.add_(1);
            AutogradException e = assertThrows(AutogradException.class, loss::backward);
            assertTrue(e.getMessage().contains("modified by an inplace operation"), e.getMessage());
        }
        assertEquals(0, allocated());
    }

    @Test
    void aLeafIsNotChangedInPlaceWhileRecording() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2);
            assertThrows(AutogradException.class, () -> a.add_(1));
            try (NoGrad n = new NoGrad()) {
                a.add_(1);
            }
            assertArrayEquals(new float[]{2, 3}, a.toFloatArray());
        }
    }

    @Test
    void withoutAnyGradientBackwardIsRefused() {
        try (Scope s = Scope.open()) {
            AutogradException e = assertThrows(AutogradException.class, () -> Tensor.of(1f, 2f).sum().backward());
            assertTrue(e.getMessage().startsWith(
                    "element 0 of tensors does not require grad and does not have a grad_fn"), e.getMessage());
            AutogradException shape = assertThrows(AutogradException.class, () -> leaf(1, 2).exp().backward());
            assertTrue(shape.getMessage().startsWith("grad can be implicitly created only for scalar outputs"));
        }
    }

    @Test
    void noGradSavesNothing() {
        Tensor a = Tensor.ones(128).requiresGrad_(true);
        try (NoGrad n = new NoGrad(); Tensor y = a.exp()) {
            assertNull(y.gradFn());
        }
        assertEquals(512, allocated());
        a.close();
    }

    @Test
    void hooksSeeAndReplaceGradients() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2);
            Tensor y = a.mul(3.0);
            y.registerHook(g -> g.mul(10.0));
            a.registerHook(g -> {
                assertArrayEquals(new float[]{30, 30}, g.toFloatArray());
                return null;
            });
            y.sum().backward();
            assertArrayEquals(new float[]{30, 30}, a.grad().toFloatArray());
        }
        assertEquals(0, allocated());
    }

    @Test
    void aHookThatFailsAfterAnotherReplacedTheGradientLeavesMemoryAsItWas() {
        try (Scope s = Scope.open()) {
            Tensor y = leaf(1, 2).mul(3.0);
            y.registerHook(g -> g.mul(10.0));
            y.registerHook(g -> {
                throw new IllegalArgumentException("the hook's own");
            });
            Tensor sum = y.sum();
            long before = allocated();

            assertThrows(IllegalArgumentException.class, () -> sum.backward(true));

            assertEquals(before, allocated());
        }
        assertEquals(0, allocated());
    }

    @Test
    void gradThatFailsKeepsNothingOfWhatItHadFound() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2);
            Tensor h = a.mul(a);
            a.registerHook(g -> {
                throw new IllegalArgumentException("the hook's own");
            });
            Tensor y = h.exp().sum();
            long before = allocated();

            assertThrows(IllegalArgumentException.class, () -> Autograd.grad(y, null, true, h, a));

            assertEquals(before, allocated());
        }
        assertEquals(0, allocated());
    }

    @Test
    void gradReturnsGradientsWithoutAccumulating() {
        try (Scope s = Scope.open()) {
            Tensor a = leaf(1, 2);
            Tensor h = a.mul(a);
            Tensor[] g = Autograd.grad(h.exp().sum(), h, a);
            assertEquals(Math.exp(1), g[0].toFloatArray()[0], 1e-5);
            assertEquals(2 * Math.exp(1), g[1].toFloatArray()[0], 1e-5);
            assertNull(a.grad());
        }
        assertEquals(0, allocated());
    }
}
