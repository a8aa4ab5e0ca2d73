package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.optim.NAdam;
import io.vramlab.optim.ParamGroup;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forms that ports of models found missing. */
class BroughtFormsTest {

    private static class Tied extends Module {
        final Embedding tokens = new Embedding(10, 4, 0);
        final ModuleList blocks = new ModuleList(new Linear(4, 4), new BatchNorm1d(4, 1e-5, .02));
        final Linear head = new Linear(4, 10, false);
        final Tensor mask = registerBuffer("mask", Tensor.ones(DType.BOOL, 3, 3).tril());
        int calls;

        Tied() {
            head.weight = tokens.weight;
        }

        public Tensor forward(Tensor ids) {
            calls++;
            return head.call(blocks.get(0).call(tokens.call(ids)));
        }
    }

    @Test
    void aDeepCopyHasValuesOfItsOwnAndStaysTied() {
        try (Scope scope = Scope.open()) {
            Tied net = new Tied();
            net.calls = 3;
            Tied copy = Module.deepCopy(net);

            assertSame(copy.tokens.weight, copy.head.weight);
            assertNotSame(net.tokens.weight, copy.tokens.weight);
            assertEquals(net.stateDict().keySet(), copy.stateDict().keySet());
            assertEquals(4, copy.parameters().size() - 1);
            assertSame(copy.mask, copy.getBuffer("mask"));
            assertEquals(3, copy.calls);
            copy.tokens.weight.data().fill_(7);
            assertTrue(net.tokens.weight.max().item() < 7);
            assertEquals(7, copy.head.weight.min().item());
        }
    }

    @Test
    void paddingIsZeroAndGetsNoGradient() {
        try (Scope scope = Scope.open()) {
            Embedding embedding = new Embedding(5, 2, -1);
            assertEquals(0, embedding.weight.select(0, 4).abs().sum().item());
            embedding.call(Tensor.of(4L, 1L)).sum().backward();
            assertEquals(0, embedding.weight.grad().select(0, 4).sum().item());
            assertEquals(2, embedding.weight.grad().select(0, 1).sum().item());
            assertThrows(IllegalArgumentException.class, () -> new Embedding(5, 2, 5));
        }
    }

    @Test
    void batchNormTakesItsSettings() {
        try (Scope scope = Scope.open()) {
            BatchNorm1d norm = new BatchNorm1d(2, 1e-3, .5);
            norm.call(Tensor.of(new float[]{1, 2}, new float[]{3, 2}));
            assertEquals(1, norm.runningMean.get(0), 1e-6);
            BatchNorm1d plain = new BatchNorm1d(2, 1e-5, .1, false, false);
            plain.eval();
            assertNull(plain.weight);
            assertEquals(0, plain.call(Tensor.of(new float[]{1, 2}, new float[]{3, 2})).sum().item(), 1e-5);
            assertEquals("BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False)",
                    plain.toString());
            BatchNorm1d mean = new BatchNorm1d(1, 1e-5, null);
            mean.call(Tensor.of(new float[]{1}, new float[]{3}));
            mean.call(Tensor.of(new float[]{5}, new float[]{7}));
            assertEquals(4, mean.runningMean.get(0), 1e-6);
        }
    }

    @Test
    void groupsKeepWhatTheyWereGiven() {
        try (Scope scope = Scope.open()) {
            Linear a = new Linear(2, 2);
            SGD sgd = new SGD(List.of(new ParamGroup(List.of(a.weight)).set("momentum", 0),
                    new ParamGroup(List.of(a.bias)).lr(.5)), .1)
                    .momentum(.9);
            assertEquals(0, sgd.paramGroups().get(0).get("momentum"));
            assertEquals(.9, sgd.paramGroups().get(1).get("momentum"));
            assertEquals(.1, sgd.paramGroups().get(0).get("lr"));
            assertEquals(.5, sgd.paramGroups().get(1).get("lr"));
            assertThrows(IllegalArgumentException.class, () -> new SGD(List.of("weights"), .1));
        }
    }

    /** By hand: mu is beta1 (1 - 0.96^(0.004 n) / 2), and the product takes each step's beta1. */
    @Test
    void nadamRemembersTheProductOfItsMomenta() {
        try (Scope scope = Scope.open()) {
            Parameter p = new Parameter(Tensor.zeros(1));
            NAdam nadam = new NAdam(List.of(p), .1);
            p.grad(Tensor.ones(1));
            nadam.step();
            nadam.paramGroups().get(0).set("beta1", .5);
            nadam.step();
            double one = .9 * (1 - .5 * Math.pow(.96, .004));
            double two = .5 * (1 - .5 * Math.pow(.96, .008));
            Object state = ((java.util.Map<?, ?>) nadam.stateDict().get("state")).get(0);
            assertEquals(one * two, (double) ((java.util.Map<?, ?>) state).get("mu_product"), 1e-12);
        }
    }

    @Test
    void firstValuesHaveTheirBoundsAndDeviations() {
        try (Scope scope = Scope.open()) {
            Linear layer = new Linear(300, 200);
            Init.xavierUniform_(layer.weight);
            assertTrue(layer.weight.abs().max().item() <= Math.sqrt(6. / 500) + 1e-6);
            Init.kaimingNormal_(layer.weight, 0, "fan_out", "relu");
            assertEquals(Math.sqrt(2. / 200), layer.weight.std().item(), 1e-3);
            Init.truncNormal_(layer.weight, 1, .02);
            assertEquals(1, layer.weight.mean().item(), 1e-3);
            Init.zeros_(layer.bias);
            assertEquals(0, layer.bias.abs().max().item());
            Tensor square = Tensor.empty(3, 3);
            assertArrayEquals(new double[]{1, 0, 0, 0, 1, 0, 0, 0, 1}, Init.eye_(square).toDoubleArray());
            Tensor kernels = Init.dirac_(Tensor.empty(2, 2, 3));
            assertEquals(2, kernels.sum().item());
            assertEquals(1, kernels.get(1, 1, 1));
            assertThrows(TensorException.class, () -> Init.xavierNormal_(layer.bias));
            assertThrows(IllegalArgumentException.class, () -> Init.calculateGain("gelu"));
        }
    }

    @Test
    void weightsOfPositivesCount() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(0f, 0f).requiresGrad_(true);
            Tensor loss = Functional.binaryCrossEntropyWithLogits(x, Tensor.of(1f, 0f), null, Tensor.of(3f, 3f));
            assertEquals(2 * Math.log(2), loss.item(), 1e-6);
            loss.backward();
            assertEquals(-.75, x.grad().get(0), 1e-6);
            assertEquals(.25, x.grad().get(1), 1e-6);
        }
    }

    @Test
    void masksInAnyBracketAndMorePlaces() {
        try (Scope scope = Scope.open()) {
            Tensor a = Tensor.ones(2, 3, 2);
            a.set(0, ":", Tensor.of(true, false, true), ":");
            assertEquals(4, a.sum().item());
            assertEquals(2, a.sum(0, 1).get(1));
            assertEquals(3, Tensor.ones(3, 3).fillDiagonal_(0).sum(1).max().item() + 1);
            assertEquals(1, Tensor.of(5L).index((Object[]) null).size(0));
            assertEquals(3, Tensor.of(1L, 1L, 2L, 1L).uniqueConsecutive().numel());
            assertArrayEquals(new long[]{3, 1}, Tensor.of(1L, 1L, 2L, 1L).unique(false, true)[1].toLongArray());
            assertEquals(3, Tensor.of(true, false, true).bitwiseOr_(Tensor.of(false, true, false)).sum().item());
            assertEquals(DType.INT64, Tensor.ones(2).zerosLike(DType.INT64).dtype());
            assertEquals(65504, DType.FLOAT16.max());
        }
    }

    @Test
    void equalRowsHaveADistanceWithoutSlope() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.ones(30, 2).requiresGrad_(true);
            x.cdist(x).sum().backward();
            assertEquals(0, x.grad().abs().sum().item());
        }
    }

    /** elu_ behind a layer of three dimensions changes a view: the values are those of elu on a copy. */
    @Test
    void inPlaceBehindALinearLayerOfThreeDimensionsHasItsGradient() {
        try (Scope scope = Scope.open()) {
            Linear layer = new Linear(2, 3);
            Tensor x = Tensor.randn(4, 5, 2);
            Functional.elu(layer.call(x), 1).pow(2).sum().backward();
            Tensor expected = layer.weight.grad().clone();
            layer.zeroGrad();
            new ELU(1, true).call(layer.call(x)).pow(2).sum().backward();
            assertTrue(expected.allclose(layer.weight.grad(), 1e-4, 1e-5));
        }
    }
}
