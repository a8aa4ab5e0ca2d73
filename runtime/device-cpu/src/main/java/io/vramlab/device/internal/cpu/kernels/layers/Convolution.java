package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.gemm.Gemm;
import io.vramlab.device.internal.cpu.kernels.gemm.Matrix;
import java.util.Arrays;

/**
 * Convolution as matrix products: each image's patches are laid out as columns ("im2col"), one row per weight, and a
 * product with the weights gives the image's output. Images follow each other, so sums over a batch have one order.
 * float64 goes through {@link DirectConvolution}.
 */
public final class Convolution {

    private final HostAccess host;
    private final Gemm gemm;

    public Convolution(HostAccess host, Gemm gemm) {
        this.host = host;
        this.gemm = gemm;
    }

    /** The sizes of one convolution; {@code taps} are the weights of one output channel. */
    private record Sizes(int images, int groups, int channels, int height, int width, int outputs, int outHeight,
            int outWidth, Window window) {

        static Sizes of(Operand in, Operand out, Window w) {
            return new Sizes(size(in, 0), w.groups(), size(in, 1) / w.groups(), size(in, 2), size(in, 3),
                    size(out, 1) / w.groups(), size(out, 2), size(out, 3), w);
        }

        private static int size(Operand operand, int dim) {
            return Math.toIntExact(operand.shape()[dim]);
        }

        int taps() {
            return channels * window.kernelH() * window.kernelW();
        }

        int plane() {
            return height * width;
        }

        int outPlane() {
            return outHeight * outWidth;
        }
    }

    private static float[] read(View view, long start, int n) {
        float[] values = new float[n];
        view.read(start, n, values);
        return values;
    }

    private void product(int m, int n, int k, Matrix c, Matrix a, Matrix b, float beta) {
        gemm.multiply(1, m, n, k, i -> new Gemm.Product(c, a, b), 1, beta);
    }

    public void forward(Operand out, Operand in, Operand weight, Operand bias, Window window) {
        if (out.dtype() == DType.FLOAT64) {
            new DirectConvolution(host).forward(out, in, weight, bias, window);
            return;
        }
        Sizes s = Sizes.of(in, out, window);
        View to = View.of(host, out);
        View from = View.of(host, in);
        View weights = View.of(host, weight);
        View shift = bias == null ? null : View.of(host, bias);
        float[] w = read(weights, 0, Math.toIntExact(weights.count));
        Parallel.range(s.images, 1, (first, end) -> {
            float[] columns = new float[s.taps() * s.outPlane()];
            float[] result = new float[s.outputs * s.outPlane()];
            for (long image = first; image < end; image++) {
                for (int g = 0; g < s.groups; g++) {
                    long group = image * s.groups + g;
                    unfold(read(from, group * s.channels * s.plane(), s.channels * s.plane()), columns, s);
                    product(s.outputs, s.outPlane(), s.taps(), Matrix.of(result, 0, s.outPlane()),
                            Matrix.of(w, (long) g * s.outputs * s.taps(), s.taps()),
                            Matrix.of(columns, 0, s.outPlane()), 0);
                    add(result, shift, g * s.outputs, s);
                    to.write(group * result.length, result.length, result);
                }
            }
        });
    }

    private static void add(float[] result, View shift, int firstOutput, Sizes s) {
        for (int k = 0; shift != null && k < s.outputs; k++) {
            float b = (float) shift.getDouble(firstOutput + k);
            for (int i = k * s.outPlane(); i < (k + 1) * s.outPlane(); i++) {
                result[i] += b;
            }
        }
    }

    public void backwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window) {
        if (gradIn.dtype() == DType.FLOAT64) {
            new DirectConvolution(host).backwardInput(gradIn, gradOut, weight, window);
            return;
        }
        Sizes s = Sizes.of(gradIn, gradOut, window);
        View to = View.of(host, gradIn);
        View grads = View.of(host, gradOut);
        View weights = View.of(host, weight);
        float[] w = read(weights, 0, Math.toIntExact(weights.count));
        Parallel.range(s.images, 1, (first, end) -> {
            float[] columns = new float[s.taps() * s.outPlane()];
            for (long image = first; image < end; image++) {
                for (int g = 0; g < s.groups; g++) {
                    long group = image * s.groups + g;
                    float[] grad = read(grads, group * s.outputs * s.outPlane(), s.outputs * s.outPlane());
                    product(s.taps(), s.outPlane(), s.outputs, Matrix.of(columns, 0, s.outPlane()),
                            Matrix.of(w, (long) g * s.outputs * s.taps(), s.taps()).transposed(),
                            Matrix.of(grad, 0, s.outPlane()), 0);
                    float[] image1 = new float[s.channels * s.plane()];
                    fold(columns, image1, s);
                    to.write(group * image1.length, image1.length, image1);
                }
            }
        });
    }

    public void backwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window) {
        if (gradWeight.dtype() == DType.FLOAT64) {
            new DirectConvolution(host).backwardWeight(gradWeight, gradOut, in, window);
            return;
        }
        Sizes s = Sizes.of(in, gradOut, window);
        View to = View.of(host, gradWeight);
        View grads = View.of(host, gradOut);
        View from = View.of(host, in);
        float[] sums = new float[Math.toIntExact(to.count)];
        float[] columns = new float[s.taps() * s.outPlane()];
        for (int image = 0; image < s.images; image++) {
            for (int g = 0; g < s.groups; g++) {
                long group = (long) image * s.groups + g;
                unfold(read(from, group * s.channels * s.plane(), s.channels * s.plane()), columns, s);
                float[] grad = read(grads, group * s.outputs * s.outPlane(), s.outputs * s.outPlane());
                product(s.outputs, s.taps(), s.outPlane(),
                        Matrix.of(sums, (long) g * s.outputs * s.taps(), s.taps()), Matrix.of(grad, 0, s.outPlane()),
                        Matrix.of(columns, 0, s.outPlane()).transposed(), 1);
            }
        }
        to.write(0, sums.length, sums);
    }

    /** A run of output positions of one weight, {@code n} from {@code at} on, whose sources are {@code step} apart. */
    private interface Visitor {
        void visit(int at, int source, int step, int n);
    }

    /** Lays out patches: row (channel, kernel row, kernel column), one column per output position. */
    private static void unfold(float[] image, float[] columns, Sizes s) {
        Arrays.fill(columns, 0);
        walk(s, (at, source, step, n) -> {
            for (int i = 0; i < n; i++) {
                columns[at + i] = image[source + i * step];
            }
        });
    }

    /** Adds each patch back to where it came from. */
    private static void fold(float[] columns, float[] image, Sizes s) {
        walk(s, (at, source, step, n) -> {
            for (int i = 0; i < n; i++) {
                image[source + i * step] += columns[at + i];
            }
        });
    }

    /** Visits the runs that lie inside the image; what is left out is padding. */
    private static void walk(Sizes s, Visitor visitor) {
        Window w = s.window;
        int row = 0;
        for (int c = 0; c < s.channels; c++) {
            for (int kh = 0; kh < w.kernelH(); kh++) {
                for (int kw = 0; kw < w.kernelW(); kw++) {
                    Interruptible.check();
                    int left = kw * w.dilationW() - w.padW();
                    // the outputs whose source column left + x * stride lies in 0 ... width - 1
                    int first = left >= 0 ? 0 : (-left + w.strideW() - 1) / w.strideW();
                    int end = Math.min(s.outWidth, s.width - left <= 0 ? 0 : (s.width - left - 1) / w.strideW() + 1);
                    for (int y = 0; first < end && y < s.outHeight; y++) {
                        int line = y * w.strideH() - w.padH() + kh * w.dilationH();
                        if (line >= 0 && line < s.height) {
                            visitor.visit((row * s.outHeight + y) * s.outWidth + first,
                                    c * s.plane() + line * s.width + left + first * w.strideW(), w.strideW(),
                                    end - first);
                        }
                    }
                    row++;
                }
            }
        }
    }
}
