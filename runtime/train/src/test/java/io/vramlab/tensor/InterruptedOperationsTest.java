package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.InterruptedWorkException;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.AdamW;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every long computation ends when its thread is interrupted, and the memory of what it was to make is given back. */
@Tag("simulated")
class InterruptedOperationsTest {

    private static final long SIDE = 512;

    private final Device before = Device.current();
    private final Device device = Device.simulated("2GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Pressure.strict(true);
    }

    @AfterEach
    void giveBack() {
        Thread.interrupted();
        Pressure.strict(false);
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().allocatedBytes();
    }

    private interface Operation {
        void run(Scope scope);
    }

    private static Tensor on(DType dtype, long... shape) {
        return Tensor.rand(shape).to(dtype);
    }

    private static Window window(int kernel) {
        return new Window(kernel, kernel, 1, 1, 0, 0, 1, 1, 1);
    }

    /** What is prepared before the interrupt, and what is done after it. */
    private static Map<String, Supplier<Operation>> all() {
        Map<String, Supplier<Operation>> all = new LinkedHashMap<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16)) {
            all.put("a product in " + dtype, () -> {
                Tensor a = on(dtype, SIDE, SIDE);
                return s -> a.matmul(a);
            });
            all.put("an element-by-element operation in " + dtype, () -> {
                Tensor a = on(dtype, SIDE, SIDE);
                return s -> a.exp();
            });
            all.put("a row's softmax in " + dtype, () -> {
                Tensor a = on(dtype, 1, SIDE * SIDE);
                return s -> Functional.softmax(a, 1);
            });
            all.put("softmax of many short rows in " + dtype, () -> {
                Tensor a = on(dtype, SIDE * SIDE / 8, 8);
                return s -> Functional.softmax(a, 1);
            });
            all.put("a sum in " + dtype, () -> {
                Tensor a = on(dtype, SIDE, SIDE);
                return s -> a.sum();
            });
            all.put("sums of columns in " + dtype, () -> {
                Tensor a = on(dtype, SIDE * 16, SIDE);
                return s -> a.sum(0);
            });
            all.put("the largest element in " + dtype, () -> {
                Tensor a = on(dtype, SIDE, SIDE);
                return s -> a.argmax();
            });
            all.put("sorting one long row in " + dtype, () -> {
                Tensor a = on(dtype, SIDE * SIDE);
                return s -> Functional.topk(a, SIDE, 0, true);
            });
            all.put("a convolution in " + dtype, () -> {
                Tensor x = on(dtype, 2, 4, 64, 64);
                Tensor w = on(dtype, 8, 4, 5, 5);
                return s -> Functional.conv2d(x, w, null, window(5));
            });
            all.put("pooling the largest in " + dtype, () -> {
                Tensor x = on(dtype, 2, 4, 64, 64);
                return s -> Functional.maxPool2d(x, window(5));
            });
            all.put("pooling the mean in " + dtype, () -> {
                Tensor x = on(dtype, 2, 4, 64, 64);
                return s -> Functional.avgPool2d(x, window(5));
            });
            all.put("layer norm in " + dtype, () -> {
                Tensor x = on(dtype, 16, SIDE * 16);
                return s -> Functional.layerNorm(x, new long[]{SIDE * 16}, null, null, 1e-5);
            });
            all.put("batch norm in " + dtype, () -> {
                Tensor x = on(dtype, 4, 2, 256, 256);
                return s -> Functional.batchNorm(x, null, null, null, null, true, 0.1, 1e-5);
            });
            all.put("dropout in " + dtype, () -> {
                Tensor x = on(dtype, SIDE, SIDE);
                return s -> Functional.dropout(x, 0.5, true);
            });
            all.put("a triangle in " + dtype, () -> {
                Tensor x = on(dtype, SIDE, SIDE);
                return s -> x.triu(0);
            });
            all.put("a backward pass in " + dtype, () -> {
                Tensor x = on(dtype, SIDE, SIDE).requiresGrad_(true);
                Tensor y = x.mul(x).sum();
                return s -> y.backward();
            });
        }
        all.put("random numbers", () -> s -> Tensor.randn(SIDE, SIDE));
        all.put("a range", () -> s -> Tensor.arange(SIDE * SIDE));
        all.put("a large fill", () -> s -> Tensor.zeros(64 * SIDE, SIDE));
        all.put("a transposed copy", () -> {
            Tensor x = Tensor.rand(SIDE * SIDE, 2).t();
            return s -> x.contiguous();
        });
        all.put("a large copy", () -> {
            Tensor x = Tensor.zeros(64 * SIDE, SIDE);
            return s -> x.clone();
        });
        all.put("a copy to the host", () -> {
            Tensor x = Tensor.zeros(64 * SIDE, SIDE);
            return s -> x.to(Device.cpu());
        });
        all.put("gathering", () -> {
            Tensor x = Tensor.rand(SIDE * SIDE);
            Tensor index = Tensor.arange(SIDE * SIDE);
            return s -> Functional.gather(x, 0, index);
        });
        all.put("rows of a table", () -> {
            Tensor x = Tensor.rand(SIDE, SIDE);
            Tensor index = Tensor.randint(0, SIDE, 4 * SIDE);
            return s -> Functional.index(x, index);
        });
        all.put("an optimizer's step", () -> {
            Tensor x = Tensor.rand(SIDE, SIDE).requiresGrad_(true);
            x.sum().backward();
            AdamW adam = new AdamW(List.of(x), 0.1);
            adam.step(); // makes its state
            return s -> adam.step();
        });
        return all;
    }

    static Stream<String> names() {
        return all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void anInterruptEndsItAndLeavesMemoryAsItWas(String name) {
        try (Scope warm = Scope.open()) {
            all().get(name).get().run(warm); // makes what is kept between calls, such as workspaces
        }
        Operation operation = all().get(name).get();
        long held = allocated();
        Thread.currentThread().interrupt();
        try (Scope scope = Scope.open()) {
            assertThrows(InterruptedWorkException.class, () -> operation.run(scope));
        }
        assertTrue(Thread.interrupted(), "the status was cleared");
        assertEquals(held, allocated());
    }

    @Test
    void whatIsComputedAfterAnInterruptIsRight() {
        Tensor a = Tensor.rand(SIDE, SIDE);
        float[] product = a.matmul(a).toFloatArray();
        Thread.currentThread().interrupt();
        InterruptedWorkException stopped = assertThrows(InterruptedWorkException.class, () -> a.matmul(a));
        assertEquals(3, stopped.getMessage().split("\\. |\\.$").length, stopped.getMessage());
        Thread.interrupted();
        assertArrayEquals(product, a.matmul(a).toFloatArray());
    }

    @Test
    void whatWaitsBehindInterruptedWorkIsNotRunAndWhatComesLaterIs() {
        Tensor source = Tensor.ones(TensorOptions.defaults().device(Device.cpu()), SIDE * SIDE).pinMemory();
        device.simulation().orElseThrow().deferPinnedCopies(true);
        Tensor late = source.to(device, true);
        Tensor behind = late.add(1);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWorkException.class, device::synchronize);
        Thread.interrupted();
        device.synchronize();
        device.simulation().orElseThrow().deferPinnedCopies(false);
        try (Scope scope = Scope.open()) {
            // fresh memory is zero; the sum would have been 1 or 2
            assertEquals(0, behind.slice(0, 0, 1).item());
            assertEquals(2, behind.zero_().add(2).slice(0, 0, 1).item());
        }
        late.close();
        behind.close();
        assertEquals(0, allocated());
    }
}
