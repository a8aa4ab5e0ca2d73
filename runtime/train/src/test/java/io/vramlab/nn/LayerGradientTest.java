package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gradients of layers and losses against central differences, in float64. */
class LayerGradientTest {

    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-6;

    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Tensor.manualSeed(11);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private record Case(String name, Supplier<Module> module, long... shape) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Module of(UnaryOperator<Tensor> function) {
        return new Module() {
            @Override
            public Tensor forward(Tensor input) {
                return function.apply(input);
            }
        };
    }

    private static Tensor constant(double... values) {
        return Tensor.of(TensorOptions.of(DType.FLOAT64), values, values.length);
    }

    static Stream<Case> cases() {
        return Stream.of(new Case("Linear", () -> new Linear(3, 2), 4, 3),
                new Case("Linear of three dimensions", () -> new Linear(3, 2), 2, 2, 3),
                new Case("Linear without bias", () -> new Linear(3, 2, false), 4, 3),
                new Case("Sequential", () -> new Sequential(new Linear(3, 4), new Tanh(), new Linear(4, 2)), 3, 3),
                new Case("GELU", GELU::new, 3, 3), new Case("SiLU", SiLU::new, 3, 3),
                new Case("Sigmoid", Sigmoid::new, 3, 3), new Case("Softmax", () -> new Softmax(-1), 2, 4),
                new Case("LayerNorm", () -> new LayerNorm(5), 3, 5),
                new Case("BatchNorm1d", () -> new BatchNorm1d(3), 5, 3),
                new Case("BatchNorm1d in inference", () -> new BatchNorm1d(3).eval(), 5, 3),
                new Case("BatchNorm2d", () -> new BatchNorm2d(2), 2, 2, 2, 3),
                new Case("Conv2d", () -> new Conv2d(2, 3, 3, 1, 1), 1, 2, 4, 4),
                new Case("Conv2d with stride", () -> new Conv2d(1, 2, 2, 2, 0, false), 2, 1, 4, 4),
                new Case("MaxPool2d", () -> new MaxPool2d(2), 1, 2, 4, 4),
                new Case("AvgPool2d", () -> new AvgPool2d(2), 1, 2, 4, 4), new Case("Flatten", Flatten::new, 2, 2, 3),
                new Case("MultiheadAttention", () -> new MultiheadAttention(4, 2), 2, 3, 4),
                new Case("MultiheadAttention with weights", () -> of(LayerGradientTest::withWeights), 3, 2, 4),
                new Case("MultiheadAttention with masks", () -> of(LayerGradientTest::masked), 2, 4, 4),
                new Case("TransformerEncoderLayer",
                        () -> new TransformerEncoderLayer(4, 2, new TransformerOptions().dimFeedforward(8).dropout(0)),
                        3, 1, 4),
                new Case("TransformerEncoderLayer, norms first", () -> new TransformerEncoderLayer(4, 2,
                        new TransformerOptions().dimFeedforward(8).dropout(0).normFirst(true).activation("gelu")
                                .batchFirst(true)),
                        1, 3, 4),
                new Case("TransformerDecoderLayer", () -> new TransformerDecoderLayer(4, 2,
                        new TransformerOptions().dimFeedforward(4).dropout(0).batchFirst(true)), 1, 2, 4),
                new Case("MSELoss", () -> of(x -> new MSELoss().call(x, constant(0.1, -0.4, 0.7, 0.2))), 4),
                new Case("L1Loss", () -> of(x -> new L1Loss().call(x, constant(5, -5, 5, -5))), 4),
                new Case("BCEWithLogitsLoss",
                        () -> of(x -> new BCEWithLogitsLoss().call(x, constant(0, 1, 0.3, 0.6))), 4),
                new Case("CrossEntropyLoss", () -> of(x -> new CrossEntropyLoss().call(x, Tensor.of(2L, 0L, 1L))), 3,
                        4));
    }

    /** The sum of output and weights: both have gradients. */
    private static Tensor withWeights(Tensor x) {
        Tensor[] made = attention().call(x, x, x);
        return made[0].mul(made[1].sum());
    }

    private static Tensor masked(Tensor x) {
        Tensor later = Tensor.ones(TensorOptions.of(DType.BOOL), 4, 4).triu(1);
        Tensor padding = Tensor.of(false, false, false, true, false, false, true, true).view(2, 4);
        Tensor turned = x.transpose(0, 1);
        return attention().call(turned, turned, turned, padding, false, later)[0];
    }

    /** The same weights each time. */
    private static MultiheadAttention attention() {
        Tensor.manualSeed(5);
        MultiheadAttention attention = new MultiheadAttention(4, 2);
        attention.toDouble();
        return attention;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theGradientIsTheSlope(Case c) {
        try (Scope scope = Scope.open()) {
            Module module = c.module.get().toDouble();
            Tensor x = Tensor.randn(TensorOptions.of(DType.FLOAT64), c.shape).requiresGrad_(true);
            weighted(module, x).backward();
            List<Tensor> leaves = new ArrayList<>(module.parameters());
            leaves.add(x);
            for (Tensor leaf : leaves) {
                double[] gradient = leaf.grad().toDoubleArray();
                for (int i = 0; i < gradient.length; i++) {
                    assertEquals(slope(module, x, leaf, i), gradient[i], TOLERANCE,
                            leaf.describe() + " element " + i);
                }
            }
        }
    }

    /** A sum with unequal weights: a plain sum would hide gradients that cancel. */
    private static Tensor weighted(Module module, Tensor x) {
        Tensor y = module.call(x).flatten(0, -1);
        Tensor weights = Tensor.arange(TensorOptions.of(DType.FLOAT64), 1, y.numel() + 1, 1).sin();
        return y.mul(weights).sum();
    }

    private static double slope(Module module, Tensor x, Tensor leaf, int i) {
        return (shifted(module, x, leaf, i, STEP) - shifted(module, x, leaf, i, -STEP)) / (2 * STEP);
    }

    private static double shifted(Module module, Tensor x, Tensor leaf, int i, double by) {
        try (Scope scope = Scope.open()) {
            Tensor element = leaf.detach().view(-1).select(0, i);
            double was = element.item();
            element.fill_(was + by);
            double value = weighted(module, x).item();
            element.fill_(was);
            return value;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theSameSeedGivesTheSameBits(Case c) {
        assertArrayEquals(gradients(c), gradients(c));
    }

    private static double[] gradients(Case c) {
        try (Scope scope = Scope.open()) {
            Tensor.manualSeed(5);
            Module module = c.module.get().toDouble();
            Tensor x = Tensor.randn(TensorOptions.of(DType.FLOAT64), c.shape).requiresGrad_(true);
            weighted(module, x).backward();
            return x.grad().toDoubleArray();
        }
    }
}
