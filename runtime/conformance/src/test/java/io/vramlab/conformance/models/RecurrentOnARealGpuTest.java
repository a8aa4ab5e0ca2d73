package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.nn.GRU;
import io.vramlab.nn.LSTM;
import io.vramlab.nn.PackedSequence;
import io.vramlab.nn.Parameter;
import io.vramlab.nn.RNN;
import io.vramlab.nn.RNNBase;
import io.vramlab.nn.RecurrentOptions;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Generator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recurrent networks by cuDNN give the numbers that the formulas give on the host, in the order of PyTorch's weights. */
@Tag("gpu")
class RecurrentOnARealGpuTest {

    private static final int TIMES = 9;
    private static final int BATCH = 8;
    private static final int INPUT = 24;

    private static Device gpu;

    @BeforeAll
    static void useIt() {
        gpu = Device.select("cuda:0");
        assumeTrue(gpu.driver().kernels().recurrent().isPresent(), "this machine has no cuDNN");
    }

    @AfterAll
    static void giveItBack() {
        Device.select("sim:8GiB");
        gpu.close();
    }

    private record Case(String kind, int hidden, int layers, boolean both, boolean bias, boolean batchFirst,
            int projection, DType dtype) {

        RNNBase made() {
            RecurrentOptions o = new RecurrentOptions().numLayers(layers).bidirectional(both).bias(bias)
                    .batchFirst(batchFirst).projSize(projection);
            return switch (kind) {
                case "LSTM" -> new LSTM(INPUT, hidden, o);
                case "GRU" -> new GRU(INPUT, hidden, o);
                default -> new RNN(INPUT, hidden, kind.equals("tanh") ? o : o.nonlinearity("relu"));
            };
        }
    }

    static Stream<Case> cases() {
        List<Case> all = new ArrayList<>();
        for (String kind : List.of("LSTM", "GRU", "tanh", "relu")) {
            // where rounding moves a sum over zero, the gradient of its positive part is another: there only float64 can be compared
            boolean kinked = kind.equals("relu");
            all.add(new Case(kind, 32, 1, false, true, false, 0, DType.FLOAT32));
            all.add(new Case(kind, 400, 2, false, true, true, 0, kinked ? DType.FLOAT64 : DType.FLOAT32));
            all.add(new Case(kind, 160, 2, true, false, false, 0, kinked ? DType.FLOAT64 : DType.FLOAT32));
            all.add(new Case(kind, 48, 3, true, true, true, 0, DType.FLOAT64));
            all.add(new Case(kind, 128, 1, false, true, false, 0, DType.FLOAT16));
            all.add(new Case(kind, 256, 2, true, true, false, 0, kinked ? DType.FLOAT64 : DType.BFLOAT16));
        }
        all.add(new Case("LSTM", 64, 2, true, true, false, 24, DType.FLOAT32));
        all.add(new Case("LSTM", 64, 1, false, false, false, 24, DType.FLOAT32));
        return all.stream();
    }

    /** Float32 has TF32's ten bits, as PyTorch lets cuDNN round. */
    private static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-10;
            case FLOAT32, FLOAT16 -> 2e-2;
            default -> 1.2e-1;
        };
    }

    private static Map<String, float[]> values(Case c, Device device, boolean packed) {
        Device.set(Device.cpu());
        Map<String, float[]> seen = new LinkedHashMap<>();
        try (Scope scope = Scope.open(); RNNBase net = c.made()) {
            int k = 0;
            for (Parameter p : net.parameters()) {
                float[] v = Recorded.value(p.numel(), 100 + k++);
                try (var off = new NoGrad()) {
                    for (int i = 0; i < v.length; i++) {
                        v[i] *= 0.25f;
                    }
                    p.copy_(Recorded.on(Device.cpu(), DType.FLOAT32, v, p.shape()));
                }
            }
            boolean host = !device.isCuda();
            Device.set(device);
            net.to(device);
            DType dtype = host && c.dtype != DType.FLOAT64 ? DType.FLOAT32 : c.dtype;
            net.to(dtype);
            long[] shape = c.batchFirst
                    ? new long[]{BATCH, TIMES, INPUT}
                    : new long[]{TIMES, BATCH, INPUT};
            Tensor x = Recorded.on(device, dtype, Recorded.value(TIMES * BATCH * INPUT, 7), shape).requiresGrad_(true);
            Tensor loss = null;
            int n = 0;
            if (packed) {
                long[] lengths = {9, 9, 7, 6, 6, 3, 2, 1};
                RNNBase.Packed result = net
                        .callPacked(PackedSequence.packPaddedSequence(x, lengths, c.batchFirst, true));
                seen.put("y", floats(result.output().data()));
                loss = weighted(result.output().data(), 3).add(weighted(result.hn(), 4));
            } else {
                for (Tensor y : net.callWithState(x)) {
                    seen.put("result " + n, floats(y));
                    Tensor part = weighted(y, 3 + n++);
                    loss = loss == null ? part : loss.add(part);
                }
            }
            loss.backward();
            seen.put("gradient of x", floats(x.grad()));
            net.namedParameters().forEach((name, p) -> seen.put("gradient of " + name, floats(p.grad())));
        }
        return seen;
    }

    private static Tensor weighted(Tensor y, int seed) {
        return y.mul(Recorded.on(y.device(), y.dtype(), Recorded.value(y.numel(), seed), y.shape())).sum();
    }

    private static float[] floats(Tensor t) {
        return t.detach().to(DType.FLOAT32).cpu().contiguous().view(-1).toFloatArray();
    }

    private static void same(Case c, Map<String, float[]> expected, Map<String, float[]> found) {
        assertEquals(expected.keySet(), found.keySet());
        for (String name : expected.keySet()) {
            float[] e = expected.get(name);
            float[] f = found.get(name);
            assertEquals(e.length, f.length, name);
            double largest = 1e-3;
            for (float v : e) {
                largest = Math.max(largest, Math.abs(v));
            }
            for (int i = 0; i < e.length; i++) {
                assertEquals(e[i], f[i], tolerance(c.dtype) * largest, c + " " + name + " " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void resultsAndGradientsAreThoseOfTheFormulas(Case c) {
        same(c, values(c, Device.cpu(), false), values(c, gpu, false));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void packedSequencesToo(Case c) {
        same(c, values(c, Device.cpu(), true), values(c, gpu, true));
    }

    @Test
    void dropoutDrawsAnewAndFromASeedTheSame() {
        Device.set(gpu);
        try (Scope scope = Scope.open();
                LSTM net = new LSTM(INPUT, 64, new RecurrentOptions().numLayers(2).dropout(0.5))) {
            Tensor x = Recorded.on(gpu, DType.FLOAT32, Recorded.value(TIMES * BATCH * INPUT, 7), TIMES, BATCH, INPUT);
            Generator.manualSeedAll(5);
            float[] first = floats(net.forward(x));
            long allocated = Cuda.memoryAllocated();
            float[] second = floats(net.forward(x));
            Generator.manualSeedAll(5);
            float[] again = floats(net.forward(x));
            assertNotEquals(List.of(boxed(first)), List.of(boxed(second)));
            assertEquals(List.of(boxed(first)), List.of(boxed(again)));
            assertTrue(allocated > 0);
            net.eval();
            try (NoGrad off = new NoGrad()) {
                assertEquals(List.of(boxed(floats(net.forward(x)))), List.of(boxed(floats(net.forward(x)))));
            }
        } finally {
            Device.set(Device.cpu());
        }
    }

    private static Float[] boxed(float[] values) {
        Float[] all = new Float[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = values[i];
        }
        return all;
    }
}
