package io.vramlab.distributions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What distributions are and refuse; what they take and give is compared with a recording in conformance. */
class DistributionsTest {

    private final Device before = Device.current();
    private Device device;

    @BeforeEach
    void on() {
        device = Device.simulated("64MiB");
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Device.set(before);
        device.close();
    }

    @Test
    void shapesAreThoseOfSampleBatchAndEvent() {
        Normal normal = new Normal(Tensor.zeros(3, 1), Tensor.ones(2));
        assertArrayEquals(new long[]{3, 2}, normal.batchShape());
        assertArrayEquals(new long[]{5, 4, 3, 2}, normal.sample(5, 4).shape());
        Independent rows = new Independent(normal, 1);
        assertArrayEquals(new long[]{2}, rows.eventShape());
        assertArrayEquals(new long[]{3}, rows.logProb(rows.sample()).shape());
        assertArrayEquals(new long[]{7, 3}, new Categorical(Tensor.ones(3, 4)).sample(7).shape());
        assertArrayEquals(new long[]{3, 4}, new Dirichlet(Tensor.ones(3, 4)).rsample().shape());
    }

    @Test
    void parametersAndValuesAreCheckedUnlessThatIsSwitchedOff() {
        Tensor zero = Tensor.zeros(3);
        Tensor minus = Tensor.of(1f, -1f, 1f);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Normal(zero, minus)).getMessage()
                .startsWith("Expected parameter scale (Tensor of shape [3]) of distribution Normal(batch [3], event [])"
                        + " to satisfy the constraint GreaterThan(lower_bound=0.0)"));
        new Normal(zero, minus, false);
        Bernoulli coin = new Bernoulli(Tensor.full(.5, 3));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> coin.logProb(minus)).getMessage()
                .contains("to be within the support (Boolean())"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> coin.logProb(Tensor.ones(2))).getMessage()
                .startsWith("Value is not broadcastable with batch_shape+event_shape"));
        assertThrows(IllegalArgumentException.class, () -> new Categorical(null, null));
        assertThrows(IllegalArgumentException.class, () -> new Independent(coin, 2));
        Distribution.setDefaultValidateArgs(false);
        try {
            new Normal(zero, minus);
        } finally {
            Distribution.setDefaultValidateArgs(true);
        }
    }

    @Test
    void whatHasNoFormulaSaysSo() {
        assertTrue(assertThrows(UnsupportedOperationException.class,
                () -> new Categorical(Tensor.ones(3)).rsample()).getMessage()
                .contains("A Categorical was asked for rsample"));
        assertTrue(assertThrows(UnsupportedOperationException.class,
                () -> Distribution.klDivergence(new Normal(0, 1), new Poisson(2.))).getMessage()
                .contains("Normal from a Poisson"));
    }

    @Test
    void drawsFollowTheirDistribution() {
        Tensor.manualSeed(3);
        Gamma gamma = new Gamma(Tensor.full(3, 4000), Tensor.full(2, 4000));
        // the mean of 4000 draws is within five of its deviations, sqrt(3) / 2 / sqrt(4000)
        assertEquals(1.5, gamma.sample().mean().item(), .07);
        Beta beta = new Beta(Tensor.full(2, 4000), Tensor.full(6, 4000));
        assertEquals(.25, beta.sample().mean().item(), .012);
    }

    @Test
    void aGammaDrawMovesWithItsShape() {
        Tensor.manualSeed(5);
        Tensor alpha = Tensor.full(2.5, 6).requiresGrad_(true);
        Tensor x = new Gamma(alpha, 1).rsample();
        x.sum().backward();
        // of draws of one shape the larger ones move more, near 1 at the median
        for (float slope : alpha.grad().toFloatArray()) {
            assertTrue(slope > 0 && slope < 2.5, "slope " + slope);
        }
    }

    @Test
    void aTransformGivesBackWhatItRemembers() {
        TransformedDistribution squashed = new TransformedDistribution(new Normal(Tensor.zeros(4), Tensor.ones(4)),
                new TanhTransform(1));
        Tensor action = squashed.rsample();
        long with = Cuda.memoryAllocated();
        Cuda.resetPeakMemoryStats();
        assertEquals(4, squashed.logProb(action).numel());
        assertTrue(Cuda.maxMemoryAllocated() > with);
    }
}
