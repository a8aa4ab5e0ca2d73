package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Weights computed of others; the numbers are what PyTorch 2.11 gives for the same program. */
class ParametrizationsTest {

    private static Linear layer(boolean bias, float[][] weight) {
        Linear layer = new Linear(2, 2, bias);
        try (NoGrad off = new NoGrad()) {
            layer.weight.copy_(Tensor.of(weight));
            if (bias) {
                layer.bias.zero_();
            }
        }
        return layer;
    }

    @Test
    void aNormedWeightHasLengthsAndDirections() {
        Linear layer = Parametrizations.weightNorm(layer(false, new float[][]{{3, 4}, {6, 8}}));
        assertEquals(List.of("parametrizations.weight.original0", "parametrizations.weight.original1"),
                List.copyOf(layer.namedParameters().keySet()));
        Tensor y = layer.call(Tensor.ones(1, 2));
        assertArrayEquals(new float[]{7, 14}, y.toFloatArray(), 1e-5f);
        y.mul(Tensor.of(1f, 2f)).sum().backward();
        assertArrayEquals(new float[]{1.4f, 2.8f}, layer.parameters().get(0).grad().toFloatArray(), 1e-5f);
        assertArrayEquals(new float[]{.16f, -.12f, .32f, -.24f}, layer.parameters().get(1).grad().toFloatArray(),
                1e-5f);
    }

    @Test
    void aSpectralNormIsTheLargestSingularValue() {
        Linear layer = Parametrizations.spectralNorm(layer(true, new float[][]{{3, 0}, {0, 5}}));
        assertEquals(List.of("bias", "parametrizations.weight.original", "parametrizations.weight.0._u",
                "parametrizations.weight.0._v"), List.copyOf(layer.stateDict().keySet()));
        Tensor y = layer.call(Tensor.ones(1, 2));
        assertArrayEquals(new float[]{.6f, 1}, y.toFloatArray(), 1e-4f);
        y.sum().backward();
        assertArrayEquals(new float[]{.2f, .2f, .2f, -.12f}, layer.weight.grad().toFloatArray(), 1e-3f);
    }

    @Test
    void anyModuleMayComputeAWeightAndBeTakenOffAgain() {
        Linear layer = Parametrizations.register(layer(true, new float[][]{{-3, 1}, {0, 5}}), "weight", new ReLU());
        assertTrue(Parametrizations.isParametrized(layer, "weight"));
        assertArrayEquals(new float[]{1, 5}, layer.call(Tensor.ones(1, 2)).toFloatArray());
        Parametrizations.remove(layer, "weight");
        assertFalse(Parametrizations.isParametrized(layer, "weight"));
        assertEquals(List.of("weight", "bias"), List.copyOf(layer.namedParameters().keySet()));
        assertArrayEquals(new float[]{0, 1, 0, 5}, layer.weight.toFloatArray());
    }

    @Test
    void aModuleThatReadsItsWeightsOtherwiseIsRefused() {
        LayerNorm norm = new LayerNorm(4);
        assertThrows(IllegalArgumentException.class, () -> Parametrizations.weightNorm(norm));
        Linear layer = new Linear(2, 2);
        assertThrows(IllegalArgumentException.class, () -> Parametrizations.weightNorm(layer, "scale", 0));
    }
}
