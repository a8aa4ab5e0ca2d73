package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attention and transformers as they are called: masks, weights, hints, the fast path of inference. */
class TransformerTest {

    private static final TransformerOptions SMALL = new TransformerOptions().dimFeedforward(8).dropout(0)
            .batchFirst(true);

    private Scope scope;

    @BeforeEach
    void open() {
        Tensor.manualSeed(3);
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private static void assertSame(Tensor expected, Tensor actual) {
        assertArrayEquals(expected.contiguous().toFloatArray(), actual.contiguous().toFloatArray(), 1e-5f);
    }

    @Test
    void weightsOfARowSumToOneAndAreGivenWhereTheyAreNeeded() {
        MultiheadAttention attention = new MultiheadAttention(8, 2, 0, true);
        Tensor x = Tensor.randn(2, 5, 8);
        Tensor[] with = attention.call(x, x, x);
        assertArrayEquals(new long[]{2, 5, 5}, with[1].shape());
        assertSame(Tensor.ones(2, 5), with[1].sum(2).detach());
        Tensor[] without = attention.call(x, x, x, false);
        assertNull(without[1]);
        assertSame(with[0].detach(), without[0].detach());
        assertArrayEquals(new long[]{2, 2, 5, 5}, attention.call(x, x, x, null, true, null, false, false)[1].shape());
    }

    @Test
    void aSequenceWithoutABatchIsABatchOfOne() {
        MultiheadAttention attention = new MultiheadAttention(8, 2);
        Tensor x = Tensor.randn(5, 8);
        Tensor y = attention.call(x, x, x)[0];
        assertArrayEquals(new long[]{5, 8}, y.shape());
        Tensor one = x.unsqueeze(1);
        assertSame(attention.call(one, one, one)[0].squeeze(1).detach(), y.detach());
    }

    @Test
    void paddedKeysDoNotCount() {
        MultiheadAttention attention = new MultiheadAttention(8, 2, 0, true);
        Tensor x = Tensor.randn(1, 4, 8);
        Tensor padding = Tensor.of(false, false, true, true).view(1, 4);
        Tensor[] masked = attention.call(x, x, x, padding, true, null);
        Tensor shorter = x.slice(1, 0, 2);
        assertSame(attention.call(x, shorter, shorter)[0].detach(), masked[0].detach());
        assertEquals(0, masked[1].slice(2, 2, 4).sum().item());
    }

    @Test
    void aCausalMaskIsRecognisedAndGivesWhatTheHintGives() {
        TransformerEncoder encoder = new TransformerEncoder(new TransformerEncoderLayer(8, 2, SMALL), 2,
                new LayerNorm(8));
        Tensor x = Tensor.randn(2, 5, 8);
        Tensor mask = Transformer.generateSquareSubsequentMask(5);
        assertSame(encoder.call(x, mask, null, true).detach(), encoder.call(x, mask).detach());
        // the first position sees itself alone, whatever follows
        Tensor first = encoder.call(x.slice(1, 0, 1));
        assertSame(first.detach(), encoder.call(x, mask).slice(1, 0, 1).detach());
    }

    @Test
    void theFastPathOfInferenceGivesWhatTheLayersGive() {
        for (boolean normFirst : new boolean[]{false, true}) {
            TransformerEncoderLayer layer = new TransformerEncoderLayer(8, 2,
                    new TransformerOptions().dimFeedforward(8).dropout(0).batchFirst(true).normFirst(normFirst));
            layer.eval();
            Tensor x = Tensor.randn(2, 5, 8);
            Tensor mask = Transformer.generateSquareSubsequentMask(5);
            Tensor slow = layer.call(x, mask).detach();
            try (NoGrad off = new NoGrad()) {
                assertSame(slow, layer.call(x, mask));
            }
        }
    }

    @Test
    void copiesOfALayerHaveItsValuesAndAreTheirOwn() {
        TransformerEncoderLayer layer = new TransformerEncoderLayer(8, 2, SMALL);
        TransformerEncoder encoder = new TransformerEncoder(layer, 2);
        TransformerEncoderLayer copy = (TransformerEncoderLayer) encoder.layers.get(1);
        assertSame(layer.linear1.weight.detach(), copy.linear1.weight.detach());
        assertTrue(layer.linear1.weight != copy.linear1.weight);
        assertEquals(2 * layer.parameterCount(), encoder.parameterCount());
    }

    @Test
    void aTransformerReadsAndWrites() {
        Transformer transformer = new Transformer(8, 2, 1, 1, SMALL);
        Tensor y = transformer.call(Tensor.randn(2, 5, 8), Tensor.randn(2, 3, 8), null,
                Transformer.generateSquareSubsequentMask(3));
        assertArrayEquals(new long[]{2, 3, 8}, y.shape());
        TensorException e = assertThrows(TensorException.class,
                () -> transformer.call(Tensor.randn(2, 5, 8), Tensor.randn(3, 3, 8)));
        assertTrue(e.getMessage().startsWith("the batch number of src and tgt must be equal"), e.getMessage());
    }

    @Test
    void withoutValuesAMaskNeedsTheHint() {
        TransformerEncoder encoder = new TransformerEncoder(new TransformerEncoderLayer(8, 2, SMALL), 1);
        try (Device device = Device.shapesOnly("H200")) {
            encoder.to(device);
            Tensor x = Tensor.zeros(TensorOptions.of(DType.FLOAT32).device(device), 1, 3, 8);
            Tensor mask = Transformer.generateSquareSubsequentMask(3, device);
            // whether it is the causal one would have to be looked at
            assertThrows(DeviceException.class, () -> encoder.call(x, mask));
            assertArrayEquals(x.shape(), encoder.call(x, mask, null, true).shape());
            scope.close();
        }
    }

    @Test
    void whatDoesNotFitIsTold() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new MultiheadAttention(10, 3)).getMessage()
                .contains("must be divisible"));
        MultiheadAttention attention = new MultiheadAttention(8, 2);
        Tensor x = Tensor.randn(5, 1, 8);
        Tensor mask = Tensor.ones(TensorOptions.of(DType.BOOL), 4, 4);
        assertTrue(assertThrows(TensorException.class, () -> attention.call(x, x, x, null, false, mask)).getMessage()
                .contains("should be [5, 5]"));
        assertThrows(TensorException.class, () -> attention.call(x, x, x, null, false, null, true, true));
        assertThrows(IllegalArgumentException.class, () -> new TransformerOptions().activation("swish"));
    }
}
