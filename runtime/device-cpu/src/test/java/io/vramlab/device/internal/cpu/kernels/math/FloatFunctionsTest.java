package io.vramlab.device.internal.cpu.kernels.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Elementary functions in float: their error, and that vector lanes give the scalar code's bits. */
class FloatFunctionsTest {

    private interface Function {
        void apply(FloatFunctions f, float[] to, float[] from, int n);
    }

    private static float[] inputs() {
        Random random = new Random(1);
        float[] x = new float[200_003];
        float[] special = {0, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 0.625f,
                1, -1, 3.95f, 88.72f, 88.73f, -87.33f, -103.9f, -104.1f, 1e30f, -1e30f};
        for (int i = 0; i < x.length; i++) {
            x[i] = i < special.length ? special[i] : (float) (random.nextGaussian() * (i % 3 == 0 ? 30 : 1));
        }
        return x;
    }

    /** Largest distance to the exact value, in units of the last place of a float. */
    private static double error(Function function, DoubleUnaryOperator exact) {
        float[] x = inputs();
        float[] y = new float[x.length];
        function.apply(new PlainFunctions(), y, x, x.length);
        double worst = 0;
        for (int i = 0; i < x.length; i++) {
            double e = exact.applyAsDouble(x[i]);
            if (Double.isNaN(e) || Math.abs(e) > Float.MAX_VALUE || Math.abs(e) < Float.MIN_NORMAL) {
                assertTrue(Float.isNaN(y[i]) == Double.isNaN(e), "x=" + x[i] + " gave " + y[i]);
                assertTrue(Double.isNaN(e) || Math.abs((float) e - y[i]) < Float.MIN_NORMAL || (float) e == y[i],
                        "x=" + x[i] + " gave " + y[i]);
            } else {
                worst = Math.max(worst, Math.abs(y[i] - e) / Math.ulp((float) e));
            }
        }
        return worst;
    }

    private static void assertError(double bound, Function function, DoubleUnaryOperator exact) {
        double error = error(function, exact);
        assertTrue(error <= bound, "error of " + error + " units in the last place");
    }

    @Test
    void theExponentialErrsByLittleMoreThanHalfAUnit() {
        assertError(1.1, FloatFunctions::exp, Math::exp);
    }

    @Test
    void theTangentErrsByLessThanTwoUnits() {
        assertError(2, FloatFunctions::tanh, Math::tanh);
    }

    @Test
    void theSigmoidErrsByLessThanTwoAndAHalfUnits() {
        assertError(2.5, FloatFunctions::sigmoid, x -> 1 / (1 + Math.exp(-x)));
    }

    @Test
    void theErrorFunctionErrsByLessThanTwoUnits() {
        assertError(2, FloatFunctions::erf, Erf::erf);
    }

    @Test
    void vectorLanesGiveTheScalarBits() {
        float[] x = inputs();
        float[] plain = new float[x.length];
        float[] vector = new float[x.length];
        Function[] all = {FloatFunctions::exp, FloatFunctions::tanh, FloatFunctions::sigmoid, FloatFunctions::erf};
        for (Function function : all) {
            function.apply(new PlainFunctions(), plain, x, x.length);
            function.apply(new VectorFunctions(), vector, x, x.length);
            assertArrayEquals(plain, vector);
        }
    }

    @Test
    void theErrorFunctionInDoubleMatchesPublishedValues() {
        // Abramowitz and Stegun, table 7.1
        assertTrue(Math.abs(Erf.erf(0.5) - 0.5204998778130465) < 1e-15);
        assertTrue(Math.abs(Erf.erf(1) - 0.8427007929497149) < 1e-15);
        assertTrue(Math.abs(Erf.erf(2) - 0.9953222650189527) < 1e-15);
        assertTrue(Math.abs(Erf.erfc(4) / 1.541725790028002e-8 - 1) < 1e-13);
        assertTrue(Math.abs(Erf.erfc(2.5) / 4.069520174449589e-4 - 1) < 1e-13);
    }
}
