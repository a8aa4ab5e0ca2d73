package io.vramlab.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {

    private static final int STEPS = 4;
    private static final double LR = 0.05;

    private Device device;

    @BeforeEach
    void open() {
        device = Device.simulated("64MiB");
    }

    @AfterEach
    void close() {
        device.close();
    }

    private TensorOptions doubles() {
        return TensorOptions.on(device).dtype(DType.FLOAT64);
    }

    private Tensor leaf(double... values) {
        return Tensor.of(doubles(), values, values.length).requiresGrad_(true);
    }

    private static double gradient(int step, int i) {
        return Math.sin(step * 3 + i) + 0.1 * i;
    }

    /** The update of one number, in double: a reference written from the papers, not from the code under test. */
    private interface Rule {
        /** New value of element i. */
        double next(int step, int i, double value, double gradient);
    }

    private void followsReference(Function<List<Tensor>, Optimizer> make, Form form, Rule rule) {
        try (Tensor a = leaf(1, -2, 3); Tensor b = leaf(0.5); Optimizer o = make.apply(List.of(a, b))) {
            double[] expected = {1, -2, 3, 0.5};
            for (int s = 1; s <= STEPS; s++) {
                give(a, gradient(s, 0), gradient(s, 1), gradient(s, 2));
                give(b, gradient(s, 3));
                o.step();
                for (int i = 0; i < expected.length; i++) {
                    expected[i] = rule.next(s, i, expected[i], gradient(s, i));
                    double now = i < 3 ? a.toDoubleArray()[i] : b.toDoubleArray()[0];
                    assertEquals(expected[i], now, 1e-12, form + ", element " + i + " after step " + s);
                }
                o.zeroGrad();
            }
        }
    }

    private void give(Tensor leaf, double... values) {
        try (Tensor g = Tensor.of(doubles(), values, values.length)) {
            leaf.grad(g);
        }
    }

    private static <T extends Optimizer> T in(Form form, T optimizer) {
        optimizer.choose(form);
        return optimizer;
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void plainDescentFollowsTheGradient(Form form) {
        followsReference(p -> in(form, new SGD(p, LR)), form, (s, i, x, g) -> x - LR * g);
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void momentumWithDecayRemembersDirections(Form form) {
        double[] v = new double[4];
        followsReference(p -> in(form, new SGD(p, LR).momentum(0.9).dampening(0.1).weightDecay(0.01)), form,
                (s, i, x, g) -> {
                    double d = g + 0.01 * x;
                    v[i] = s == 1 ? d : 0.9 * v[i] + 0.9 * d;
                    return x - LR * v[i];
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void nesterovLooksAhead(Form form) {
        double[] v = new double[4];
        followsReference(p -> in(form, new SGD(p, LR).momentum(0.9).nesterov(true)), form, (s, i, x, g) -> {
            v[i] = s == 1 ? g : 0.9 * v[i] + g;
            return x - LR * (g + 0.9 * v[i]);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void adamDividesByTheRootOfTheSecondMoment(Form form) {
        double[] m = new double[4];
        double[] v = new double[4];
        followsReference(p -> in(form, new Adam(p, LR).weightDecay(0.02)), form, (s, i, x, g) -> {
            double d = g + 0.02 * x;
            m[i] = 0.9 * m[i] + 0.1 * d;
            v[i] = 0.999 * v[i] + 0.001 * d * d;
            return x - LR * (m[i] / (1 - Math.pow(0.9, s))) / (Math.sqrt(v[i] / (1 - Math.pow(0.999, s))) + 1e-8);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void adamWShrinksTheParameterFirst(Form form) {
        double[] m = new double[4];
        double[] v = new double[4];
        followsReference(p -> in(form, new AdamW(p, LR).betas(0.8, 0.95).maximize(true)), form, (s, i, x, g) -> {
            double kept = x * (1 - LR * 0.01);
            m[i] = 0.8 * m[i] - 0.2 * g;
            v[i] = 0.95 * v[i] + 0.05 * g * g;
            return kept
                    - LR * (m[i] / (1 - Math.pow(0.8, s))) / (Math.sqrt(v[i] / (1 - Math.pow(0.95, s))) + 1e-8);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FOR_LOOP", "FOREACH", "FUSED"})
    void amsgradKeepsTheLargestSecondMoment(Form form) {
        double[] m = new double[4];
        double[] v = new double[4];
        double[] most = new double[4];
        followsReference(p -> in(form, new Adam(p, LR).amsgrad(true)), form, (s, i, x, g) -> {
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            most[i] = Math.max(most[i], v[i]);
            return x
                    - LR * (m[i] / (1 - Math.pow(0.9, s))) / (Math.sqrt(most[i] / (1 - Math.pow(0.999, s))) + 1e-8);
        });
    }

    private record Cost(String name, Function<List<Tensor>, Optimizer> make, long kept, long onTop) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Two parameters of 1 MiB and one of 512 KiB; figures in KiB: what the first step keeps, and its peak above that. */
    static Stream<Cost> costs() {
        return Stream.of(new Cost("SGD", p -> new SGD(p, LR), 0, 0),
                new Cost("SGD momentum", p -> new SGD(p, LR).momentum(0.9), 2560, 0),
                // the L2 penalty's list of sums goes when the buffers, copies of it, take its place
                new Cost("SGD momentum, decay", p -> new SGD(p, LR).momentum(0.9).weightDecay(0.1), 2560, 2560),
                new Cost("AdamW foreach", p -> new AdamW(p, LR), 5120, 2560),
                // the last round holds the former denominator (1 MiB), a root and its quotient (0.5 MiB each); the
                // round before holds three of 1 MiB
                new Cost("AdamW for-loop", p -> new AdamW(p, LR).foreach(false), 5120, 3072),
                new Cost("Adam foreach, amsgrad", p -> new Adam(p, LR).amsgrad(true), 7680, 2560),
                // three step scalars of 4 bytes, 512 bytes each in the allocator
                new Cost("AdamW fused", p -> new AdamW(p, LR).fused(true), 5120, 0));
    }

    @ParameterizedTest
    @MethodSource("costs")
    void aStepCostsWhatItsFormNeeds(Cost cost) {
        TensorOptions on = TensorOptions.on(device);
        List<Tensor> params = Stream.of(1 << 18, 1 << 18, 1 << 17)
                .map(n -> Tensor.zeros(on, n).requiresGrad_(true)).toList();
        for (Tensor p : params) {
            try (Tensor g = p.onesLike()) {
                p.grad(g);
            }
        }
        long before = allocated();
        try (Optimizer o = cost.make.apply(params)) {
            Allocators.of(device).resetPeakMemoryStats();
            o.step();
            long scalars = o.takesGradScale() ? 3 * 512 : 0;
            assertEquals(cost.kept * 1024 + scalars, allocated() - before, "kept");
            assertEquals(cost.onTop * 1024, peak() - allocated(), "on top");
        }
        assertEquals(before, allocated(), "after close");
        params.forEach(Tensor::close);
        assertEquals(0, allocated());
    }

    private long allocated() {
        return Allocators.of(device).stats().allocatedBytes();
    }

    private long peak() {
        return Allocators.of(device).stats().peakAllocatedBytes();
    }

    @Test
    void zeroGradDropsGradientsOrFillsThemWithZeros() {
        try (Tensor a = leaf(1, 2); Optimizer o = new SGD(List.of(a), LR)) {
            give(a, 3, 4);
            o.zeroGrad(false);
            try (Tensor g = a.grad()) {
                assertEquals(0, g.toDoubleArray()[1]);
            }
            o.zeroGrad();
            assertNull(a.grad());
        }
    }

    @Test
    void aParameterWithoutGradientIsLeftAlone() {
        try (Tensor a = leaf(1); Tensor b = leaf(2); Optimizer o = new AdamW(List.of(a, b))) {
            give(a, 1);
            o.step();
            assertEquals(2, b.item());
            assertTrue(o.state(b).tensors().isEmpty());
        }
    }

    @Test
    void theStateIsGivenBackInTheParametersOrder() {
        // parameters of 100, 200, … doubles with two tensors of state each; sizes tell whose was freed
        List<Tensor> params = IntStream.rangeClosed(1, 20).mapToObj(i -> Tensor.zeros(doubles(), 100L * i)
                .requiresGrad_(true)).toList();
        Optimizer optimizer = new AdamW(params);
        for (Tensor p : params) {
            p.grad(Tensor.zeros(doubles(), p.numel()));
        }
        optimizer.step();
        List<Long> freed = new ArrayList<>();
        MemoryListener listener = new MemoryListener() {
            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                freed.add(requested);
            }
        };
        Allocators.of(device).addListener(listener);
        optimizer.close();
        Allocators.of(device).removeListener(listener);
        assertEquals(IntStream.range(2, 42).mapToObj(i -> i / 2 * 800L).toList(), freed);
    }

    @Test
    void groupsHaveTheirOwnSettings() {
        try (Tensor a = leaf(1); Tensor b = leaf(1); Optimizer o = new SGD(List.of(a), 0.1)) {
            o.addParamGroup(new ParamGroup(List.of(b)).lr(0.5));
            give(a, 1);
            give(b, 1);
            o.step();
            assertEquals(0.9, a.item(), 1e-15);
            assertEquals(0.5, b.item(), 1e-15);
        }
    }

    @Test
    void aFirstStepWithoutRoomForItsStateCanBeTriedAgain() {
        TensorOptions on = TensorOptions.on(device);
        // 8 MiB of parameters and 8 of gradients; moments of 2 x 8 MiB do not fit beside 40 MiB of 64
        try (Tensor p = Tensor.zeros(on, 2 << 20).requiresGrad_(true);
                Tensor g = p.onesLike();
                Tensor ballast = Tensor.zeros(on, 10 << 20);
                Optimizer o = new AdamW(List.of(p), LR)) {
            p.grad(g);
            long held = allocated();
            assertThrows(OutOfMemoryException.class, o::step);
            assertEquals(held, allocated());
            assertTrue(o.state(p).tensors().isEmpty());
            ballast.close();
            o.step();
            assertEquals(1, o.state(p).step());
        }
        assertEquals(0, allocated());
    }

    @Test
    void anOptionThatNeedsStateIsRefusedAfterTheStepThatMadeIt() {
        Tensor p = leaf(1, 2);
        p.grad(Tensor.of(doubles(), new double[]{1, 1}, 2));
        Adam adam = new Adam(List.of(p), LR);
        RMSprop rms = new RMSprop(List.of(p), LR);
        adam.step();
        rms.step();
        double before = p.get(0);
        for (Optimizer each : List.of(adam.amsgrad(true), rms.centered(true))) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, each::step);
            assertTrue(refused.getMessage().endsWith("Choose options before the first step, or make a new optimizer."),
                    refused.getMessage());
        }
        adam.amsgrad(false).fused(true);
        assertTrue(assertThrows(IllegalStateException.class, adam::step).getMessage().startsWith(
                "Adam is to step with the state \"step\", which an option needs. There is [exp_avg, exp_avg_sq]"));
        assertEquals(before, p.get(0));
        adam.fused(false).step();
    }

    @Test
    void misuseIsRefusedInOneLine() {
        try (Tensor a = leaf(1); Tensor y = a.mul(2.0)) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SGD(List.of(), LR)).getMessage()
                    .contains("empty parameter list"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SGD(List.of(y), LR)).getMessage()
                    .contains("can't optimize a non-leaf"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SGD(List.of(a, a), LR)).getMessage()
                    .contains("twice"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SGD(List.of(a), -1)).getMessage()
                    .contains("Invalid lr value: -1.0"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new AdamW(List.of(a)).betas(1, 0.9))
                    .getMessage().contains("beta1"));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> new SGD(List.of(a), LR).nesterov(true))
                    .getMessage().contains("requires a momentum"));
        }
    }
}
