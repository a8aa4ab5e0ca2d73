package io.vramlab.nn.own;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.nn.BatchNorm2d;
import io.vramlab.nn.Buffer;
import io.vramlab.nn.LayerNorm;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Parametrizations;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.nn.TransformerDecoder;
import io.vramlab.nn.TransformerDecoderLayer;
import io.vramlab.nn.TransformerEncoder;
import io.vramlab.nn.TransformerEncoderLayer;
import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The library's modules extended in another package, as people's are. The names are those of PyTorch 2.11's state_dict. */
class SubclassesTest {

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

    /** What stands in the list runs; what is a field of the class's own is a member by that field's name. */
    private static final class Normed extends Sequential {
        private final LayerNorm norm = new LayerNorm(2);
        private final Buffer scale = new Buffer(Tensor.ones(2));

        Normed() {
            super(new Linear(2, 2), new ReLU());
        }

        @Override
        public Tensor forward(Tensor x) {
            return norm.call(super.forward(x)).mul(scale);
        }
    }

    @Test
    void aContainersOwnFieldsHaveTheirNamesBesideItsNumbers() {
        try (Normed net = new Normed()) {
            assertEquals(List.of("scale", "0.weight", "0.bias", "norm.weight", "norm.bias"),
                    List.copyOf(net.stateDict().keySet()));
            assertEquals(List.of("0", "1", "norm"), List.copyOf(net.namedChildren().keySet()));
            assertTrue(net.toString().startsWith("Normed(\n  (0): Linear("), net.toString());
            Tensor y = net.call(Tensor.ones(3, 2));
            assertArrayEquals(new long[]{3, 2}, y.shape());
            net.loadStateDict(net.stateDict());
        }
    }

    /** With a weight of its own beside the frozen one. */
    private static final class Lora extends Linear {
        private final Linear down = new Linear(2, 1, false);
        private final Linear up = new Linear(1, 2, false);

        Lora() {
            super(2, 2);
            weight.requiresGrad_(false);
            bias.requiresGrad_(false);
        }

        @Override
        public Tensor forward(Tensor x) {
            return super.forward(x).add(up.call(down.call(x)));
        }
    }

    @Test
    void aLinearWithALowRankUpdateTrainsThatAlone() {
        try (Lora net = new Lora()) {
            assertEquals(List.of("weight", "bias", "down.weight", "up.weight"),
                    List.copyOf(net.namedParameters().keySet()));
            net.call(Tensor.ones(1, 2)).sum().backward();
            assertEquals(List.of("down.weight", "up.weight"), net.namedParameters().entrySet().stream()
                    .filter(each -> each.getValue().grad() != null).map(each -> each.getKey()).toList());
            assertEquals("Lora(in_features=2, out_features=2, bias=True\n", net.toString().substring(0, 46));
        }
    }

    private static final class OwnEncoderLayer extends TransformerEncoderLayer {
        OwnEncoderLayer() {
            super(4, 2);
        }
    }

    private static final class OwnDecoderLayer extends TransformerDecoderLayer {
        OwnDecoderLayer() {
            super(4, 2);
        }
    }

    @Test
    void aTransformersLayerOfOnesOwnIsNotCopiedAsIfItWereTheLibrarys() {
        String told = assertThrows(IllegalArgumentException.class,
                () -> new TransformerEncoder(new OwnEncoderLayer(), 2)).getMessage();
        assertTrue(told.contains("OwnEncoderLayer, which extends TransformerEncoderLayer"), told);
        assertThrows(IllegalArgumentException.class, () -> new TransformerDecoder(new OwnDecoderLayer(), 2));
    }

    private static final class QuietNorm extends BatchNorm2d {
        QuietNorm() {
            super(2);
        }
    }

    private static final class ReadingNorm extends LayerNorm {
        ReadingNorm() {
            super(2);
        }

        @Override
        public Tensor forward(Tensor x) {
            return x.mul(parametrized(weight));
        }
    }

    @Test
    void aParametrizationIsRefusedWhereTheForwardThatIsInheritedWouldNotReadIt() {
        QuietNorm quiet = new QuietNorm();
        assertThrows(IllegalArgumentException.class, () -> Parametrizations.register(quiet, "weight", new ReLU()));
        Lora lora = Parametrizations.register(new Lora(), "weight", new ReLU());
        assertTrue(Parametrizations.isParametrized(lora, "weight"));
        ReadingNorm reading = Parametrizations.register(new ReadingNorm(), "weight", new ReLU());
        assertArrayEquals(new float[]{1, 1}, reading.call(Tensor.ones(2)).toFloatArray());
    }
}
