package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** torch.nn.Module's rarer methods; what hooks see and which names there are is what PyTorch 2.11 shows for the same modules. */
class ModuleMethodsTest {

    private final Device before = Device.current();
    private Device device;

    @BeforeEach
    void on() {
        device = Device.simulated("64MiB");
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    /** A weight, used in two places, and a count as a buffer. */
    private static class Tied extends Module {
        Module a = new Linear(4, 4, false);
        final Module b = a;
        List<Module> more = new ArrayList<>(List.of(new Linear(4, 2, false)));
        final Buffer steps = new Buffer(Tensor.zeros(TensorOptions.of(DType.INT64), 1));

        @Override
        public Tensor forward(Tensor x) {
            return more.get(0).call(b.call(a.call(x)));
        }
    }

    @Test
    void namesAreToldWithDuplicatesIfWanted() {
        try (Tied net = new Tied()) {
            assertEquals(List.of("", "a", "more.0"), List.copyOf(net.namedModules().keySet()));
            assertEquals(List.of("net", "net.a", "net.b", "net.more.0"),
                    List.copyOf(net.namedModules("net", false).keySet()));
            assertEquals(List.of("net.a.weight", "net.b.weight", "net.more.0.weight"),
                    List.copyOf(net.namedParameters("net", true, false).keySet()));
            assertEquals(List.of("net.a.weight", "net.more.0.weight"),
                    List.copyOf(net.namedParameters("net", true, true).keySet()));
            assertTrue(net.namedParameters("", false, true).isEmpty());
            assertEquals(List.of("steps"), List.copyOf(net.namedBuffers("", false, true).keySet()));
            assertEquals(1, net.buffers(false).size());
            assertEquals(List.of("steps", "a.weight", "b.weight", "more.0.weight"),
                    List.copyOf(net.stateDict().keySet()));
            assertEquals("net.steps", net.stateDict("net.").keySet().iterator().next());
        }
    }

    @Test
    void typeConvertsWholeNumbersTooAndToDoesNot() {
        try (Tied net = new Tied()) {
            net.to(DType.FLOAT16);
            assertEquals(DType.INT64, net.steps.dtype());
            net.type(DType.FLOAT64);
            assertEquals(DType.FLOAT64, net.steps.dtype());
            assertEquals(DType.FLOAT64, net.parameters().get(0).dtype());
        }
    }

    @Test
    void conversionTakesOneMemberMoreAtATime() {
        try (Sequential net = new Sequential(new Linear(256, 256, false), new Linear(256, 256, false))) {
            Cuda.resetPeakMemoryStats();
            // two weights of 256 KiB; while one is converted its half lies beside both, and never both halves beside both
            net.half();
            assertEquals((512 + 128) << 10, Cuda.maxMemoryAllocated());
            assertEquals(256 << 10, Cuda.memoryAllocated());
        }
    }

    @Test
    void toEmptyTakesTheMembersMemoryWithoutTheirValues() {
        try (Sequential net = new Sequential(new Linear(4, 3), new Linear(3, 2))) {
            Parameter weight = net.getParameter("0.weight");
            net.cpu();
            assertEquals(0, Cuda.memoryAllocated());
            net.toEmpty(device);
            // four blocks of 512 bytes
            assertEquals(2048, Cuda.memoryAllocated());
            assertSame(weight, net.getParameter("0.weight"));
            net.cpu().toEmpty(device, false);
            assertFalse(weight.device().isCuda());
            assertSame(net, net.shareMemory());
        }
    }

    @Test
    void gradientsCanBeClearedInPlace() {
        try (Linear l = new Linear(3, 2); Tensor x = Tensor.randn(4, 3); Tensor y = l.call(x); Tensor s = y.sum()) {
            s.backward();
            long with = Cuda.memoryAllocated();
            l.zeroGrad(false);
            assertEquals(with, Cuda.memoryAllocated());
            try (Tensor grad = l.weight.grad()) {
                assertArrayEquals(new float[6], grad.toFloatArray());
            }
            l.zeroGrad(true);
            assertEquals(1024, with - Cuda.memoryAllocated());
        }
    }

    @Test
    void aModuleInsideCanBeReplacedByPath() {
        try (Tied net = new Tied()) {
            Linear other = new Linear(4, 4, false);
            net.setSubmodule("a", other);
            assertSame(other, net.a);
            assertNotSame(other, net.b);
            ReLU relu = new ReLU();
            net.setSubmodule("more.0", relu);
            assertSame(relu, net.getSubmodule("more.0"));
            net.setSubmodule("extra", new Tanh());
            assertEquals(List.of("a", "b", "more.0", "extra"), List.copyOf(net.namedChildren().keySet()));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> net.setSubmodule("none", new Tanh(), true))
                    .getMessage().contains("has no \"none\""));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> net.setSubmodule("no.where", new Tanh()))
                    .getMessage().contains("has the modules [a, b, more.0, extra]"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> net.setSubmodule("b", new Tanh()))
                    .getMessage().contains("final"));
        }
        try (Sequential net = new Sequential(new Linear(2, 2), new ReLU())) {
            net.setSubmodule("1", new Tanh());
            assertEquals("Tanh", net.get(1).getClass().getSimpleName());
        }
    }

    @Test
    void aStateHasDetachedTensorsOnTheMembersMemory() {
        try (Tied net = new Tied()) {
            Parameter weight = net.getParameter("a.weight");
            net.call(Tensor.ones(1, 4)).sum().backward();
            long held = Cuda.memoryAllocated();
            Map<String, Tensor> state = net.stateDict();
            assertEquals(held, Cuda.memoryAllocated());
            for (Tensor each : state.values()) {
                assertFalse(each.requiresGrad());
                assertNull(each.grad());
            }
            assertEquals(weight.dataPtr(), state.get("a.weight").dataPtr());
            // tied members are two tensors there, as in PyTorch
            assertNotSame(state.get("a.weight"), state.get("b.weight"));
            state.get("a.weight").fill_(2);
            assertEquals(2, weight.get(3, 3));
            assertSame(weight, net.stateDict("", true).get("b.weight"));
            assertSame(net.steps, net.stateDict("n.", true).get("n.steps"));
        }
    }

    @Test
    void aStateKeepsItsMemoryWhenTheModuleGoes() {
        Linear net = new Linear(256, 256, false);
        Map<String, Tensor> state = net.stateDict();
        net.close();
        // 256 * 256 floats
        assertEquals(256 << 10, Cuda.memoryAllocated());
        state.values().forEach(Tensor::close);
        assertEquals(0, Cuda.memoryAllocated());
    }

    @Test
    void hooksAroundTheStateSeeAndChangeIt() {
        try (Sequential net = new Sequential(new Linear(2, 2, false))) {
            List<String> told = new ArrayList<>();
            Module inner = net.get(0);
            inner.registerStateDictPreHook((m, prefix) -> told.add("before " + prefix));
            RemovableHandle rename = inner.registerStateDictPostHook((m, state, prefix) -> {
                told.add("after " + state.keySet());
                state.put(prefix + "w", state.remove(prefix + "weight"));
            });
            net.registerStateDictPostHook((m, state, prefix) -> told.add("all " + state.keySet()));
            Map<String, Tensor> state = net.stateDict();
            assertEquals(List.of("before 0.", "after [0.weight]", "all [0.w]"), told);
            inner.registerLoadStateDictPreHook((m, given, prefix) -> given.put(prefix + "weight",
                    given.remove(prefix + "w")));
            assertTrue(net.loadStateDict(state).isEmpty());
            assertEquals(List.of("0.w"), List.copyOf(state.keySet()));
            rename.remove();
            assertEquals(List.of("0.weight"), List.copyOf(net.stateDict().keySet()));
        }
    }

    @Test
    void aHookAfterLoadingMayPardonWhatIsMissing() {
        try (Sequential net = new Sequential(new Linear(2, 2))) {
            Map<String, Tensor> some = new LinkedHashMap<>(net.stateDict());
            some.remove("0.bias");
            assertThrows(IllegalArgumentException.class, () -> net.loadStateDict(some));
            IncompatibleKeys loose = net.loadStateDict(some, false);
            assertEquals(List.of("0.bias"), loose.missingKeys());
            assertEquals(List.of(), loose.unexpectedKeys());
            net.registerLoadStateDictPostHook((m, keys) -> keys.missingKeys().clear());
            assertTrue(net.loadStateDict(some).isEmpty());
        }
    }

    @Test
    void whatIsAssignedIsNotCopied() {
        try (Linear net = new Linear(256, 256, false); Tensor weight = Tensor.ones(256, 256)) {
            Cuda.resetPeakMemoryStats();
            net.loadStateDict(Map.of("weight", weight), true, true);
            // 256 KiB each: the module's own is gone
            assertEquals(512 << 10, Cuda.maxMemoryAllocated());
            assertEquals(256 << 10, Cuda.memoryAllocated());
            assertTrue(net.weight.requiresGrad());
        }
    }

    /** Counts, and stores how far it has come. */
    private static final class Counting extends Linear {
        private double calls = 3;

        Counting() {
            super(2, 2, false);
        }

        @Override
        public Tensor getExtraState() {
            return Tensor.of(calls);
        }

        @Override
        public void setExtraState(Tensor state) {
            calls = state.item();
        }
    }

    @Test
    void anExtraStateIsStoredAndLoaded() {
        try (Counting from = new Counting(); Counting to = new Counting(); Linear plain = new Linear(2, 2, false)) {
            from.calls = 8;
            Map<String, Tensor> state = from.stateDict();
            assertEquals(List.of("weight", "_extra_state"), List.copyOf(state.keySet()));
            to.loadStateDict(state);
            assertEquals(8, to.calls);
            assertTrue(assertThrows(IllegalArgumentException.class, () -> plain.loadStateDict(state)).getMessage()
                    .contains("unexpected keys [_extra_state]"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> to.loadStateDict(plain.stateDict()))
                    .getMessage().contains("missing keys [_extra_state]"));
        }
    }
}
