package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members by name; the names and their order are those that PyTorch 2.11's state_dict of the same module has. */
class RegisteredMembersTest {

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

    /** Positions as ports of transformers have them: a buffer, one that is not stored, a scale, a parameter that is missing. */
    private static final class Positions extends Module {
        private final Tensor pe;
        private final List<Module> layers = List.of(new Linear(2, 2), new ReLU());

        Positions() {
            pe = registerBuffer("pe", Tensor.zeros(4, 2));
            registerBuffer("mask", Tensor.ones(4, 4), false);
            registerParameter("scale", new Parameter(Tensor.ones(2)));
            registerParameter("bias", null);
            registerModule("out", new Linear(2, 3));
        }

        @Override
        public Tensor forward(Tensor x) {
            return getSubmodule("out").call(x.add(pe).mul(getParameter("scale")));
        }
    }

    @Test
    void whatIsRegisteredIsFoundAsFieldsAre() {
        try (Positions net = new Positions()) {
            assertEquals(List.of("scale", "layers.0.weight", "layers.0.bias", "out.weight", "out.bias"),
                    List.copyOf(net.namedParameters().keySet()));
            assertEquals(List.of("pe", "mask"), List.copyOf(net.namedBuffers().keySet()));
            assertEquals(List.of("layers.0", "layers.1", "out"), List.copyOf(net.namedChildren().keySet()));
            assertEquals(List.of("scale", "pe", "layers.0.weight", "layers.0.bias", "out.weight", "out.bias"),
                    List.copyOf(net.stateDict().keySet()));
            assertEquals(List.of(4L, 3L), shape(net.call(Tensor.zeros(4, 2))));
        }
    }

    private static List<Long> shape(Tensor t) {
        return List.of(t.size(0), t.size(1));
    }

    @Test
    void aBufferThatIsNotPersistentMovesAndClosesWithItsModule() {
        long free = Cuda.memoryAllocated();
        Positions net = new Positions();
        net.half();
        assertEquals(DType.FLOAT16, net.getBuffer("mask").dtype());
        assertFalse(net.getBuffer("mask").isPersistent());
        assertTrue(net.getBuffer("pe").isPersistent());
        net.close();
        assertEquals(free, Cuda.memoryAllocated());
    }

    @Test
    void whatIsRegisteredAgainIsReplaced() {
        try (Positions net = new Positions(); Buffer old = net.getBuffer("mask")) {
            Buffer now = net.registerBuffer("mask", Tensor.zeros(1));
            assertSame(now, net.getBuffer("mask"));
            assertEquals(List.of("pe", "mask"), List.copyOf(net.namedBuffers().keySet()));
            assertTrue(net.stateDict().containsKey("mask"));
            assertNull(net.registerBuffer("mask", null));
            assertEquals(List.of("pe"), List.copyOf(net.namedBuffers().keySet()));
            now.close();
        }
    }

    @Test
    void membersAreFoundByPath() {
        Linear inner = new Linear(2, 2);
        try (Sequential net = new Sequential(Map.of("block", new Sequential(new ReLU(), inner)))) {
            assertSame(net, net.getSubmodule(""));
            assertSame(inner, net.getSubmodule("block.1"));
            assertSame(inner.bias, net.getParameter("block.1.bias"));
            assertTold(() -> net.getSubmodule("block.2"), "\"block.2\"", "[0, 1]", "Name one of these");
            assertTold(() -> net.getParameter("block.1.gain"), "\"block.1.gain\"", "[weight, bias]",
                    "Name one of these");
        }
        try (Positions positions = new Positions()) {
            assertSame(positions.children().getFirst(), positions.getSubmodule("layers.0"));
        }
    }

    @Test
    void aNameThatIsTakenOrHasADotIsRefused() {
        try (Positions net = new Positions(); Tensor t = Tensor.zeros(1)) {
            assertTold(() -> net.registerBuffer("out", t), "\"out\"", "a Linear", "Give another name");
            assertTold(() -> net.registerBuffer("scale", t), "\"scale\"", "a Parameter", "Give another name");
            assertTold(() -> net.registerModule("a.b", new ReLU()), "\"a.b\"", "dots", "Give a name without");
            assertFalse(t.isClosed());
        }
    }

    @Test
    void aSequentialGrowsAsPyTorchs() {
        try (Sequential net = new Sequential()) {
            net.append(new Linear(1, 2)).add(new Linear(2, 3));
            net.insert(0, new ReLU()).insert(-1, new Tanh());
            net.extend(List.of(new Sigmoid()));
            net.registerModule("last", new GELU());
            assertEquals(List.of("0", "1", "2", "3", "4", "last"), List.copyOf(net.namedChildren().keySet()));
            assertEquals("""
                    Sequential(
                      (0): ReLU()
                      (1): Linear(in_features=1, out_features=2, bias=True)
                      (2): Tanh()
                      (3): Linear(in_features=2, out_features=3, bias=True)
                      (4): Sigmoid()
                      (last): GELU(approximate='none')
                    )""", net.toString());
            assertEquals(List.of("1.weight", "1.bias", "3.weight", "3.bias"), List.copyOf(net.stateDict().keySet()));
            net.pop(0);
            assertEquals(List.of("0", "1", "2", "3", "4"), List.copyOf(net.namedChildren().keySet()));
            assertEquals(List.of(5L, 3L), shape(net.call(Tensor.zeros(5, 1))));
        }
    }

    @Test
    void aSequentialsMapNamesItsModules() {
        Map<String, Module> layers = new LinkedHashMap<>();
        layers.put("in", new Linear(1, 2));
        layers.put("act", new ReLU());
        try (Sequential net = new Sequential(layers)) {
            assertEquals(List.of("in.weight", "in.bias"), List.copyOf(net.stateDict().keySet()));
            net.set(-1, new Tanh());
            assertTrue(net.getSubmodule("act") instanceof Tanh);
            assertTold(() -> net.insert(0, new ReLU()), "[in, act]", "Make another");
        }
    }

    @Test
    void aModuleListGrowsAsPyTorchs() {
        Linear first = new Linear(1, 1);
        try (ModuleList list = new ModuleList(new ReLU())) {
            list.insert(0, first);
            list.registerModule("2", new Tanh());
            assertEquals(List.of("0", "1", "2"), List.copyOf(list.namedChildren().keySet()));
            assertSame(first, list.get(-3));
            assertTrue(list.pop(1) instanceof ReLU);
            assertEquals(2, list.size());
            assertTold(() -> list.registerModule("head", new ReLU()), "\"head\"", "of 2", "Append it");
            assertTold(() -> list.append(null), "null", "Identity");
            assertTold(() -> list.get(2), "get(2)", "of 2 modules", "from -2 to 1");
            assertTold(() -> new Sequential().get(0), "get(0)", "of 0 modules", "append one");
        }
    }

    private static void assertTold(Runnable asked, String... parts) {
        RuntimeException told = assertThrows(RuntimeException.class, asked::run);
        for (String part : parts) {
            assertTrue(told.getMessage().contains(part), told.getMessage());
        }
    }
}
