package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * Figures of a real GPU, one a line; run beside PyTorch's own of the same machine. Times are by device events, medians of
 * repeated batches after a warm-up, on random data.
 */
final class CudaBench {

    private static final int BATCHES = 9;

    private final DeviceDriver driver = new CudaDevices().devices("0").getFirst().get();
    private final Kernels kernels = driver.kernels();

    public static void main(String[] args) {
        new CudaBench().run();
    }

    private double millis(int times, Runnable work) {
        long start = driver.createEvent(true);
        long end = driver.createEvent(true);
        double[] all = new double[BATCHES];
        for (int i = -2; i < BATCHES; i++) {
            driver.recordEvent(start, 0);
            for (int t = 0; t < times; t++) {
                work.run();
            }
            driver.recordEvent(end, 0);
            driver.synchronizeEvent(end);
            if (i >= 0) {
                all[i] = driver.elapsedMillis(start, end) / times;
            }
        }
        Arrays.sort(all);
        return all[BATCHES / 2];
    }

    private Operand tensor(DType dtype, long... shape) {
        long n = Twins.count(shape);
        Operand o = new Operand(driver.allocate(n * dtype.bytes()), dtype, shape, Twins.contiguous(shape));
        kernels.random(RandomOp.NORMAL, o, 0, 1, 1, 0, 0);
        return o;
    }

    private static void line(String name, double value, String unit) {
        System.out.printf(Locale.ROOT, "%-28s %10.3f %s%n", name, value, unit);
    }

    private void run() {
        System.out.println(driver.properties());
        long begin = System.nanoTime();
        for (String module : new String[]{"contiguous", "elementwise", "reduce", "softmax", "index", "random", "conv",
                "optim", "matmul"}) {
            long t = System.nanoTime();
            probe(module);
            line("compile " + module, (System.nanoTime() - t) / 1e6, "ms");
        }
        line("compile all", (System.nanoTime() - begin) / 1e6, "ms");
        if (System.getProperty("bench.only", "").equals("compile")) {
            return;
        }
        bandwidth();
        for (int n : new int[]{1024, 4096, 8192}) {
            products(DType.FLOAT32, n);
            products(DType.FLOAT16, n);
            products(DType.BFLOAT16, n);
        }
        driver.setAllowTf32(true);
        System.out.println("with TF32:");
        products(DType.FLOAT32, 8192);
        driver.setAllowTf32(false);
        launches();
        copies();
    }

    private void probe(String module) {
        Operand a = new Operand(driver.allocate(4096), DType.FLOAT32, new long[]{16, 16}, new long[]{16, 1});
        Operand i = new Operand(driver.allocate(4096), DType.INT64, new long[]{16}, new long[]{1});
        Operand row = new Operand(a.address(), DType.FLOAT32, new long[]{16, 1}, new long[]{1, 1});
        driver.fill(a.address(), (byte) 0, 4096, 0);
        driver.fill(i.address(), (byte) 0, 4096, 0);
        switch (module) {
            case "contiguous" -> kernels.elementwise(ElementOp.RELU, new double[0], a, new Operand[]{a}, 0);
            case "elementwise" -> kernels.elementwise(ElementOp.ABS, new double[0], a, new Operand[]{a}, 0);
            case "reduce" -> kernels.reduce(ReduceOp.MAX, row, a, 0);
            case "softmax" -> kernels.softmax(a, a, 0, false, 0);
            case "index" -> kernels.indexSelect(a, a, i, 0);
            case "random" -> kernels.random(RandomOp.UNIFORM, a, 0, 1, 1, 0, 0);
            case "conv" -> {
                Operand image = new Operand(a.address(), DType.FLOAT32, new long[]{1, 1, 16, 16},
                        Twins.contiguous(1, 1, 16, 16));
                kernels.avgPool2d(image, image, new Kernels.Window(1, 1, 1, 1, 0, 0, 1, 1, 1), 0);
            }
            case "optim" -> kernels.fusedSgd(new Operand[]{a}, new Operand[]{a}, null, 0, 0, 0, 0, false, false,
                    true, null, null, 0);
            default -> kernels.matmul(square(i), square(i), square(i), 1, 0, 0);
        }
        driver.synchronize();
    }

    private static Operand square(Operand i) {
        return new Operand(i.address(), DType.INT64, new long[]{4, 4}, new long[]{4, 1});
    }

    private void bandwidth() {
        long n = 1L << 28;
        Operand x = tensor(DType.FLOAT32, n);
        Operand y = tensor(DType.FLOAT32, n);
        Operand z = tensor(DType.FLOAT32, n);
        double[] one = {1, 0};
        line("add 1 GiB", 12.0 * n / millis(5, () -> kernels.elementwise(ElementOp.ADD, one, z, new Operand[]{x, y},
                0)) / 1e6, "GB/s");
        line("relu 1 GiB", 8.0 * n / millis(5, () -> kernels.elementwise(ElementOp.RELU, one, z, new Operand[]{x},
                0)) / 1e6, "GB/s");
        Operand scalar = new Operand(y.address(), DType.FLOAT32, new long[]{1}, new long[]{1});
        line("sum 1 GiB", 4.0 * n / millis(5, () -> kernels.reduce(ReduceOp.SUM, scalar, x, 0)) / 1e6,
                "GB/s");
        Operand rows = new Operand(x.address(), DType.FLOAT32, new long[]{1 << 16, 1024}, new long[]{1024, 1});
        Operand out = new Operand(z.address(), DType.FLOAT32, rows.shape(), rows.strides());
        line("softmax 65536 x 1024", 8.0 * (1 << 26) / millis(10, () -> kernels.softmax(out, rows, 1, false, 0)) / 1e6,
                "GB/s");
        Operand bias = new Operand(y.address(), DType.FLOAT32, rows.shape(), new long[]{0, 1});
        crossEntropy(x.address(), y.address(), z.address());
        line("add bias 65536 x 1024", 8.0 * (1 << 26)
                / millis(10, () -> kernels.elementwise(ElementOp.ADD, one, out, new Operand[]{rows, bias}, 0)) / 1e6,
                "GB/s");
        Operand columns = new Operand(y.address(), DType.FLOAT32, new long[]{1, 1024}, new long[]{1024, 1});
        line("sum of columns 65536 x 1024", 4.0 * (1 << 26)
                / millis(10, () -> kernels.reduce(ReduceOp.SUM, columns, rows, 0)) / 1e6, "GB/s");
        for (DType half : new DType[]{DType.FLOAT16, DType.BFLOAT16}) {
            Operand h = new Operand(y.address(), half, new long[]{n}, new long[]{1});
            Operand r = new Operand(z.address(), half, new long[]{n}, new long[]{1});
            line("to " + half + ", 2^28",
                    6.0 * n / millis(5, () -> kernels.elementwise(ElementOp.COPY, new double[0], h,
                            new Operand[]{x}, 0)) / 1e6,
                    "GB/s");
            line("relu " + half + ", 2^28", 4.0 * n / millis(5, () -> kernels.elementwise(ElementOp.RELU, new double[0],
                    r, new Operand[]{h}, 0)) / 1e6, "GB/s");
            line("from " + half + ", 2^28", 6.0 * n / millis(5, () -> kernels.elementwise(ElementOp.COPY, new double[0],
                    z, new Operand[]{h}, 0)) / 1e6, "GB/s");
        }
        for (Operand o : new Operand[]{x, y, z}) {
            driver.free(o.address());
        }
    }

    /** Backward of a cross-entropy over [16384, 16384]: both halves, whole gradient and rows of it. */
    private void crossEntropy(long logs, long gradient, long result) {
        long n = 1 << 14;
        Operand log = new Operand(logs, DType.FLOAT32, new long[]{n, n}, new long[]{n, 1});
        Operand whole = new Operand(gradient, DType.FLOAT32, log.shape(), log.strides());
        Operand out = new Operand(result, DType.FLOAT32, log.shape(), log.strides());
        Operand target = new Operand(driver.allocate(8 * n), DType.INT64, new long[]{n}, new long[]{1});
        Operand scalar = new Operand(driver.allocate(512), DType.FLOAT32, new long[]{}, new long[]{});
        kernels.random(RandomOp.INTEGERS, target, 0, n, 1, 0, 0);
        kernels.elementwise(ElementOp.FILL, new double[]{1}, scalar, new Operand[0], 0);
        line("cross-entropy backward, whole", millis(3, () -> {
            driver.fill(whole.address(), (byte) 0, 4 * n * n, 0);
            kernels.nllLossBackward(whole, scalar, target, scalar, null, 1, -100, 0);
            kernels.softmaxBackward(out, whole, log, 1, true, 0);
        }), "ms");
        line("cross-entropy backward, rows", millis(3, () -> {
            kernels.nllLossBackwardRows(whole, scalar, target, scalar, 1, -100, 0);
            kernels.logSoftmaxBackwardRows(out, whole, log, 0);
        }), "ms");
        driver.free(target.address());
        driver.free(scalar.address());
    }

    private void products(DType dtype, int n) {
        Operand a = tensor(dtype, n, n);
        Operand b = tensor(dtype, n, n);
        Operand c = tensor(dtype, n, n);
        double ms = millis(n > 4096 ? 3 : 10, () -> kernels.matmul(c, a, b, 1, 0, 0));
        line("matmul " + dtype + " " + n, 2.0 * n * n * n / ms / 1e9, "TFLOP/s");
        for (Operand o : new Operand[]{a, b, c}) {
            driver.free(o.address());
        }
    }

    private void launches() {
        Operand a = tensor(DType.FLOAT32, 256);
        double[] none = new double[0];
        Operand[] in = {a};
        Runnable kernel = () -> kernels.elementwise(ElementOp.RELU, none, a, in, 0);
        CudaContext context = new CudaContext(0, DriverCalls.find().orElseThrow());
        Launcher launcher = new Launcher(context);
        PtxModule.Function fill = context.module("contiguous").function("contiguous_FILL");
        Runnable bare = () -> launcher.launch(fill, 1, 32, 0, launcher.arguments().add(0L).add(0L).add(0L).add(0L)
                .add(0L).add(0).add(0));
        for (int round = 0; round < 3; round++) {
            // 500 launches fit the driver's queue: the host does not wait for the device
            line("kernel call, host side", host(500, kernel), "us");
            line("bare launch, host side", host(500, bare), "us");
            line("kernel calls, back to back", host(20_000, kernel), "us");
            line("bare launches, back to back", host(20_000, bare), "us");
        }
    }

    /** Microseconds a call, the device idle before; the median of many. */
    private double host(int calls, Runnable work) {
        double[] all = new double[20_000 / calls * 2 + 1];
        for (int i = 0; i < all.length; i++) {
            driver.synchronize();
            long t = System.nanoTime();
            for (int c = 0; c < calls; c++) {
                work.run();
            }
            all[i] = (System.nanoTime() - t) / 1e3 / calls;
        }
        Arrays.sort(all);
        return all[all.length / 2];
    }

    private void copies() {
        long bytes = 1L << 30;
        long address = driver.allocate(bytes);
        MemorySegment pinned = driver.allocatePinned(bytes);
        line("pinned to device 1 GiB", bytes / millis(3, () -> driver.copyToDevice(address, pinned, 0)) / 1e6, "GB/s");
        line("device to pinned 1 GiB", bytes / millis(3, () -> driver.copyToHost(pinned, address, 0)) / 1e6, "GB/s");
    }
}
