package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.Kernels;
import io.vramlab.device.kernels.HostTensor.Layout;

/** What the contracts of the kernel families share: the device under test and comparisons. */
interface KernelsHarness {

    DType[] FLOATS = {DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16};

    /** The device under test. */
    DeviceDriver driver();

    default Kernels kernels() {
        return driver().kernels();
    }

    default HostTensor random(DType dtype, Layout layout, long seed, long... shape) {
        return HostTensor.random(driver(), dtype, layout, seed, shape);
    }

    default HostTensor empty(DType dtype, Layout layout, long... shape) {
        return HostTensor.empty(driver(), dtype, layout, shape);
    }

    default HostTensor tensor(DType dtype, long[] shape, double... values) {
        return HostTensor.of(driver(), dtype, Layout.CONTIGUOUS, shape, values);
    }

    /**
     * Holds each value against its reference: NaN and infinities exactly, else within {@code roundings} roundings of
     * the dtype, relative to {@code scale} where that is larger than the value.
     */
    static void assertClose(DType dtype, double[] expected, double[] actual, double roundings, double scale,
            String what) {
        assertEquals(expected.length, actual.length, what);
        for (int i = 0; i < expected.length; i++) {
            double e = HostTensor.rounding(dtype).applyAsDouble(expected[i]);
            double bound = roundings * HostTensor.epsilon(dtype) * Math.max(Math.abs(e), scale);
            boolean close = Double.isNaN(e) || Double.isInfinite(e)
                    ? Double.compare(e, actual[i]) == 0
                    : Math.abs(e - actual[i]) <= bound;
            if (!close) {
                fail(what + " element " + i + " expected " + e + " was " + actual[i]);
            }
        }
    }
}
