package io.vramlab.amp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.Reduction;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MixedPrecisionTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("256MiB");
    private Scope scope;

    @BeforeEach
    void useIt() {
        Device.set(device);
        Tensor.manualSeed(4);
        scope = Scope.open();
    }

    @AfterEach
    void giveBack() {
        scope.close();
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().allocatedBytes();
    }

    @Test
    void productsRunInHalfAndLossesInFloat() {
        Linear layer = new Linear(8, 4);
        Tensor x = Tensor.randn(2, 8);
        try (Autocast cast = new Autocast()) {
            Tensor y = layer.call(x);
            assertEquals(DType.FLOAT16, y.dtype());
            assertEquals(DType.FLOAT32, Functional.mseLoss(y, y.detach(), Reduction.MEAN).dtype());
            assertEquals(DType.FLOAT32, y.exp().dtype());
            assertEquals(DType.FLOAT16, y.relu().dtype());
        }
        assertEquals(DType.FLOAT32, layer.call(x).dtype());
    }

    @Test
    void resizedPicturesAnglesAndLogarithmsOfSumsAreFloatButMeansOfAreasAreNot() {
        Tensor x = Tensor.rand(TensorOptions.of(DType.FLOAT16), 2, 3, 4, 4);
        try (Autocast cast = new Autocast()) {
            assertEquals(DType.FLOAT32, Functional.interpolate(x, 2).dtype());
            assertEquals(DType.FLOAT32, Functional.interpolate(x, 2, "bilinear").dtype());
            assertEquals(DType.FLOAT16, Functional.interpolate(x, 2, "area").dtype());
            for (Tensor y : new Tensor[]{x.acos(), x.asin(), x.tan(), x.sinh(), x.cosh(), x.logsumexp(1)}) {
                assertEquals(DType.FLOAT32, y.dtype());
            }
        }
    }

    @Test
    void gradientsOfParametersAreFloat() {
        Linear layer = new Linear(8, 4);
        Tensor x = Tensor.randn(2, 8);
        Tensor loss;
        try (Autocast cast = new Autocast(DType.BFLOAT16)) {
            loss = layer.call(x).sum();
        }
        loss.backward();
        assertEquals(DType.FLOAT32, layer.weight.grad().dtype());
    }

    @Test
    void eachParameterIsConvertedOncePerRegion() {
        Linear layer = new Linear(512, 512, false);
        Tensor x = Tensor.randn(1, 512);
        long held = allocated();
        try (Autocast cast = new Autocast()) {
            layer.call(x).close();
            // the half copy of 512 * 512 parameters stays until the region ends
            assertEquals(512 * 512 * 2, allocated() - held);
            layer.call(x).close();
            assertEquals(512 * 512 * 2, allocated() - held);
        }
        assertEquals(held, allocated());
    }

    @Test
    void aRegionCanBeSwitchedOffInside() {
        Linear layer = new Linear(8, 4);
        Tensor x = Tensor.randn(2, 8);
        try (Autocast cast = new Autocast(); Autocast off = Autocast.off()) {
            assertEquals(DType.FLOAT32, layer.call(x).dtype());
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Autocast(DType.INT64)).getMessage()
                .contains("float16 and bfloat16"));
    }

    private void train(Optimizer optimizer, GradScaler scaler, Linear layer, Tensor x) {
        optimizer.zeroGrad();
        Tensor loss;
        try (Autocast cast = new Autocast()) {
            loss = Functional.mseLoss(layer.call(x), Tensor.ones(4, 2), Reduction.MEAN);
        }
        scaler.scale(loss).backward();
        scaler.step(optimizer);
        scaler.update();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aScaledStepIsTheStep(boolean fused) {
        Linear layer = new Linear(3, 2);
        Linear same = new Linear(3, 2);
        same.loadStateDict(layer.stateDict());
        Tensor x = Tensor.randn(4, 3);
        Optimizer scaled = new SGD(layer.parameters(), 0.1).fused(fused);
        Optimizer plain = new SGD(same.parameters(), 0.1);
        try (GradScaler scaler = new GradScaler(1024, 2000)) {
            train(scaled, scaler, layer, x);
        }
        try (Autocast cast = new Autocast()) {
            Tensor loss = Functional.mseLoss(same.call(x), Tensor.ones(4, 2), Reduction.MEAN);
            loss.backward();
        }
        plain.step();
        assertArrayEquals(same.weight.toFloatArray(), layer.weight.toFloatArray(), 1e-3f);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepWithAnInfiniteGradientIsSkippedAndTheScaleHalved(boolean fused) {
        Tensor p = Tensor.ones(3).requiresGrad_(true);
        Optimizer optimizer = new SGD(List.of(p), 0.1).fused(fused);
        try (GradScaler scaler = new GradScaler(1024, 2000)) {
            scaler.scale(p.sum()).backward();
            p.grad().mul_(Float.POSITIVE_INFINITY);
            assertEquals(fused, scaler.step(optimizer));
            scaler.update();
            assertArrayEquals(new float[]{1, 1, 1}, p.toFloatArray());
            assertEquals(512, scaler.getScale());
        }
    }

    @Test
    void theScaleDoublesAfterAnIntervalWithoutOverflow() {
        Linear layer = new Linear(3, 2);
        Tensor x = Tensor.randn(4, 3);
        Optimizer optimizer = new SGD(layer.parameters(), 0.01);
        try (GradScaler scaler = new GradScaler(64, 2)) {
            train(optimizer, scaler, layer, x);
            assertEquals(64, scaler.getScale());
            train(optimizer, scaler, layer, x);
            assertEquals(128, scaler.getScale());
        }
    }

    @Test
    void halfParametersAreRefusedInPyTorchsWords() {
        Sequential model = new Sequential(new Linear(4, 2));
        model.half();
        Optimizer optimizer = new AdamW(model.parameters());
        try (GradScaler scaler = new GradScaler(); Autocast cast = new Autocast()) {
            scaler.scale(model.call(Tensor.randn(3, 4)).sum()).backward();
            float before = model.parameters().getFirst().grad().toFloat().toFloatArray()[0];
            String message = assertThrows(IllegalArgumentException.class, () -> scaler.step(optimizer)).getMessage();
            assertTrue(message.startsWith("Attempting to unscale FP16 gradients."), message);
            assertEquals(before, model.parameters().getFirst().grad().toFloat().toFloatArray()[0]);
        }
    }

    @Test
    void callsOutOfOrderAreRefused() {
        Linear layer = new Linear(2, 1);
        Optimizer optimizer = new SGD(layer.parameters(), 0.1);
        try (GradScaler scaler = new GradScaler()) {
            assertThrows(IllegalStateException.class, () -> scaler.step(optimizer));
            assertThrows(IllegalStateException.class, scaler::update);
            scaler.scale(layer.call(Tensor.randn(1, 2)).sum()).backward();
            assertThrows(IllegalStateException.class, scaler::update);
            scaler.unscale_(optimizer);
            assertThrows(IllegalStateException.class, () -> scaler.unscale_(optimizer));
            assertTrue(scaler.step(optimizer));
            assertThrows(IllegalStateException.class, () -> scaler.step(optimizer));
            scaler.update();
        }
    }
}
