package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Lifetimes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What counting costs: a step of a small MLP, written with a {@code Scope} and not counted, and without one and counted, in blocks
 * of steps in turn in one JVM. Run by hand, {@code CountingCost 20 200} for blocks and steps; with {@code VRAMLAB_SIMULATED=real}
 * on a GPU.
 */
public final class CountingCost {

    private static final String PROGRAM = """
            package woven;
            import io.vramlab.nn.*;
            import io.vramlab.optim.*;
            import io.vramlab.tensor.*;
            public class Steps {
                static class Mlp extends io.vramlab.nn.Module {
                    Linear a = new Linear(784, 1024), b = new Linear(1024, 1024), c = new Linear(1024, 10);
                    public Tensor forward(Tensor x) { x = a.call(x).relu(); x = b.call(x).relu(); return c.call(x); }
                }
                static final Mlp net = new Mlp();
                static final AdamW opt = new AdamW(net.parameters(), 1e-3);
                static final Tensor x = Tensor.randn(256, 784), y = Tensor.randint(0, 10, 256);
                public static void run(int steps) {
                    for (int i = 0; i < steps; i++) {
                        %s
                            opt.zeroGrad();
                            var loss = Functional.crossEntropy(net.call(x), y);
                            loss.backward();
                            opt.step();
                        }
                    }
                }
            }
            """;

    private CountingCost() {
    }

    private static final class Plain extends ClassLoader {

        private final Map<String, byte[]> files;

        Plain(Map<String, byte[]> files) {
            super(CountingCost.class.getClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name);
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, file, 0, file.length);
        }
    }

    /** One way to write the step, and how long its blocks took. */
    private static final class Way {

        private final String name;
        private final boolean counted;
        private final Method run;
        private final List<Double> millis = new ArrayList<>();
        private long peak;
        private long allocations;

        Way(String name, boolean counted, String block) throws ReflectiveOperationException {
            this.name = name;
            this.counted = counted;
            Map<String, byte[]> files = new HashMap<>();
            Woven.compiled(Map.of("woven/Steps", PROGRAM.formatted(block)))
                    .forEach((each, file) -> files.put(each.replace('/', '.'), file));
            ClassLoader loader = counted ? new Woven.Classes(files) : new Plain(files);
            run = loader.loadClass("woven.Steps").getMethod("run", int.class);
        }

        void block(Device device, int steps) throws ReflectiveOperationException {
            Lifetimes.count(counted);
            var allocator = Allocators.of(device);
            run.invoke(null, 3);
            device.synchronize();
            allocator.resetPeakMemoryStats();
            long before = allocator.stats().get("allocation.all.allocated");
            long start = System.nanoTime();
            run.invoke(null, steps);
            device.synchronize();
            millis.add((System.nanoTime() - start) / 1e6 / steps);
            peak = allocator.stats().get("allocated_bytes.all.peak");
            allocations = (allocator.stats().get("allocation.all.allocated") - before) / steps;
        }

        double median() {
            return millis.stream().sorted().skip(millis.size() / 2).findFirst().orElseThrow();
        }

        @Override
        public String toString() {
            return "%s: median %.4f ms a step, least %.4f, most %.4f, %d blocks, peak %d bytes, %d allocations a step"
                    .formatted(name, median(), millis.stream().min(Double::compare).orElseThrow(),
                            millis.stream().max(Double::compare).orElseThrow(), millis.size(), peak, allocations);
        }
    }

    /**
     * Prints what it took.
     *
     * @param args
     *            how many blocks, and of how many steps
     */
    public static void main(String[] args) throws Exception {
        int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        Device device = Device.simulated("4GiB");
        Device.set(device);
        Way scoped = new Way("with a Scope, not counted", false, "try (Scope scope = Scope.open()) {");
        Way counted = new Way("without, counted", true, "{");
        for (int i = 0; i < blocks + 2; i++) {
            scoped.block(device, steps);
            counted.block(device, steps);
            if (i == 1) {
                // these were to warm up
                scoped.millis.clear();
                counted.millis.clear();
            }
        }
        System.out.println(scoped);
        System.out.println(counted);
        System.out.printf("counted / scoped: %.3f%n", counted.median() / scoped.median());
    }
}
