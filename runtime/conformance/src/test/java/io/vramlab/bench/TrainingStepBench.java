package io.vramlab.bench;

import io.vramlab.device.Device;
import io.vramlab.device.DType;
import io.vramlab.nn.CrossEntropyLoss;
import io.vramlab.nn.Linear;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.AdamW;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.Locale;

/**
 * Times one training step of a 784-1024-1024-10 perceptron at batch 256 with AdamW in its three forms, for people to run;
 * no test. Its large matrix products (two forward, three backward) are 2.4 GFLOP.
 */
public final class TrainingStepBench {

    private static final int STEPS = 30;

    private TrainingStepBench() {
    }

    /** The argument is a device, "1GiB" (simulated) if none. */
    public static void main(String[] args) {
        Device.set(Device.simulated(args.length > 0 ? args[0] : "1GiB"));
        for (String form : new String[]{"for-loop", "foreach", "fused"}) {
            System.out.println(run(form));
        }
    }

    private static String run(String form) {
        try (Scope all = Scope.open()) {
            Sequential net = new Sequential(new Linear(784, 1024), new ReLU(), new Linear(1024, 1024), new ReLU(),
                    new Linear(1024, 10));
            AdamW optimizer = new AdamW(net.parameters(), 1e-3).foreach(form.equals("foreach"))
                    .fused(form.equals("fused"));
            Tensor x = Tensor.randn(256, 784);
            Tensor y = Tensor.randint(0, 10, 256).to(DType.INT64);
            double[] millis = new double[STEPS];
            double loss = 0;
            for (int i = 0; i < STEPS; i++) {
                long start = System.nanoTime();
                try (Scope step = Scope.open()) {
                    optimizer.zeroGrad();
                    Tensor error = new CrossEntropyLoss().call(net.call(x), y);
                    error.backward();
                    optimizer.step();
                    loss = error.item();
                }
                millis[i] = (System.nanoTime() - start) / 1e6;
            }
            double first = millis[0];
            Arrays.sort(millis);
            return String.format(Locale.ROOT, "%-8s first %.0f ms, median %.1f ms, best %.1f ms, loss %.4f", form,
                    first,
                    millis[STEPS / 2], millis[0], loss);
        }
    }
}
