package io.vramlab.bench;

import io.vramlab.amp.Autocast;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Times training steps of ResNet-50, GPT-2 small and a language model of two LSTM layers on a real GPU, for people to run; no
 * test. {@code oracle/models/speed.py} times the same in PyTorch and prints the same lines: ten steps first, then the median
 * and the least of batches of five.
 */
public final class ModelStepBench {

    private static final int WARM = 10;
    private static final int BATCHES = 9;
    private static final int STEPS = 5;

    private ModelStepBench() {
    }

    /** The argument is a device, "cuda:0" if none. */
    public static void main(String[] args) {
        Device.set(Device.select(args.length > 0 ? args[0] : "cuda:0"));
        resNet("resnet50 32x224 float32", 32, 224, null);
        resNet("resnet50 64x224 autocast bfloat16", 64, 224, DType.BFLOAT16);
        resNet("resnet50 16x64 float32", 16, 64, null);
        gpt("gpt2 8x1024 autocast bfloat16", 8);
        lstm("lstm 2x1024 128x64 float32");
    }

    private static void resNet(String name, int batch, int size, DType cast) {
        try (Scope all = Scope.open()) {
            BenchedModels.ResNet50 net = new BenchedModels.ResNet50(1000);
            Tensor x = Tensor.randn(batch, 3, size, size);
            Tensor y = Tensor.randint(0, 1000, batch).to(DType.INT64);
            timed(name, new SGD(net.parameters(), 0.01).momentum(0.9), cast,
                    () -> Functional.crossEntropy(net.call(x), y));
        }
    }

    private static void gpt(String name, int batch) {
        try (Scope all = Scope.open()) {
            BenchedModels.Gpt net = new BenchedModels.Gpt();
            Tensor x = Tensor.randint(0, BenchedModels.Gpt.WORDS, batch, BenchedModels.Gpt.LENGTH).to(DType.INT64);
            timed(name, new AdamW(net.parameters(), 1e-4).fused(true), DType.BFLOAT16, () -> {
                Tensor logits = net.call(x);
                return Functional.crossEntropy(logits.view(-1, logits.size(-1)), x.view(-1));
            });
        }
    }

    private static void lstm(String name) {
        try (Scope all = Scope.open()) {
            BenchedModels.LstmLm net = new BenchedModels.LstmLm();
            Tensor x = Tensor.randint(0, BenchedModels.LstmLm.WORDS, 128, 64).to(DType.INT64);
            timed(name, new SGD(net.parameters(), 0.1), null, () -> {
                Tensor logits = net.call(x);
                return Functional.crossEntropy(logits.view(-1, logits.size(-1)), x.view(-1));
            });
        }
    }

    private static void timed(String name, Optimizer optimizer, DType cast, Supplier<Tensor> loss) {
        for (int i = 0; i < WARM; i++) {
            step(optimizer, cast, loss);
        }
        Device.current().synchronize();
        double[] millis = new double[BATCHES];
        for (int b = 0; b < BATCHES; b++) {
            long start = System.nanoTime();
            for (int i = 0; i < STEPS; i++) {
                step(optimizer, cast, loss);
            }
            Device.current().synchronize();
            millis[b] = (System.nanoTime() - start) / 1e6 / STEPS;
        }
        Arrays.sort(millis);
        System.out.printf(Locale.ROOT, "%-36s median %.2f ms, least %.2f%n", name, millis[BATCHES / 2], millis[0]);
    }

    private static void step(Optimizer optimizer, DType cast, Supplier<Tensor> loss) {
        try (Scope step = Scope.open()) {
            optimizer.zeroGrad();
            Tensor error;
            if (cast == null) {
                error = loss.get();
            } else {
                try (Autocast on = new Autocast(cast)) {
                    error = loss.get();
                }
            }
            error.backward();
            optimizer.step();
        }
    }
}
