package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a node keeps while nobody else holds it: the tensors that PyTorch 2.11's node of that name has as {@code _saved_self},
 * {@code _saved_result} and so on. Arguments and results are of 128 float32, which take 512 bytes.
 */
class SavedForBackwardTest {

    private static final long EACH = 512;

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().get("allocated_bytes.all.current");
    }

    private static Tensor part() {
        return Tensor.full(TensorOptions.defaults().requiresGrad(true), 0.3, 128);
    }

    /** What stays when argument and result are closed, but the result of a sum, which keeps nothing, is held. */
    private long kept(UnaryOperator<Tensor> operation) {
        try (Tensor leaf = part()) {
            Tensor x = leaf.mul(1.0);
            Tensor y = operation.apply(x);
            try (Tensor sum = y.sum()) {
                y.close();
                x.close();
                return allocated() - 2 * EACH;
            }
        }
    }

    static Stream<Map.Entry<String, UnaryOperator<Tensor>>> keepTheirArgumentAlone() {
        return Map.<String, UnaryOperator<Tensor>>of("lgamma", Tensor::lgamma, "digamma", Tensor::digamma, "i0",
                Tensor::i0, "erfinv", Tensor::erfinv, "sinc", Tensor::sinc, "logit", Tensor::logit, "entr",
                Tensor::entr, "abs", Tensor::abs).entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("keepTheirArgumentAlone")
    void aFunctionOfItsArgumentDoesNotKeepItsResult(Map.Entry<String, UnaryOperator<Tensor>> function) {
        assertEquals(EACH, kept(function.getValue()));
        assertEquals(0, allocated());
    }

    @Test
    void theScaledErrorFunctionKeepsItsArgumentAndItsResult() {
        assertEquals(2 * EACH, kept(Tensor::erfcx));
        assertEquals(0, allocated());
    }

    @Test
    void varianceAndMeanKeepTheArgumentAndNothingWhenAllIsClosed() {
        assertEquals(EACH, kept(x -> first(x.varMean())));
        assertEquals(0, allocated());
        // the deviation, a scalar of its own, stays for its gradient
        assertEquals(2 * EACH, kept(x -> first(x.stdMean())));
        assertEquals(0, allocated());
    }

    private static Tensor first(Tensor[] several) {
        several[1].close();
        return several[0];
    }

    @Test
    void takeKeepsWhatItTookFromAndPutWhatItPut() {
        try (Tensor index = Tensor.arange(128)) {
            assertEquals(index.nbytes() + EACH, kept(x -> x.take(index)));
            try (Tensor leaf = part()) {
                // leaf, index and source
                assertEquals(EACH + index.nbytes() + EACH, kept(x -> {
                    try (Tensor source = leaf.mul(2.0)) {
                        return x.put(index, source, true);
                    }
                }));
            }
        }
        assertEquals(0, allocated());
    }

    @Test
    void maxUnpoolKeepsThePositionsAlone() {
        try (Tensor index = Tensor.zeros(TensorOptions.of(DType.INT64), 1, 1, 1, 128)) {
            assertEquals(index.nbytes(), kept(x -> {
                try (Tensor plane = x.view(1, 1, 1, 128)) {
                    return Functional.maxUnpool(plane, index, 1, 128);
                }
            }));
        }
        assertEquals(0, allocated());
    }

    @Test
    void lossesWithMarginsReadTheirTargetsInBackwardThoughNobodyElseHoldsThem() {
        try (Tensor x = Tensor.full(TensorOptions.defaults().requiresGrad(true), 0, 1, 2)) {
            Tensor target = Tensor.of(TensorOptions.of(DType.INT64), new long[]{1}, 1);
            Tensor loss = Functional.multiMarginLoss(x, target);
            target.close();
            Tensor other = Tensor.zeros(TensorOptions.of(DType.INT64), 1);
            loss.backward();
            // max(0, 1 - x[1] + x[0]) / 2
            assertArrayEquals(new float[]{0.5f, -0.5f}, x.grad().toFloatArray());
            other.close();
            x.grad(null);
            Tensor named = Tensor.of(TensorOptions.of(DType.INT64), new long[]{1, -1}, 1, 2);
            Tensor multi = Functional.multilabelMarginLoss(x, named);
            named.close();
            Tensor another = Tensor.zeros(TensorOptions.of(DType.INT64), 1, 2);
            multi.backward();
            assertArrayEquals(new float[]{0.5f, -0.5f}, x.grad().toFloatArray());
            another.close();
        }
    }
}
