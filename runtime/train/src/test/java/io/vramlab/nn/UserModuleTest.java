package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.LiveTensors;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Training as a user writes it: no close anywhere in the model or the loop. */
class UserModuleTest {

    private static final int STEPS = 1000;
    private static final long BATCH = 64;
    private static final long WIDTH = 256;

    private final Device before = Device.current();
    private Device device;

    @BeforeEach
    void remember() {
        device = null;
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private static final class Net extends Module {
        private final Linear first = new Linear(WIDTH, WIDTH);
        private final Linear second = new Linear(WIDTH, 1);

        @Override
        public Tensor forward(Tensor x) {
            Tensor a = first.call(x);
            Tensor b = a.relu();
            Tensor c = b.mul(b);
            Tensor d = c.add(x);
            Tensor e = d.tanh();
            Tensor f = e.sub(c);
            return second.call(f);
        }
    }

    private void on(String capacity) {
        device = Device.simulated(capacity);
        Device.set(device);
        Tensor.manualSeed(1);
    }

    private static void step(Net net, Optimizer optimizer) {
        Tensor x = Tensor.randn(BATCH, WIDTH);
        Tensor y = net.call(x);
        Tensor loss = Functional.mseLoss(y, Tensor.zeros(BATCH, 1), Reduction.MEAN);
        loss.backward();
        optimizer.step();
        optimizer.zeroGrad();
    }

    @Test
    void withAScopePerStepEveryStepPeaksAtTheSameHeight() {
        on("64MiB");
        try (Net net = new Net(); Optimizer optimizer = new SGD(net.parameters(), 1e-3)) {
            long first = 0;
            for (int i = 0; i < STEPS; i++) {
                Allocators.of(device).resetPeakMemoryStats();
                try (Scope scope = Scope.open()) {
                    step(net, optimizer);
                }
                long peak = Allocators.of(device).stats().peakAllocatedBytes();
                first = i == 0 ? peak : first;
                assertEquals(first, peak, "peak of step " + i);
            }
        }
        assertEquals(0, Allocators.of(device).stats().allocatedBytes());
    }

    @Test
    void withoutAnyScopeTheCollectorHelpsAndIsCounted() {
        // a step makes about 0.8 MiB, and memory comes in segments of 2 MiB: here there is room for about three steps
        on("4MiB");
        long collectedBefore = LiveTensors.collectedUnderPressure().handles();
        Net net = new Net();
        try (Optimizer optimizer = new SGD(net.parameters(), 1e-3)) {
            for (int i = 0; i < STEPS; i++) {
                step(net, optimizer);
            }
        }
        assertTrue(LiveTensors.collectedUnderPressure().handles() > collectedBefore, "the collector was asked");
        net.close();
    }
}
