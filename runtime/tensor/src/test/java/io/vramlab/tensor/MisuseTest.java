package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.type.TensorException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A mistake gives one clear line that names what was asked, and memory is as before. */
class MisuseTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Pressure.strict(true);
    }

    @AfterEach
    void giveBack() {
        Pressure.strict(false);
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().allocatedBytes();
    }

    record Mistake(String says, Executable deed) {
        @Override
        public String toString() {
            return says;
        }
    }

    private static Mistake of(String says, Executable deed) {
        return new Mistake(says, deed);
    }

    static Stream<Mistake> mistakes() {
        return Stream.of(of("[2, 3] and [4, 5]", () -> Tensor.zeros(2, 3).add(Tensor.zeros(4, 5))),
                of("[2, 3] and [2, 3]", () -> Tensor.zeros(2, 3).mm(Tensor.zeros(2, 3))),
                of("[2, 3, 4] and [2, 5, 4]", () -> Tensor.zeros(2, 3, 4).bmm(Tensor.zeros(2, 5, 4))),
                of("[2, 3]", () -> Functional.linear(Tensor.zeros(2, 3), Tensor.zeros(4, 5), null)),
                of("erfcx was asked of a tensor of dtype float16", () -> Tensor.zeros(2).half().erfcx()),
                of("float32 and float16", () -> Tensor.zeros(2, 2).mm(Tensor.zeros(2, 2).half())),
                of("int64", () -> Tensor.arange(4).view(2, 2).mm(Tensor.arange(4).view(2, 2))),
                of("int64", () -> Tensor.arange(4).mean()), of("int64", () -> Tensor.arange(4).requiresGrad_(true)),
                of("same device", () -> Tensor.zeros(2).add(Tensor.zeros(TensorOptions.on(Device.cpu()), 2))),
                of("negative", () -> Tensor.zeros(-2)), of("2^63", () -> Tensor.zeros(1L << 62)),
                of("2^63", () -> Tensor.zeros(1L << 40, 1L << 40)), of("[7]", () -> Tensor.zeros(2, 3).view(7)),
                of("only one size", () -> Tensor.zeros(2, 3).view(-1, -1)),
                of("reshape", () -> Tensor.zeros(2, 3).t().view(6)), of("Dimension 5", () -> Tensor.zeros(2, 3).sum(5)),
                of("out of range", () -> Tensor.zeros(2, 3).select(0, 2)),
                of("narrow", () -> Tensor.zeros(2, 3).narrow(0, 1, 5)),
                of("expand", () -> Tensor.zeros(2, 3).expand(4, 3)),
                of("permute", () -> Tensor.zeros(2, 3).permute(0, 0)),
                of("6 elements", () -> Tensor.zeros(2, 3).item()),
                of("index 2 is out of bounds for dimension 0 with size 2", () -> Tensor.zeros(2, 3).get(2, 0)),
                of("from -3 to -1", () -> Tensor.zeros(2, 3).get(0, -4)),
                of("an element has 2 indices", () -> Tensor.zeros(2, 3).get(1)),
                of("an element has 0 indices", () -> Tensor.zeros().getLong(0)),
                of("It has no elements", () -> Tensor.zeros(0).get(0)),
                of("9007199254740992", () -> Tensor.of((1L << 53) + 1).item()),
                of("its array is a float[][]", () -> Tensor.zeros(2, 3).toArray(double[][].class)),
                of("its array is a Long", () -> Tensor.of(1L).sum().toArray(long[].class)),
                of("dimension 1 has 3 elements in one place and has 2",
                        () -> Tensor.ofNested(new int[][]{{1, 2, 3}, {4, 5}})),
                of("and is null in another", () -> Tensor.ofNested(new float[][]{{1}, null})),
                of("a String[][]", () -> Tensor.ofNested(new String[2][2])), of("null", () -> Tensor.ofNested(null)),
                of("NaN", () -> Tensor.of(Float.NaN).itemLong()),
                of("infinity", () -> Tensor.of(Float.POSITIVE_INFINITY).toLongArray()),
                of("int64", () -> Tensor.of(1L, 2).add_(Tensor.of(1.5f, 2))),
                of("[2, 3]", () -> Tensor.zeros(3).add_(Tensor.zeros(2, 3))),
                of("bool", () -> Tensor.where(Tensor.zeros(2), Tensor.zeros(2), Tensor.zeros(2))),
                of("equal size", () -> Functional.stack(0, Tensor.zeros(2), Tensor.zeros(3))),
                of("dimension 1", () -> Functional.cat(1, Tensor.zeros(2, 3), Tensor.zeros(3, 3))),
                of("int64", () -> Functional.embedding(Tensor.zeros(2), Tensor.zeros(4, 2))),
                of("Long", () -> Functional.crossEntropy(Tensor.zeros(2, 3), Tensor.zeros(2))),
                of("batch_size", () -> Functional.crossEntropy(Tensor.zeros(2, 3), Tensor.of(1L, 2, 0))),
                of("between 0 and 1", () -> Functional.dropout(Tensor.zeros(2), 1.5, true)),
                of("[5]", () -> Functional.layerNorm(Tensor.zeros(2, 3), new long[]{5}, null, null, 1e-5)),
                of("topk", () -> Functional.topk(Tensor.zeros(2, 3), 4, 1, true)),
                of("sizes 3 and 2", () -> Functional.einsum("ij,jk->ik", Tensor.zeros(2, 3), Tensor.zeros(2, 3))),
                of("each once", () -> Functional.einsum("ij->ii", Tensor.zeros(2, 2))),
                of("no elements", () -> Tensor.zeros(0).max()),
                of("4 elements", () -> Tensor.of(TensorOptions.defaults(), new float[3], 2, 2)));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeGivesOneLineAndLeavesMemoryAsBefore(Mistake m) {
        TensorException e;
        try (Scope s = Scope.open()) {
            e = assertThrows(TensorException.class, m.deed());
        }
        assertEquals(1, e.getMessage().lines().count());
        assertTrue(e.getMessage().contains(m.says()), e.getMessage());
        assertEquals(0, allocated());
    }

    @Test
    void runningOutInTheMiddleOfAnOperationLeavesMemoryAsBefore() {
        try (Scope s = Scope.open()) {
            // 16 + 16 + 12 MiB of 64 are held: backward of pow gets its first temporary of 16 MiB, not its second
            Tensor x = Tensor.rand(4 << 20).requiresGrad_(true);
            Tensor y = x.pow(3);
            Tensor loss = y.sum();
            Tensor filler = Tensor.empty(3 << 20);
            long held = allocated();
            assertThrows(OutOfMemoryException.class, () -> loss.backward());
            assertEquals(held, allocated());
            assertThrows(OutOfMemoryException.class, () -> Functional.cat(0, y, y));
            assertEquals(held, allocated());
            filler.close();
        }
        assertEquals(0, allocated());
    }

    @Tag("loses-device")
    @Test
    void anOutOfRangeIndexIsFoundLaterAsOnAGpu() {
        Tensor weight = Tensor.zeros(4, 2);
        Tensor row = Functional.embedding(Tensor.of(9L), weight);
        RuntimeException e = assertThrows(RuntimeException.class, row::toFloatArray);
        assertTrue(e.getMessage().contains("assert") || e.getMessage().contains("index"), e.getMessage());
    }
}
