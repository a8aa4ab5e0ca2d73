package io.vramlab.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.Edge;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.type.AutogradException;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gradients of gradients, and gradients of those, against central differences, in float64 on the simulated device. */
class SecondGradientTest {

    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 2e-6;

    @ParameterizedTest
    @MethodSource("io.vramlab.autograd.SecondGradientCases#twice")
    void gradientsOfGradientsOfNormsAreTheSlopes(SecondGradientCases.Case c) {
        isTheSlope(c, slope(a -> number(c.function().apply(a))));
        try (Scope s = Scope.open()) {
            Tensor[] x = leaves(c, inputs(c));
            Tensor once = slope(a -> number(c.function().apply(a))).apply(x);
            assertThrows(AutogradException.class, () -> Autograd.grad(once, true, x));
        }
    }

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    /** A number of the results that is not linear in them, so that the incoming gradient of the operation has one itself. */
    private static Tensor number(Tensor y) {
        return y.mul(y).mul(y).mul(SecondGradientCases.constant(7, y.shape())).sum();
    }

    /** A number of the gradients of what {@code f} gives, as part of the graph. */
    private static Function<Tensor[], Tensor> slope(Function<Tensor[], Tensor> f) {
        return inputs -> {
            Tensor[] gradients = Autograd.grad(new Tensor[]{f.apply(inputs)}, inputs, null, true, true, false);
            Tensor sum = null;
            for (int i = 0; i < gradients.length; i++) {
                Tensor each = gradients[i].mul(SecondGradientCases.constant(11 + i, gradients[i].shape())).sum();
                sum = sum == null ? each : sum.add(each);
            }
            return sum;
        };
    }

    private static Tensor[] leaves(SecondGradientCases.Case c, double[][] inputs) {
        Tensor[] out = new Tensor[inputs.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = Tensor.of(TensorOptions.of(DType.FLOAT64).requiresGrad(true), inputs[i], c.shapes()[i]);
        }
        return out;
    }

    private static double[][] inputs(SecondGradientCases.Case c) {
        double[][] inputs = new double[c.shapes().length][];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = SecondGradientCases.values(i + 1, c.shapes()[i]);
        }
        return inputs;
    }

    private void isTheSlope(SecondGradientCases.Case c, Function<Tensor[], Tensor> f) {
        double[][] inputs = inputs(c);
        double[][] gradients = new double[inputs.length][];
        try (Scope s = Scope.open()) {
            Tensor[] leaves = leaves(c, inputs);
            Tensor y = f.apply(leaves);
            assertTrue(y.requiresGrad(), c + " lost its graph");
            Tensor[] found = Autograd.grad(new Tensor[]{y}, leaves, null, false, false, true);
            for (int i = 0; i < found.length; i++) {
                gradients[i] = found[i] == null ? new double[inputs[i].length] : found[i].toDoubleArray();
            }
        }
        for (int i = 0; i < inputs.length; i++) {
            for (int j = 0; j < inputs[i].length; j++) {
                double x = inputs[i][j];
                inputs[i][j] = x + STEP;
                double above = evaluate(c, f, inputs);
                inputs[i][j] = x - STEP;
                double below = evaluate(c, f, inputs);
                inputs[i][j] = x;
                double slope = (above - below) / (2 * STEP);
                assertEquals(slope, gradients[i][j], TOLERANCE * (1 + Math.abs(slope)),
                        c + ": gradient " + j + " of argument " + i);
            }
        }
        assertEquals(0, Allocators.of(device).stats().allocatedBytes(), c + " left something allocated");
    }

    private static double evaluate(SecondGradientCases.Case c, Function<Tensor[], Tensor> f, double[][] inputs) {
        try (Scope s = Scope.open()) {
            return f.apply(leaves(c, inputs)).item();
        }
    }

    private static void collect(Node node, Set<Node> seen, Set<String> names) {
        if (node != null && seen.add(node)) {
            names.add(node.name());
            for (Edge e : node.next()) {
                collect(e == null ? null : e.node(), seen, names);
            }
        }
    }

    @Test
    void everyNodeThatSaysItIsDifferentiableIsDifferentiatedHere() throws ReflectiveOperationException {
        Field list = Class.forName("io.vramlab.tensor.internal.core.Differentiable").getDeclaredField("NAMES");
        list.setAccessible(true);
        Set<String> left = new TreeSet<>();
        ((Set<?>) list.get(null)).forEach(name -> left.add((String) name));
        Stream.concat(SecondGradientCases.operations(), SecondGradientCases.twice()).forEach(c -> {
            try (Scope s = Scope.open()) {
                Set<String> names = new TreeSet<>();
                // walked by the first pass with createGraph, and by the second
                Tensor y = number(c.function().apply(leaves(c, inputs(c))));
                collect(y.impl().gradFn(), new HashSet<>(), names);
                Tensor z = slope(a -> number(c.function().apply(a))).apply(leaves(c, inputs(c)));
                collect(z.impl().gradFn(), new HashSet<>(), names);
                left.removeAll(names);
            }
        });
        assertEquals(Set.of(), left);
    }

    private static Tensor leaf(double... values) {
        return Tensor.of(TensorOptions.of(DType.FLOAT64).requiresGrad(true), values, values.length);
    }

    @Test
    void whatHasNoSecondDerivativeHereRefusesByName() {
        try (Scope s = Scope.open()) {
            Tensor x = leaf(0.25, 0.5, 0.75);
            Tensor y = x.erfinv().sum();
            String told = assertThrows(AutogradException.class, () -> Autograd.grad(y, true, x)).getMessage();
            assertTrue(told.contains("createGraph was asked for through ErfinvBackward0")
                    && told.contains("not differentiable here") && told.contains("walk it without createGraph"), told);
        }
        assertEquals(0, Allocators.of(device).stats().allocatedBytes(), "left allocated");
    }

    @Test
    void anUnusedInputIsRefusedUnlessItIsAllowed() {
        try (Scope s = Scope.open()) {
            Tensor x = leaf(1, 2);
            Tensor other = leaf(3);
            Tensor y = x.mul(x).sum();
            assertThrows(AutogradException.class, () -> Autograd.grad(y, true, x, other));
            Tensor[] found = Autograd.grad(new Tensor[]{y}, new Tensor[]{x, other}, null, true, false, true);
            assertArrayEquals(new double[]{2, 4}, found[0].toDoubleArray());
            assertNull(found[1]);
            assertFalse(found[0].requiresGrad(), "without createGraph a gradient is a constant");
        }
    }

    @Test
    void severalOutputsAreOnePass() {
        try (Scope s = Scope.open()) {
            Tensor x = leaf(1, 2);
            Tensor cube = x.pow(3);
            Tensor[] found = Autograd.grad(new Tensor[]{cube, x.mul(5).sum()}, new Tensor[]{x},
                    new Tensor[]{Tensor.of(TensorOptions.of(DType.FLOAT64), new double[]{1, 10}, 2), null}, false,
                    false,
                    false);
            assertArrayEquals(new double[]{3 + 5, 120 + 5}, found[0].toDoubleArray());
        }
    }

    @Test
    void gradientsKeptByBackwardAreSummedOutOfPlaceAndWalked() {
        Tensor x = leaf(1, 2);
        try (Scope s = Scope.open()) {
            x.pow(3).sum().backward(null, true, true);
            Tensor first = x.grad();
            x.pow(2).sum().backward(null, true, true);
            assertArrayEquals(new double[]{3, 12}, first.toDoubleArray(), "the first gradient was changed in place");
            assertArrayEquals(new double[]{3 + 2, 12 + 4}, x.grad().toDoubleArray());
            // (3 x^2 + 2 x)' = 6 x + 2
            assertArrayEquals(new double[]{8, 14}, Autograd.grad(x.grad().sum(), x)[0].toDoubleArray());
        }
        // the circle of leaf, gradient and graph
        assertTrue(Allocators.of(device).stats().allocatedBytes() > 0);
        x.grad(null);
        x.close();
        assertEquals(0, Allocators.of(device).stats().allocatedBytes(), "left allocated");
    }

    @Test
    void aCheckpointedPartKeepsItsGraph() {
        try (Scope s = Scope.open()) {
            Tensor x = leaf(0.3, 0.6);
            Tensor w = leaf(2, 3);
            Tensor plain = Autograd.grad(x.mul(w).tanh().pow(2).sum(), true, x)[0].pow(2).sum();
            double[] wanted = Autograd.grad(plain, w)[0].toDoubleArray();
            Tensor part = Checkpoint.checkpoint(t -> t.mul(w).tanh().pow(2), x).sum();
            double[] found = Autograd.grad(Autograd.grad(part, true, x)[0].pow(2).sum(), w)[0].toDoubleArray();
            assertArrayEquals(wanted, found, 1e-12);
        }
    }

    @Test
    void aFunctionOfOnesOwnIsDifferentiatedThroughItsBackward() {
        class Cube extends AutogradFunction {
            @Override
            protected Tensor[] forward(Context ctx, Tensor... inputs) {
                ctx.saveForBackward(inputs[0]);
                return outputs(inputs[0].pow(3));
            }

            @Override
            protected Tensor[] backward(Context ctx, Tensor... gradients) {
                return gradients(gradients[0].mul(ctx.savedTensors()[0].pow(2).mul(3)));
            }
        }
        try (Scope s = Scope.open()) {
            Tensor x = leaf(1, 2);
            Tensor slope = Autograd.grad(new Cube().apply(x).sum(), true, x)[0];
            assertArrayEquals(new double[]{6, 12}, Autograd.grad(slope.sum(), x)[0].toDoubleArray(), 1e-12);
        }
    }

    @Test
    void onlyGradientsThatLeadToAWantedInputAreComputed() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.rand(TensorOptions.of(DType.FLOAT32).requiresGrad(true), 256, 256);
            Tensor w = Tensor.rand(TensorOptions.of(DType.FLOAT32).requiresGrad(true), 256, 256);
            Tensor y = x.mm(w).sum();
            long before = Allocators.of(device).stats().allocatedBytes();
            Allocators.of(device).resetPeakMemoryStats();
            Autograd.grad(y, x);
            // a scalar of one block of 512 bytes, a dense copy of it that the product reads, and the gradient: none for w
            long matrix = 256 * 256 * 4;
            assertEquals(512 + 2 * matrix, Allocators.of(device).stats().peakAllocatedBytes() - before);
        }
    }

    @ParameterizedTest
    @MethodSource("io.vramlab.autograd.SecondGradientCases#operations")
    void gradientsOfGradientsAreTheSlopes(SecondGradientCases.Case c) {
        isTheSlope(c, slope(a -> number(c.function().apply(a))));
    }

    @ParameterizedTest
    @MethodSource("io.vramlab.autograd.SecondGradientCases#operations")
    void andSoAreThoseOfThem(SecondGradientCases.Case c) {
        isTheSlope(c, slope(slope(a -> number(c.function().apply(a)))));
    }
}
