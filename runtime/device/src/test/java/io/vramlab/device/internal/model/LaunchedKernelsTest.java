package io.vramlab.device.internal.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.DriverStep;
import io.vramlab.device.ElementOp;
import io.vramlab.device.KernelArguments;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel is called as it was asked for, and tells before what the driver takes for it. */
class LaunchedKernelsTest {

    private final Set<DriverStep> steps = EnumSet.noneOf(DriverStep.class);
    private final List<Object> called = new ArrayList<>();
    private final Kernels launched = new LaunchedKernels((Kernels) Proxy.newProxyInstance(
            Kernels.class.getClassLoader(), new Class<?>[]{Kernels.class}, (proxy, method, args) -> {
                called.add(method);
                called.addAll(args == null ? List.of() : Arrays.asList(args));
                return method.getReturnType() == boolean.class ? true : null;
            }), steps::add);

    static Stream<Method> kernels() {
        return Arrays.stream(Kernels.class.getMethods()).filter(m -> m.getReturnType() == void.class);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aKernelIsCalledAsItWasAskedForAfterTheDriverWasTold(Method kernel) throws Exception {
        Object[] args = KernelArguments.of(kernel);
        kernel.invoke(launched, args);

        assertEquals(kernel, called.getFirst());
        for (int i = 0; i < args.length; i++) {
            if (kernel.getParameterTypes()[i].isPrimitive()) {
                assertEquals(args[i], called.get(i + 1), "argument " + i);
            } else {
                assertSame(args[i], called.get(i + 1), "argument " + i);
            }
        }
        assertTrue(steps.contains(DriverStep.KERNEL));
    }

    /** An H100's driver asked for more local memory at a filling, at an index, at a sum; not at drawn numbers, nor at cuBLAS's. */
    @Test
    void drawnNumbersAndProductsHaveStackEnoughAndFillingsDoNot() {
        Operand a = operand(DType.FLOAT32);
        launched.random(RandomOp.NORMAL, a, 0, 1, 0, 0, 0);
        launched.matmul(a, a, a, 1, 0, 0);
        assertEquals(Set.of(DriverStep.KERNEL), steps);

        launched.elementwise(ElementOp.FILL, new double[]{0}, a, new Operand[0], 0);
        assertEquals(Set.of(DriverStep.KERNEL, DriverStep.STACK), steps);
    }

    /** 8.3 MiB came with a sum, an index, an embedding, x.double() and bytes that became numbers; not with forty other functions. */
    @Test
    void whatReducesGoesByIndicesOrConvertsChecks() {
        Operand single = operand(DType.FLOAT32);
        Operand twice = operand(DType.FLOAT64);
        assertEquals(false, checks(() -> copy(operand(DType.FLOAT16), single)), "to float16 has a kernel");
        assertEquals(true, checks(() -> copy(twice, single)));
        assertEquals(false, checks(() -> add(single, single)));
        assertEquals(true, checks(() -> add(twice, single)));
        assertEquals(true, checks(() -> launched.reduce(ReduceOp.SUM, single, single, 0)));
        assertEquals(true, checks(() -> launched.indexSelect(single, single, single, 0)));
    }

    private boolean checks(Runnable work) {
        steps.clear();
        work.run();
        return steps.contains(DriverStep.CHECK);
    }

    private void copy(Operand to, Operand from) {
        launched.elementwise(ElementOp.COPY, new double[0], to, new Operand[]{from}, 0);
    }

    private void add(Operand a, Operand b) {
        launched.elementwise(ElementOp.ADD, new double[]{1}, a, new Operand[]{a, b}, 0);
    }

    private static Operand operand(DType dtype) {
        return new Operand(0, dtype, new long[]{4}, new long[]{1});
    }
}
