package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Training steps far larger than this machine, on a device that has shapes only. */
class PlanningTest {

    private final Device before = Device.current();
    private Device device;

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    /** A decoder as GPT-2 is one: embeddings, blocks with norms first, a last norm, a head. */
    static final class Gpt extends Module {
        private final Embedding tokens;
        private final Embedding positions;
        private final ModuleList blocks = new ModuleList();
        private final LayerNorm last;
        private final Linear head;

        Gpt(long vocabulary, long length, long width, long heads, int layers) {
            tokens = new Embedding(vocabulary, width);
            positions = new Embedding(length, width);
            TransformerOptions options = new TransformerOptions().dimFeedforward(4 * width).dropout(0)
                    .activation("gelu").normFirst(true).batchFirst(true);
            for (int i = 0; i < layers; i++) {
                blocks.append(new TransformerEncoderLayer(width, heads, options));
            }
            last = new LayerNorm(width);
            head = new Linear(width, vocabulary, false);
        }

        @Override
        public Tensor forward(Tensor ids) {
            Ref<Tensor> x = new Ref<>();
            try (Tensor where = Tensor.arange(ids.size(1));
                    Tensor place = positions.call(where);
                    Tensor what = tokens.call(ids)) {
                x.set(what.add(place));
            }
            try (Tensor later = Transformer.generateSquareSubsequentMask(ids.size(1))) {
                for (Module block : blocks) {
                    x.set(((TransformerEncoderLayer) block).call(x.get(), later, null, true));
                }
            }
            x.set(last.call(x.get()));
            x.set(head.call(x.get()));
            return x.take();
        }
    }

    static void step(Module model, Optimizer optimizer, long batch, long length, long vocabulary) {
        try (Scope scope = Scope.open()) {
            TensorOptions ids = TensorOptions.of(DType.INT64);
            Tensor x = Tensor.randint(ids, 0, vocabulary, batch, length);
            Tensor y = Tensor.randint(ids, 0, vocabulary, batch * length);
            Tensor logits = model.call(x);
            Tensor loss = Functional.crossEntropy(logits.view(-1, vocabulary), y);
            loss.backward();
            optimizer.step();
            optimizer.zeroGrad();
        }
    }

    @Test
    void aGpt2SmallStepIsPlanned() {
        device = Device.shapesOnly("H200");
        Device.set(device);
        try (Gpt model = new Gpt(50257, 1024, 768, 12, 12); Optimizer optimizer = new AdamW(model.parameters())) {
            // two vocabularies of 50257 x 768, positions 1024 x 768; a block has 12 w^2 + 13 w; the last norm 2 w
            long expected = 2L * 50257 * 768 + 1024 * 768 + 12L * (12L * 768 * 768 + 13 * 768) + 2 * 768;
            assertEquals(expected, model.parameterCount());
            step(model, optimizer, 8, 1024, 50257);
            long peak = Allocators.of(device).stats().peakAllocatedBytes();
            // parameters, gradients and two moments are 16 bytes a parameter; activations come on top
            assertTrue(peak > 16 * expected, "peak " + peak);
            step(model, optimizer, 8, 1024, 50257);
            // what is kept between steps: parameters and moments
            assertTrue(Allocators.of(device).stats().allocatedBytes() >= 12 * expected);
        }
        assertEquals(0, Allocators.of(device).stats().allocatedBytes());
    }

    @Test
    void aModelOfSevenBillionDoesNotFitAndSaysSo() {
        device = Device.shapesOnly("H200");
        Device.set(device);
        // the parameters alone take 27 GB; with gradients and moments four times that, and activations on top
        try (Gpt model = new Gpt(50257, 2048, 4096, 32, 32); Optimizer optimizer = new AdamW(model.parameters())) {
            assertTrue(model.parameterCount() > 6_500_000_000L);
            OutOfMemoryException e = assertThrows(OutOfMemoryException.class,
                    () -> step(model, optimizer, 8, 2048, 50257));
            assertTrue(e.getMessage().startsWith("CUDA out of memory. Tried to allocate"), e.getMessage());
        }
    }
}
