package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.AutogradFunction;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.CustomOptimizer;
import io.vramlab.optim.LBFGS;
import io.vramlab.optim.ParamGroup;
import io.vramlab.optim.ParamState;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.AutogradException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users add: operations with a backward of their own, modules of several tensors, optimizers, hooks. */
class ExtensionPointsTest {

    private Device device;

    @BeforeEach
    void aGpu() {
        device = Device.simulated("1GiB");
        Device.set(device);
    }

    @AfterEach
    void close() {
        Device.set(Device.cpu());
        device.close();
    }

    /** The product and the sum of two tensors. */
    static final class ProductAndSum extends AutogradFunction {

        @Override
        protected Tensor[] forward(Context ctx, Tensor... inputs) {
            ctx.saveForBackward(inputs[0], inputs[1]);
            return outputs(inputs[0].mul(inputs[1]), inputs[0].add(inputs[1]));
        }

        @Override
        protected Tensor[] backward(Context ctx, Tensor... gradients) {
            Tensor[] saved = ctx.savedTensors();
            return gradients(gradients[0].mul(saved[1]).add(gradients[1]),
                    gradients[0].mul(saved[0]).add(gradients[1]));
        }
    }

    @Test
    void aFunctionOfSeveralOutputsHasTheGradientsThatItSays() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(2f, 3f).requiresGrad_(true);
            Tensor y = Tensor.of(5f, 7f).requiresGrad_(true);
            Tensor[] both = new ProductAndSum().applyAll(x, y);
            assertEquals("ProductAndSumBackward", both[0].gradFn());
            both[0].add(both[1].mul(10)).sum().backward();
            assertArrayEquals(new float[]{15, 17}, x.grad().toFloatArray());
            assertArrayEquals(new float[]{12, 13}, y.grad().toFloatArray());
        }
    }

    @Test
    void anOutputThatNobodyUsesGivesZerosToBackward() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(2f, 3f).requiresGrad_(true);
            Tensor y = Tensor.of(5f, 7f);
            new ProductAndSum().apply(x, y).sum().backward();
            assertArrayEquals(new float[]{5, 7}, x.grad().toFloatArray());
        }
    }

    @Test
    void whatAFunctionMakesOnTheWayGoesAtOnceAndWhatItSavesWithBackward() {
        long before = allocated();
        Tensor x = Tensor.ones(128).requiresGrad_(true);
        AutogradFunction twice = new AutogradFunction() {
            @Override
            protected Tensor[] forward(Context ctx, Tensor... inputs) {
                Tensor half = inputs[0].mul(0.5).add(1);
                ctx.saveForBackward(half);
                return outputs(half.mul(4));
            }

            @Override
            protected Tensor[] backward(Context ctx, Tensor... gradients) {
                return gradients(gradients[0].mul(ctx.savedTensors()[0]));
            }
        };
        Tensor y = twice.apply(x);
        // x, what is saved, y: three tensors of 512 bytes, and no fourth
        assertEquals(3 * 512, allocated() - before);
        try (Tensor g = Tensor.ones(128)) {
            y.backward(g, false);
        }
        // x, its gradient, y
        assertEquals(3 * 512, allocated() - before);
        x.close();
        y.close();
        assertEquals(before, allocated());
    }

    private long allocated() {
        return Allocators.of(device).stats().get("allocated_bytes.all.current");
    }

    @Test
    void aFunctionThatForgetsAGradientIsToldSo() {
        AutogradFunction wrong = new AutogradFunction() {
            @Override
            protected Tensor[] forward(Context ctx, Tensor... inputs) {
                return outputs(inputs[0].add(inputs[1]));
            }

            @Override
            protected Tensor[] backward(Context ctx, Tensor... gradients) {
                return gradients(gradients[0]);
            }
        };
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.ones(2).requiresGrad_(true);
            Tensor y = wrong.apply(x, x).sum();
            AutogradException e = assertThrows(AutogradException.class, y::backward);
            assertTrue(e.getMessage().contains("expected 2, got 1"), e.getMessage());
        }
    }

    /** Momentum, as the Javadoc of CustomOptimizer writes it. */
    static final class Momentum extends CustomOptimizer {

        Momentum(List<Parameter> params, double lr) {
            super(params, Map.of("lr", lr, "momentum", 0.9));
        }

        @Override
        protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
            Tensor velocity = state.zeros("velocity", param);
            velocity.mul_(group.get("momentum")).add_(grad);
            param.sub_(velocity, group.get("lr"));
        }
    }

    @Test
    void anOptimizerOfOnesOwnRemembersAndSteps() {
        Parameter p = new Parameter(Tensor.of(1f, 2f));
        try (Momentum optimizer = new Momentum(List.of(p), 0.5); Tensor g = Tensor.of(1f, 1f)) {
            p.grad(g);
            optimizer.step();
            optimizer.step();
            // 1 - 0.5 * 1 - 0.5 * 1.9
            assertArrayEquals(new float[]{-0.45f, 0.55f}, p.toFloatArray(), 1e-6f);
            assertEquals(2, optimizer.state(p).step());
            assertArrayEquals(new float[]{1.9f, 1.9f}, optimizer.state(p).tensor("velocity").toFloatArray(), 1e-6f);
        }
        p.close();
    }

    @Test
    void lbfgsFindsTheMinimumOfRosenbrocksValley() {
        Parameter p = new Parameter(Tensor.of(-1.2f, 1f));
        try (LBFGS optimizer = new LBFGS(List.of(p), 0.5).maxIter(60)) {
            double last = 0;
            for (int i = 0; i < 5; i++) {
                last = optimizer.step(() -> {
                    optimizer.zeroGrad();
                    Tensor x = p.index(0);
                    Tensor y = p.index(1);
                    Tensor loss = x.rsub(1).square().add(y.sub(x.square()).square().mul(100));
                    loss.backward();
                    return loss;
                });
            }
            assertEquals(0, last, 1e-4);
            assertArrayEquals(new float[]{1, 1}, p.toFloatArray(), 1e-2f);
            assertThrows(IllegalStateException.class, optimizer::step);
        }
        p.close();
    }

    /** Two inputs, two outputs. */
    static final class Gate extends Module {

        final Linear left = new Linear(4, 4);
        final Linear right = new Linear(4, 4);

        Tensor[] call(Tensor x, Tensor y) {
            Tensor gate = left.call(x).sigmoid();
            return new Tensor[]{gate.mul(right.call(y)), gate};
        }

        @Override
        public Tensor forward(Tensor input) {
            return call(input, input)[0];
        }
    }

    @Test
    void aModuleMayTakeAndGiveSeveralTensors() {
        try (Gate gate = new Gate(); Scope scope = Scope.open()) {
            Tensor[] out = gate.call(Tensor.randn(2, 4), Tensor.randn(2, 4));
            out[0].sum().add(out[1].sum()).backward();
            assertEquals(4, gate.parameters().size());
            gate.parameters().forEach(p -> assertTrue(p.grad() != null));
        }
    }

    /** The output layer shares the embedding's weight. */
    static final class Tied extends Module {

        final Embedding embedding = new Embedding(10, 4);
        final Parameter weight = embedding.weight;

        @Override
        public Tensor forward(Tensor input) {
            return embedding.call(input).matmul(weight.t());
        }
    }

    @Test
    void aTiedWeightIsOneParameter() {
        try (Tied model = new Tied(); Scope scope = Scope.open()) {
            assertEquals(1, model.parameters().size());
            assertSame(model.embedding.weight, model.weight);
            model.call(Tensor.of(1L, 2L)).sum().backward();
            assertEquals(40, model.weight.grad().numel());
        }
    }

    @Test
    void aTensorsHookSeesAndChangesTheGradient() {
        List<Double> seen = new ArrayList<>();
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(2f).requiresGrad_(true);
            Tensor y = x.mul(3);
            y.registerHook(g -> {
                seen.add(g.item());
                return g.mul(10);
            });
            y.sum().backward();
            assertEquals(List.of(1.0), seen);
            assertEquals(30, x.grad().item());
        }
    }

    @Test
    void whatIsWrittenToAViewIsPartOfTheGraph() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensor.of(1f, 2f, 3f, 4f).requiresGrad_(true);
            Tensor w = Tensor.of(10f, 20f).requiresGrad_(true);
            Tensor c = x.mul(2);
            Tensor view = c.index("1:3");
            view.mul_(w);
            assertEquals("CopySlices", c.gradFn());
            // c = [2, 40, 120, 8]; the view shows its middle
            c.square().sum().add(view.sum()).backward();
            // d/dx: 2 c 2, in the middle (2 c + 1) w 2
            assertArrayEquals(new float[]{8, 81 * 20, 241 * 40, 32}, x.grad().toFloatArray(), 1e-3f); // pow, on a GPU
            // d/dw: (2 c + 1) 2 x
            assertArrayEquals(new float[]{81 * 4, 241 * 6}, w.grad().toFloatArray(), 1e-3f); // pow, on a GPU
        }
    }

    @Test
    void anAssignmentPutsGradientsWhereTheValueCameFrom() {
        try (Scope scope = Scope.open()) {
            Tensor rows = Tensor.of(5f, 6f).requiresGrad_(true);
            Tensor out = Tensor.zeros(3, 2);
            out.set(rows, 1);
            out.set(7, 2, 0);
            assertTrue(out.requiresGrad());
            out.sum().backward();
            assertArrayEquals(new float[]{1, 1}, rows.grad().toFloatArray());
            assertArrayEquals(new float[]{0, 0, 5, 6, 7, 0}, out.toFloatArray());
        }
    }
}
