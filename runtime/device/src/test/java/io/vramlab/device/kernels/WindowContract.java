package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.kernels.HostTensor.Layout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Convolution and pooling against loops over windows. */
interface WindowContract extends KernelsHarness {

    Window[] WINDOWS = {new Window(3, 3, 1, 1, 1, 1, 1, 1, 1), new Window(3, 2, 2, 1, 0, 1, 1, 2, 1),
            new Window(1, 1, 1, 1, 0, 0, 1, 1, 2), new Window(3, 3, 2, 2, 1, 1, 1, 1, 2)};

    private static long outSize(long in, int kernel, int stride, int pad, int dilation) {
        return (in + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
    }

    private static long[] outShape(Window w, long n, long k, long h, long wide) {
        return new long[]{n, k, outSize(h, w.kernelH(), w.strideH(), w.padH(), w.dilationH()),
                outSize(wide, w.kernelW(), w.strideW(), w.padW(), w.dilationW())};
    }

    private static double at(double[] v, long[] shape, long n, long c, long h, long w) {
        return h < 0 || w < 0 || h >= shape[2] || w >= shape[3]
                ? 0
                : v[(int) (((n * shape[1] + c) * shape[2] + h) * shape[3] + w)];
    }

    private static double[] convolve(HostTensor in, HostTensor weight, double[] bias, long[] out, Window w) {
        double[] y = new double[HostTensor.count(out)];
        long perGroup = weight.operand().shape()[1];
        for (int i = 0; i < y.length; i++) {
            long column = i % out[3];
            long row = i / out[3] % out[2];
            long k = i / out[3] / out[2] % out[1];
            long n = i / out[3] / out[2] / out[1];
            double sum = bias == null ? 0 : bias[(int) k];
            for (int c = 0; c < perGroup; c++) {
                for (int kh = 0; kh < w.kernelH(); kh++) {
                    for (int kw = 0; kw < w.kernelW(); kw++) {
                        sum += at(in.values(), in.operand().shape(), n, k / (out[1] / w.groups()) * perGroup + c,
                                row * w.strideH() - w.padH() + kh * w.dilationH(),
                                column * w.strideW() - w.padW() + kw * w.dilationW())
                                * at(weight.values(), weight.operand().shape(), k, c, kh, kw);
                    }
                }
            }
            y[i] = sum;
        }
        return y;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Test
    default void convolutionEqualsItsDefinitionAndItsGradientsAreItsTransposes() {
        for (Window w : WINDOWS) {
            for (DType dtype : FLOATS) {
                HostTensor in = random(dtype, Layout.CONTIGUOUS, 1, 3, 4, 9, 8);
                HostTensor weight = random(dtype, Layout.CONTIGUOUS, 2, 6, 4 / w.groups(), w.kernelH(), w.kernelW());
                HostTensor bias = random(dtype, Layout.CONTIGUOUS, 3, 6);
                long[] shape = outShape(w, 3, 6, 9, 8);
                HostTensor out = empty(dtype, Layout.CONTIGUOUS, shape);
                kernels().conv2d(out.operand(), in.operand(), weight.operand(), bias.operand(), w, 0);
                KernelsHarness.assertClose(dtype, convolve(in, weight, bias.values(), shape, w), out.read(), 16, 8,
                        w + " " + dtype);

                HostTensor g = random(dtype, Layout.CONTIGUOUS, 4, shape);
                HostTensor gradIn = empty(dtype, Layout.CONTIGUOUS, 3, 4, 9, 8);
                HostTensor gradWeight = empty(dtype, Layout.CONTIGUOUS, weight.operand().shape());
                kernels().conv2dBackwardInput(gradIn.operand(), g.operand(), weight.operand(), w, 0);
                kernels().conv2dBackwardWeight(gradWeight.operand(), g.operand(), in.operand(), w, 0);
                // convolution is linear in each: <g, conv(x)> = <gradient for x, x>, and so for the weight
                double inner = dot(g.values(), convolve(in, weight, null, shape, w));
                double bound = HostTensor.epsilon(dtype) * 64 * Math.sqrt(g.values().length) * 8;
                assertEquals(inner, dot(gradIn.read(), in.values()), bound, "input " + w + " " + dtype);
                assertEquals(inner, dot(gradWeight.read(), weight.values()), bound, "weight " + w + " " + dtype);
            }
        }
    }

    @Test
    default void maxPoolingTellsWhereAndItsGradientGoesThere() {
        Window w = new Window(3, 3, 2, 2, 1, 1, 1, 1, 1);
        HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 5, 2, 3, 7, 6);
        long[] shape = outShape(w, 2, 3, 7, 6);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, shape);
        HostTensor indices = empty(DType.INT64, Layout.CONTIGUOUS, shape);
        kernels().maxPool2d(out.operand(), indices.operand(), in.operand(), w, 0);
        double[] values = out.read();
        double[] where = indices.read();
        double[] expectedGradient = new double[in.values().length];
        HostTensor g = random(DType.FLOAT32, Layout.CONTIGUOUS, 6, shape);
        for (int i = 0; i < values.length; i++) {
            long column = i % shape[3] * 2 - 1;
            long row = i / shape[3] % shape[2] * 2 - 1;
            long plane = i / shape[3] / shape[2];
            double best = Double.NEGATIVE_INFINITY;
            long index = -1;
            for (long r = Math.max(0, row); r < Math.min(7, row + 3); r++) {
                for (long c = Math.max(0, column); c < Math.min(6, column + 3); c++) {
                    double v = in.values()[(int) (plane * 42 + r * 6 + c)];
                    index = v > best ? r * 6 + c : index;
                    best = Math.max(best, v);
                }
            }
            assertEquals(best, values[i], "element " + i);
            assertEquals(index, where[i], "index " + i);
            expectedGradient[(int) (plane * 42 + index)] += g.values()[i];
        }
        HostTensor gradIn = tensor(DType.FLOAT32, new long[]{2, 3, 7, 6}, new double[252]);
        kernels().maxPool2dBackward(gradIn.operand(), g.operand(), indices.operand(), w, 0);
        KernelsHarness.assertClose(DType.FLOAT32, expectedGradient, gradIn.read(), 4, 1, "gradient");
    }

    @Test
    default void notANumberWinsAWindow() {
        Window w = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);
        HostTensor in = tensor(DType.FLOAT32, new long[]{1, 1, 2, 2}, 5, Double.NaN, 9, 1);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1, 1, 1);
        HostTensor indices = empty(DType.INT64, Layout.CONTIGUOUS, 1, 1, 1, 1);
        kernels().maxPool2d(out.operand(), indices.operand(), in.operand(), w, 0);
        assertArrayEquals(new double[]{Double.NaN}, out.read());
        assertArrayEquals(new double[]{1}, indices.read());
    }

    @Test
    default void theMeanOfAWindowCountsPadding() {
        Window w = new Window(2, 2, 2, 2, 1, 1, 1, 1, 1);
        HostTensor in = tensor(DType.FLOAT32, new long[]{1, 1, 2, 2}, 4, 8, 12, 16);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1, 2, 2);
        kernels().avgPool2d(out.operand(), in.operand(), w, 0);
        assertArrayEquals(new double[]{1, 2, 3, 4}, out.read());
        HostTensor gradIn = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1, 2, 2);
        kernels().avgPool2dBackward(gradIn.operand(), out.operand(), w, 0);
        assertArrayEquals(new double[]{0.25, 0.5, 0.75, 1}, gradIn.read());
    }

    @Tag("loses-device")
    @Test
    default void aPoolingIndexOutsideItsPlaneIsAFault() {
        Window w = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);
        HostTensor gradIn = tensor(DType.FLOAT32, new long[]{1, 1, 2, 2}, new double[4]);
        HostTensor g = random(DType.FLOAT32, Layout.CONTIGUOUS, 7, 1, 1, 1, 1);
        HostTensor indices = tensor(DType.INT64, new long[]{1, 1, 1, 1}, 4);
        assertThrows(DeviceFaultException.class, () -> {
            kernels().maxPool2dBackward(gradIn.operand(), g.operand(), indices.operand(), w, 0);
            driver().synchronize();
        });
    }
}
