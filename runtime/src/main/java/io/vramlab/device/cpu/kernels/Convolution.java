package io.vramlab.device.cpu.kernels;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Kernels.Window;
import io.vramlab.device.Operand;

/**
 * Convolution as matrix products: each image's patches are laid out as columns ("im2col"), one row per weight, and a
 * product with the weights gives the image's output. Images follow each other, so sums over a batch have one order.
 * float64 goes through {@link DirectConvolution}.
 */
final class Convolution {

    private final HostAccess host;
    private final Gemm gemm;

    Convolution(HostAccess host, Gemm gemm) {
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

    void forward(Operand out, Operand in, Operand weight, Operand bias, Window window) {
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

    void backwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window) {
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

    void backwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window) {
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

    /** Lays out patches: row (channel, kernel row, kernel column), one column per output position. */
    private static void unfold(float[] image, float[] columns, Sizes s) {
        walk(s, (row, source, at) -> columns[row * s.outPlane() + at] = source < 0 ? 0 : image[source]);
    }

    /** Adds each patch back to where it came from. */
    private static void fold(float[] columns, float[] image, Sizes s) {
        walk(s, (row, source, at) -> {
            if (source >= 0) {
                image[source] += columns[row * s.outPlane() + at];
            }
        });
    }

    /** One element of a patch: its row, its source in the image (-1 in the padding), its output position. */
    private interface Visitor {
        void visit(int row, int source, int at);
    }

    private static void walk(Sizes s, Visitor visitor) {
        Window w = s.window;
        int row = 0;
        for (int c = 0; c < s.channels; c++) {
            for (int kh = 0; kh < w.kernelH(); kh++) {
                for (int kw = 0; kw < w.kernelW(); kw++) {
                    for (int at = 0; at < s.outPlane(); at++) {
                        int y = at / s.outWidth * w.strideH() - w.padH() + kh * w.dilationH();
                        int x = at % s.outWidth * w.strideW() - w.padW() + kw * w.dilationW();
                        boolean inside = y >= 0 && y < s.height && x >= 0 && x < s.width;
                        visitor.visit(row, inside ? c * s.plane() + y * s.width + x : -1, at);
                    }
                    row++;
                }
            }
        }
    }
}
