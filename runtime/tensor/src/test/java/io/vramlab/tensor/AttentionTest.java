package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.type.SdpaKernel;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scaled dot-product attention: all ways compute the same, and what cannot be computed is told. */
class AttentionTest {

    private final Device device = Device.simulated("H200");

    @AfterEach
    void close() {
        Device.set(Device.cpu());
        device.close();
    }

    private Tensor random(DType dtype, long... shape) {
        return Tensor.randn(TensorOptions.of(dtype).device(device), shape).requiresGrad_(true);
    }

    private static float[] of(Tensor t) {
        try (Tensor wide = t.toFloat(); Tensor dense = wide.detach().contiguous()) {
            return dense.toFloatArray();
        }
    }

    /** Result and gradients by one way. */
    private float[][] by(AttentionBackend way, DType dtype, long kv, boolean causal, Double scale) {
        Tensor.manualSeed(1);
        try (Scope scope = Scope.open(); SdpaKernel one = new SdpaKernel(way)) {
            Tensor q = random(dtype, 2, 4, 9, 16);
            Tensor k = random(dtype, 2, kv, 9, 16);
            Tensor v = random(dtype, 2, kv, 9, 16);
            Tensor y = Functional.scaledDotProductAttention(q, k, v, null, 0, causal, scale, kv != 4);
            y.mul(y).sum().backward();
            return new float[][]{of(y), of(q.grad()), of(k.grad()), of(v.grad())};
        }
    }

    private void same(AttentionBackend way, DType dtype, long kv, boolean causal, Double scale) {
        float[][] math = by(AttentionBackend.MATH, dtype, kv, causal, scale);
        float[][] fused = by(way, dtype, kv, causal, scale);
        for (int i = 0; i < math.length; i++) {
            assertArrayEquals(math[i], fused[i], dtype == DType.FLOAT32 ? 1e-4f : 0.2f, way + " " + i);
        }
    }

    @Test
    void allWaysComputeTheSame() {
        same(AttentionBackend.EFFICIENT, DType.FLOAT32, 4, false, null);
        same(AttentionBackend.EFFICIENT, DType.FLOAT32, 4, true, 0.5);
        same(AttentionBackend.FLASH, DType.BFLOAT16, 4, true, null);
        same(AttentionBackend.CUDNN, DType.FLOAT16, 2, false, null);
    }

    @Test
    void aMaskThatHidesAllOfARowGivesZeros() {
        try (Scope scope = Scope.open()) {
            Tensor q = random(DType.FLOAT32, 1, 1, 2, 4);
            Tensor mask = Tensor.of(false, false, true, true).view(2, 2).to(device);
            for (AttentionBackend way : new AttentionBackend[]{AttentionBackend.MATH, AttentionBackend.EFFICIENT}) {
                try (SdpaKernel one = new SdpaKernel(way)) {
                    float[] y = of(Functional.scaledDotProductAttention(q, q, q, mask));
                    assertArrayEquals(new float[4], new float[]{y[0], y[1], y[2], y[3]}, way.toString());
                    assertTrue(y[4] != 0);
                }
            }
        }
    }

    @Test
    void withoutAnAllowedWayItSaysWhatToDo() {
        try (Scope scope = Scope.open(); SdpaKernel flash = new SdpaKernel(AttentionBackend.FLASH)) {
            Tensor q = random(DType.FLOAT32, 1, 1, 2, 4);
            TensorException e = assertThrows(TensorException.class,
                    () -> Functional.scaledDotProductAttention(q, q, q));
            assertTrue(e.getMessage().startsWith("No available kernel. Aborting execution."), e.getMessage());
            assertTrue(e.getMessage().endsWith("Allow MATH too."), e.getMessage());
        }
    }

    @Test
    void aMaskAndCausalTogetherAreRefused() {
        try (Scope scope = Scope.open()) {
            Tensor q = random(DType.FLOAT32, 1, 1, 2, 4);
            Tensor mask = Tensor.ones(TensorOptions.of(DType.BOOL).device(device), 2, 2);
            TensorException e = assertThrows(TensorException.class,
                    () -> Functional.scaledDotProductAttention(q, q, q, mask, 0, true));
            assertTrue(e.getMessage().contains("explicit attnMask should not be set when isCausal"), e.getMessage());
        }
    }

    @Test
    void slicesAreRepeatedOneAfterTheOther() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(1f, 2f, 3f).requiresGrad_(true);
            Tensor y = Functional.repeatInterleave(x, 2, 0);
            assertArrayEquals(new float[]{1, 1, 2, 2, 3, 3}, y.toFloatArray());
            y.sum().backward();
            assertArrayEquals(new float[]{2, 2, 2}, x.grad().toFloatArray());
        }
    }

    @Test
    void partsOfGivenSizesAreViews() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(1f, 2f, 3f).requiresGrad_(true);
            Tensor[] parts = Functional.split(x, new long[]{1, 2}, 0);
            assertEquals(2, parts[1].numel());
            parts[1].sum().backward();
            assertArrayEquals(new float[]{0, 1, 1}, x.grad().toFloatArray());
            assertThrows(TensorException.class, () -> Functional.split(x, new long[]{1, 1}, 0));
        }
    }
}
