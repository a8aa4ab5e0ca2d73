package io.vramlab.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.Device;
import io.vramlab.nn.GradientClipping;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static Tensor leaf(float... values) {
        return Tensor.of(TensorOptions.on(Device.cpu()), values, values.length).requiresGrad_(true);
    }

    private static void follows(Function<Optimizer, Scheduler> make, long steps, LongToDoubleFunction expected) {
        try (Tensor p = leaf(1); Optimizer optimizer = new SGD(List.of(p), 0.5)) {
            Scheduler scheduler = make.apply(optimizer);
            for (long i = 0; i < steps; i++) {
                assertEquals(expected.applyAsDouble(i), scheduler.getLastLr().getFirst(), 1e-12, "step " + i);
                assertEquals(i, scheduler.lastEpoch());
                scheduler.step();
            }
        }
    }

    @Test
    void stairsGoDownEverySoManySteps() {
        follows(o -> new StepLR(o, 3, 0.1), 9, i -> i < 3 ? 0.5 : i < 6 ? 0.05 : 0.005);
    }

    @Test
    void theCosineEndsAtTheLowestRate() {
        // half way it stands in the middle between 0.5 and 0.1
        follows(o -> new CosineAnnealingLR(o, 10, 0.1), 11,
                i -> i == 5 ? 0.3 : 0.1 + 0.4 * (0.5 + 0.5 * Math.cos(i * Math.PI / 10)));
    }

    @Test
    void aFunctionScalesTheFirstRate() {
        follows(o -> new LambdaLR(o, i -> 1.0 / (1 + i)), 5, i -> 0.5 / (1 + i));
    }

    @Test
    void oneCycleRisesAndFalls() {
        try (Tensor p = leaf(1); Optimizer optimizer = new SGD(List.of(p), 0.5)) {
            Scheduler cycle = new OneCycleLR(optimizer, 1, 11);
            assertEquals(0.04, cycle.getLastLr().getFirst(), 1e-12);
            double highest = 0;
            for (int i = 0; i < 10; i++) {
                cycle.step();
                highest = Math.max(highest, cycle.getLastLr().getFirst());
            }
            // 30 % of 11 steps, less one, is 2.3: the top lies between steps 2 and 3
            assertEquals(1, highest, 0.05);
            assertEquals(0.04 / 1e4, cycle.getLastLr().getFirst(), 1e-12);
        }
    }

    @Test
    void aScheduleWithoutStepsIsRefused() {
        try (Tensor p = leaf(1); Optimizer optimizer = new SGD(List.of(p), 0.5)) {
            assertThrows(IllegalArgumentException.class, () -> new StepLR(optimizer, 0));
            assertThrows(IllegalArgumentException.class, () -> new CosineAnnealingLR(optimizer, 0));
            assertThrows(IllegalArgumentException.class, () -> new OneCycleLR(optimizer, 1, 1));
        }
    }

    @Test
    void clippingScalesAllGradientsTogether() {
        try (Tensor a = leaf(0, 0); Tensor b = leaf(0); Tensor ga = leaf(3, 0); Tensor gb = leaf(4)) {
            a.grad(ga.detach());
            b.grad(gb.detach());
            // the norm of (3, 0, 4) is 5
            try (Tensor norm = GradientClipping.clipGradNorm(List.of(a, b), 1)) {
                assertEquals(5, norm.item(), 1e-6);
            }
            try (Tensor after = a.grad(); Tensor other = b.grad()) {
                assertEquals(0.6, after.toFloatArray()[0], 1e-6);
                assertEquals(0.8, other.toFloatArray()[0], 1e-6);
            }
            try (Tensor norm = GradientClipping.clipGradNorm(List.of(a, b), 10)) {
                assertEquals(1, norm.item(), 1e-5);
            }
            try (Tensor after = a.grad()) {
                assertEquals(0.6, after.toFloatArray()[0], 1e-6);
            }
            GradientClipping.clipGradValue(List.of(a, b), 0.5);
            try (Tensor after = a.grad()) {
                assertEquals(0.5, after.toFloatArray()[0], 1e-6);
            }
        }
    }
}
