package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.RandomOp;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Random numbers: a function of seed, offset and place alone, of the right distribution. */
interface RandomContract extends KernelsHarness {

    private double[] draw(RandomOp op, DType dtype, int n, double a, double b, long seed, long offset) {
        HostTensor out = empty(dtype, Layout.CONTIGUOUS, n);
        kernels().random(op, out.operand(), a, b, seed, offset, 0);
        return out.read();
    }

    private static double mean(double[] v) {
        return Arrays.stream(v).average().orElseThrow();
    }

    private static double deviation(double[] v) {
        double mean = mean(v);
        return Math.sqrt(Arrays.stream(v).map(x -> (x - mean) * (x - mean)).average().orElseThrow());
    }

    @Test
    default void theFirstUniformNumbersAreThePublishedPhiloxWordsOver2To24() {
        // Random123's known answers for philox4x32-10, key 0, counter 0
        long[] words = {0x6627e8d5L, 0xe169c58dL, 0xbc57ac4cL, 0x9b00dbd8L};
        double[] expected = Arrays.stream(words).mapToDouble(w -> (w >>> 8) * 0x1p-24).toArray();
        assertArrayEquals(expected, draw(RandomOp.UNIFORM, DType.FLOAT32, 4, 0, 1, 0, 0));
    }

    @Test
    default void anOffsetSkipsFourNumbers() {
        double[] all = draw(RandomOp.NORMAL, DType.FLOAT32, 300_000, 0, 1, 42, 7);
        double[] later = draw(RandomOp.NORMAL, DType.FLOAT32, 1003, 0, 1, 42, 7 + 50_000);
        assertArrayEquals(Arrays.copyOfRange(all, 200_000, 201_003), later);
    }

    @Test
    default void stridesDoNotChangeWhichNumberGoesWhere() {
        HostTensor out = empty(DType.FLOAT32, Layout.TRANSPOSED, 30, 50);
        kernels().random(RandomOp.UNIFORM, out.operand(), -1, 1, 3, 0, 0);
        assertArrayEquals(draw(RandomOp.UNIFORM, DType.FLOAT32, 1500, -1, 1, 3, 0), out.read());
    }

    @Test
    default void momentsAreRightInEveryFloatDtype() {
        int n = 200_000;
        for (DType dtype : FLOATS) {
            double[] normal = draw(RandomOp.NORMAL, dtype, n, 3, 2, 11, 0);
            // standard errors: 2 / sqrt(n) = 0.0045 and 2 / sqrt(2 n) = 0.0032; bounds at 5 of them
            assertEquals(3, mean(normal), 0.025, dtype + " mean");
            assertEquals(2, deviation(normal), 0.016, dtype + " deviation");
            double[] uniform = draw(RandomOp.UNIFORM, dtype, n, -2, 4, 12, 0);
            assertEquals(1, mean(uniform), 0.02, dtype + " mean");
            assertEquals(6 / Math.sqrt(12), deviation(uniform), 0.02, dtype + " deviation");
            assertTrue(Arrays.stream(uniform).allMatch(v -> v >= -2 && v <= 4), dtype + " range");
        }
        assertTrue(Arrays.stream(draw(RandomOp.NORMAL, DType.FLOAT32, n, 0, 1, 1, 0)).allMatch(Double::isFinite));
    }

    @Test
    default void integersAndCoinsAreFair() {
        double[] dice = draw(RandomOp.INTEGERS, DType.INT64, 60_000, 1, 7, 5, 0);
        for (int face = 1; face <= 6; face++) {
            int f = face;
            // binomial deviation sqrt(60000 * 1/6 * 5/6) = 91; bound at 5
            assertEquals(10_000, Arrays.stream(dice).filter(v -> v == f).count(), 456, "face " + face);
        }
        assertEquals(0.3, mean(draw(RandomOp.BERNOULLI, DType.FLOAT32, 60_000, 0.3, 0, 6, 0)), 0.01);
    }

    @Test
    default void dropoutScalesWhatItKeeps() {
        HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 1, 100_000);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 100_000);
        HostTensor mask = empty(DType.BOOL, Layout.CONTIGUOUS, 100_000);
        kernels().dropout(out.operand(), mask.operand(), in.operand(), 0.2, 9, 0, 0);
        double[] kept = mask.read();
        double[] got = out.read();
        assertEquals(0.8, mean(kept), 0.0065);
        for (int i = 0; i < got.length; i++) {
            assertEquals((float) in.values()[i] * (float) kept[i] * (float) (1 / 0.8), got[i], 1e-6, "element " + i);
        }
        kernels().dropout(out.operand(), mask.operand(), in.operand(), 1, 9, 0, 0);
        assertEquals(0, mean(mask.read()));
        assertTrue(Arrays.stream(out.read()).allMatch(v -> v == 0));
    }
}
