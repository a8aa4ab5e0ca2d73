package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.Adam;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModuleTest {

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

    private long peak() {
        return Allocators.of(device).stats().peakAllocatedBytes();
    }

    /** As a user writes it in a cell: private fields, lists, a map, a bare parameter. */
    private static class Net extends Module {
        private final Linear first = new Linear(4, 8);
        private final List<Module> middle = List.of(new Linear(8, 8), new ReLU(), new BatchNorm1d(8));
        private final Parameter scale = new Parameter(Tensor.ones(8));
        private final Map<String, Module> heads = new TreeMap<>(Map.of("a", new Linear(8, 2, false)));

        @Override
        public Tensor forward(Tensor x) {
            Tensor h = first.call(x);
            for (Module m : middle) {
                h = m.call(h);
            }
            return heads.get("a").call(h.mul(scale).relu());
        }
    }

    @Test
    void parametersAreFoundThroughFieldsInTheOrderOfDeclaration() {
        try (Net net = new Net()) {
            // a module's own parameters come before those of the modules inside it, as in PyTorch
            assertEquals(List.of("scale", "first.weight", "first.bias", "middle.0.weight", "middle.0.bias",
                    "middle.2.weight", "middle.2.bias", "heads.a.weight"), List.copyOf(net.namedParameters().keySet()));
            assertEquals(List.of("middle.2.runningMean", "middle.2.runningVar", "middle.2.numBatchesTracked"),
                    List.copyOf(net.namedBuffers().keySet()));
            // 8 + 4*8 + 8 + 8*8 + 8 + 8 + 8 + 8*2
            assertEquals(152, net.parameterCount());
        }
        assertEquals(0, allocated());
    }

    @Test
    void aSharedModuleCountsOnce() {
        Linear shared = new Linear(2, 2);
        Sequential s = new Sequential(shared, new ReLU(), shared);
        assertEquals(2, s.parameters().size());
        s.close();
    }

    @Test
    void forwardLetsGoWhatItDidNotReturn() {
        try (Net net = new Net(); Tensor x = Tensor.randn(16, 4)) {
            net.eval();
            long held = allocated();
            try (NoGrad off = new NoGrad(); Tensor y = net.call(x)) {
                assertArrayEquals(new long[]{16, 2}, y.shape());
                // 16 * 2 * 4 bytes fill one block of 512
                assertEquals(512, allocated() - held);
            }
            assertEquals(held, allocated());
        }
    }

    @Test
    void aSequentialLetsEachActivationGoOnceTheNextExists() {
        Module[] layers = new Module[6];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = new Tanh();
        }
        try (Sequential s = new Sequential(layers); Tensor x = Tensor.randn(1024, 1024); NoGrad off = new NoGrad()) {
            Allocators.of(device).resetPeakMemoryStats();
            try (Tensor y = s.call(x)) {
                // the input, one activation and the next: never more than three of 4 MiB
                assertEquals(3L * 4 * 1024 * 1024, peak());
                assertEquals(2L * 4 * 1024 * 1024, allocated());
            }
        }
    }

    @Test
    void aForwardThatFailsLeavesNothingBehind() {
        Module broken = new Module() {
            @Override
            public Tensor forward(Tensor x) {
                Tensor h = x.relu();
                return h.matmul(h);
            }
        };
        try (Tensor x = Tensor.randn(2, 3)) {
            long held = allocated();
            assertThrows(RuntimeException.class, () -> broken.call(x));
            assertEquals(held, allocated());
        }
    }

    @Test
    void halfConvertsOneParameterAfterTheOther() {
        try (Sequential s = new Sequential(new Linear(512, 512, false), new Linear(512, 512, false))) {
            Allocators.of(device).resetPeakMemoryStats();
            s.half();
            // two of 1 MiB; at most 0.5 MiB of a half copy beside them
            assertEquals(2560 * 1024, peak());
            assertEquals(1024 * 1024, allocated());
            assertEquals(DType.FLOAT16, s.parameters().getFirst().dtype());
        }
    }

    @Test
    void toMovesParametersGradientsAndBuffers() {
        try (BatchNorm1d norm = new BatchNorm1d(4);
                Tensor x = Tensor.randn(8, 4);
                Tensor y = norm.call(x);
                Tensor loss = y.sum()) {
            loss.backward();
            norm.cpu();
            try (Tensor grad = norm.weight.grad()) {
                assertNotNull(grad);
                assertSame(Device.cpu(), grad.device());
            }
            assertSame(Device.cpu(), norm.runningMean.device());
            assertEquals(1, norm.numBatchesTracked.itemLong());
        }
    }

    @Test
    void evalReachesEveryModule() {
        try (Net net = new Net()) {
            net.eval();
            assertTrue(net.modules().stream().noneMatch(Module::isTraining));
            net.train();
            assertTrue(net.modules().stream().allMatch(Module::isTraining));
        }
    }

    @Test
    void aStateDictLoadsIntoAModelOfTheSameShape() {
        try (Net a = new Net(); Net b = new Net()) {
            b.loadStateDict(a.stateDict());
            b.stateDict().forEach((name, t) -> assertArrayEquals(a.stateDict().get(name).cpu().to(DType.FLOAT64)
                    .toDoubleArray(), t.cpu().to(DType.FLOAT64).toDoubleArray(), name));
        }
    }

    @Test
    void aStateDictThatDoesNotFitChangesNothing() {
        try (Linear a = new Linear(2, 3); Linear b = new Linear(2, 4); Linear c = new Linear(2, 3, false)) {
            float[] was = b.weight.toFloatArray();
            assertTrue(assertThrows(IllegalArgumentException.class, () -> b.loadStateDict(a.stateDict())).getMessage()
                    .contains("size mismatch for weight"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> b.loadStateDict(c.stateDict())).getMessage()
                    .contains("missing keys [bias]"));
            assertArrayEquals(was, b.weight.toFloatArray());
        }
    }

    @Test
    void zeroGradDropsGradients() {
        try (Linear l = new Linear(3, 2); Tensor x = Tensor.randn(4, 3); Tensor y = l.call(x); Tensor s = y.sum()) {
            s.backward();
            long with = allocated();
            l.zeroGrad();
            // two gradients of one 512-byte block each
            assertEquals(1024, with - allocated());
        }
    }

    @Test
    void initialWeightsStayWithinKaimingsBound() {
        Tensor.manualSeed(1);
        try (Linear l = new Linear(64, 32)) {
            double most = 0;
            for (float f : l.weight.toFloatArray()) {
                most = Math.max(most, Math.abs(f));
            }
            // 1 / sqrt(64)
            assertTrue(most <= 0.125 && most > 0.12, "largest " + most);
        }
    }

    @Test
    void aSmallNetworkLearnsExclusiveOr() {
        Tensor.manualSeed(2);
        try (Sequential net = new Sequential(new Linear(2, 8), new Tanh(), new Linear(8, 2));
                Optimizer optimizer = new Adam(net.parameters(), 0.05);
                Tensor x = Tensor.of(new float[]{0, 0}, new float[]{0, 1}, new float[]{1, 0}, new float[]{1, 1});
                Tensor y = Tensor.of(0L, 1L, 1L, 0L)) {
            for (int i = 0; i < 200; i++) {
                try (Scope step = Scope.open()) {
                    new CrossEntropyLoss().call(net.call(x), y).backward();
                    optimizer.step();
                    optimizer.zeroGrad();
                }
            }
            try (Tensor out = net.call(x); Tensor answers = out.argmax(1)) {
                assertArrayEquals(new long[]{0, 1, 1, 0}, answers.toLongArray());
            }
        }
    }

    @Test
    void printsAsATree() {
        try (Sequential s = new Sequential(new Linear(2, 3), new ReLU())) {
            assertEquals("""
                    Sequential(
                      (0): Linear(in_features=2, out_features=3, bias=True)
                      (1): ReLU()
                    )""", s.toString());
        }
    }

    @Test
    void dropoutIsQuietInInference() {
        try (Dropout d = new Dropout(0.5); Tensor x = Tensor.ones(TensorOptions.on(device), 1000)) {
            Tensor.manualSeed(3);
            try (Tensor y = d.call(x); Tensor zeros = y.eq(0).sum()) {
                double dropped = zeros.item();
                assertTrue(dropped > 400 && dropped < 600, "dropped " + dropped);
            }
            d.eval();
            assertFalse(d.isTraining());
            try (Tensor y = d.call(x)) {
                assertEquals(x.dataPtr(), y.dataPtr());
            }
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new Dropout(1.5)).getMessage()
                    .contains("between 0 and 1"));
        }
    }
}
