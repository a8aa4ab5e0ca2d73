package io.vramlab.device.internal.cuda;

import io.vramlab.device.Device;
import io.vramlab.device.PendingWork;
import io.vramlab.memory.CallSites;
import io.vramlab.nn.CrossEntropyLoss;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Module;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Training steps on the current device, in milliseconds: medians of seven batches of twenty, after the 5 steps that PyTorch's
 * own measurement warms up with, after 400 and after 2,000: the JVM compiles its code while it runs.
 */
final class TrainBench {

    private TrainBench() {
    }

    public static void main(String[] args) {
        System.out.println(Device.current() + " " + Device.current().properties() + Device.notice().orElse(""));
        step("Linear 1000-10, batch 1024, SGD", 1024, m -> new SGD(m.parameters(), 0.01), 1000, 10);
        step("MLP 784-1024-1024-10, batch 256, AdamW", 256, m -> new AdamW(m.parameters()), 784, 1024, 1024, 10);
        step("the same, fused", 256, m -> new AdamW(m.parameters()).fused(true), 784, 1024, 1024, 10);
        PendingWork.lines(CallSites::line);
        step("Linear 1000-10, SGD, with lines asked for", 1024, m -> new SGD(m.parameters(), 0.01), 1000, 10);
        PendingWork.lines(null);
        step("MLP 4096x4, batch 4096, AdamW", 4096, m -> new AdamW(m.parameters()), 4096, 4096, 4096, 4096, 4096);
        step("the same, fused", 4096, m -> new AdamW(m.parameters()).fused(true), 4096, 4096, 4096, 4096, 4096);
        step("Linear 1000-10, batch 1024, SGD, again", 1024, m -> new SGD(m.parameters(), 0.01), 1000, 10);
        step("Linear 1000-10, batch 1024, SGD, fused", 1024, m -> new SGD(m.parameters(), 0.01).fused(true), 1000, 10);
        long t = System.nanoTime();
        for (int round = 0; round < 5; round++) {
            t = System.nanoTime();
            for (int i = 0; i < 200_000; i++) {
                Tensor.empty(256).close();
            }
        }
        System.out.printf(Locale.ROOT, "%-42s %9.0f ns%n", "Tensor.empty and close",
                (System.nanoTime() - t) / 200_000.0);
    }

    private static void step(String name, int batch, Function<Sequential, Optimizer> optimizer, long... sizes) {
        List<Module> layers = new ArrayList<>();
        for (int i = 0; i + 1 < sizes.length; i++) {
            if (i > 0) {
                layers.add(new ReLU());
            }
            layers.add(new Linear(sizes[i], sizes[i + 1]));
        }
        Sequential model = new Sequential(layers);
        CrossEntropyLoss loss = new CrossEntropyLoss();
        Tensor x = Tensor.randn(batch, sizes[0]);
        Tensor target = Tensor.randint(0, sizes[sizes.length - 1], batch);
        Optimizer o = optimizer.apply(model);
        int done = 0;
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-42s", name));
        for (int warm : batch > 1024 ? new int[]{5} : new int[]{5, 400, 2000}) {
            for (; done < warm; done++) {
                one(model, loss, o, x, target);
            }
            line.append(String.format(Locale.ROOT, " %9.3f", median(() -> one(model, loss, o, x, target))));
            done += 7 * 20;
        }
        System.out.println(line + " ms");
        o.close();
        model.parameters().forEach(Tensor::close);
        x.close();
        target.close();
    }

    private static double median(Runnable step) {
        Device.current().synchronize();
        double[] all = new double[7];
        for (int b = 0; b < all.length; b++) {
            long t = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                step.run();
            }
            Device.current().synchronize();
            all[b] = (System.nanoTime() - t) / 20e6;
        }
        Arrays.sort(all);
        return all[3];
    }

    private static void one(Sequential model, CrossEntropyLoss loss, Optimizer o, Tensor x, Tensor target) {
        o.zeroGrad();
        try (Tensor y = model.call(x); Tensor l = loss.call(y, target)) {
            l.backward();
        }
        o.step();
    }
}
