package io.vramlab.device.internal.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.KernelArguments;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel, also one with a default, waits its turn in its stream and is then called as it was asked for. */
class GuardedKernelsTest {

    private final FaultBox faults = new FaultBox("the test's device");
    private final SimulatedStreams streams = new SimulatedStreams("the test's device", faults);
    private Method called;
    private Object[] given;
    private String zeroed = "";
    private final Kernels guarded = new GuardedKernels((Kernels) Proxy.newProxyInstance(
            Kernels.class.getClassLoader(), new Class<?>[]{Kernels.class}, (proxy, method, args) -> {
                called = method;
                given = args;
                return method.getReturnType() == boolean.class ? true : null;
            }), streams, (address, bytes) -> zeroed = address + " " + bytes);

    static Stream<Method> kernels() {
        return Arrays.stream(Kernels.class.getMethods()).filter(m -> m.getReturnType() == void.class);
    }

    @Test
    void aLibraryIsNotPassedOnAsItsCallsAnswerAtOnce() {
        assertEquals(Optional.empty(), guarded.convolutions());
        assertEquals(Optional.empty(), guarded.recurrent());
        assertEquals(Optional.empty(), guarded.fusedAttention());
        assertEquals(Optional.empty(), guarded.attentionLibrary());
        assertNull(called, "the kernels were asked");
    }

    static Stream<Method> questions() {
        return Arrays.stream(Kernels.class.getMethods()).filter(m -> m.getReturnType() == boolean.class);
    }

    private void fill(double value, long... strides) {
        guarded.elementwise(ElementOp.FILL, new double[]{value},
                new Operand(4096, DType.FLOAT16, new long[]{3, 5}, strides),
                new Operand[0], 0);
    }

    @Test
    void zerosThatLieTogetherAreTheDevicesOwnAndNoKernels() {
        fill(0, 5, 1);
        assertNull(called, "the kernel was asked");
        assertEquals("4096 30", zeroed); // 3 x 5 of 2 bytes
    }

    @Test
    void otherValuesMinusZeroAndPartsOfATensorAreTheKernels() {
        fill(1, 5, 1);
        fill(-0.0, 5, 1);
        fill(0, 10, 1);
        assertEquals("", zeroed);
        assertEquals("elementwise", called.getName());
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aKernelWaitsInItsStreamAndIsCalledAsItWasAskedFor(Method kernel) throws Exception {
        long stream = streams.createStream();
        Object[] args = KernelArguments.of(kernel);
        args[args.length - 1] = stream;
        streams.defer(stream, "copy", () -> {
            // so that the stream has work waiting
        });

        kernel.invoke(guarded, args);
        assertNull(called, "ran before its turn");
        streams.synchronize();

        assertEquals(kernel, called);
        for (int i = 0; i < args.length; i++) {
            if (kernel.getParameterTypes()[i].isPrimitive()) {
                assertEquals(args[i], given[i], "argument " + i);
            } else {
                assertSame(args[i], given[i], "argument " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aKernelIsNamedByItsOperationOrItsMethod(Method kernel) throws Exception {
        Object[] args = KernelArguments.of(kernel);
        args[args.length - 1] = 0L;

        kernel.invoke(guarded, args);

        String name = args[0] instanceof Enum<?> op ? op.name().toLowerCase(Locale.ROOT) : kernel.getName();
        assertEquals(name, faults.pending().text());
    }

    @ParameterizedTest
    @MethodSource("questions")
    void aQuestionIsAnsweredAtOnce(Method question) throws Exception {
        assertTrue((boolean) question.invoke(guarded, KernelArguments.of(question)));
        assertEquals(0, faults.pending().size());
    }
}
