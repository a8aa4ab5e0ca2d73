package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/** Convolution straight from its definition, in double: for float64, where exactness counts and speed does not. */
final class DirectConvolution {

    /** Outputs between two looks for an interrupt. */
    private static final int LOOK = 256;

    private final HostAccess host;

    DirectConvolution(HostAccess host) {
        this.host = host;
    }

    /** One product of the definition: output element, input element, weight element. */
    private interface Visitor {
        void visit(int out, int in, int weight);
    }

    private double[] read(Operand operand) {
        View view = View.of(host, operand);
        double[] values = new double[Math.toIntExact(view.count)];
        view.read(0, values.length, values);
        return values;
    }

    void forward(Operand out, Operand in, Operand weight, Operand bias, Window window) {
        double[] x = read(in);
        double[] w = read(weight);
        double[] y = new double[Math.toIntExact(out.count())];
        if (bias != null) {
            double[] b = read(bias);
            int plane = Math.toIntExact(out.shape()[2] * out.shape()[3]);
            for (int i = 0; i < y.length; i++) {
                y[i] = b[i / plane % b.length];
            }
        }
        walk(out, in, window, (o, i, k) -> y[o] += x[i] * w[k]);
        View.of(host, out).write(0, y.length, y);
    }

    void backwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window) {
        double[] g = read(gradOut);
        double[] w = read(weight);
        double[] x = new double[Math.toIntExact(gradIn.count())];
        walk(gradOut, gradIn, window, (o, i, k) -> x[i] += g[o] * w[k]);
        View.of(host, gradIn).write(0, x.length, x);
    }

    void backwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window) {
        double[] g = read(gradOut);
        double[] x = read(in);
        double[] w = new double[Math.toIntExact(gradWeight.count())];
        walk(gradOut, in, window, (o, i, k) -> w[k] += g[o] * x[i]);
        View.of(host, gradWeight).write(0, w.length, w);
    }

    private static void walk(Operand out, Operand in, Window w, Visitor visitor) {
        int channels = (int) in.shape()[1];
        int height = (int) in.shape()[2];
        int width = (int) in.shape()[3];
        int outputs = (int) out.shape()[1];
        int outHeight = (int) out.shape()[2];
        int outWidth = (int) out.shape()[3];
        int perGroup = channels / w.groups();
        for (int o = 0; o < out.count(); o++) {
            if ((o + 1) % LOOK == 0) {
                Interruptible.check();
            }
            int image = o / (outputs * outHeight * outWidth);
            int output = o / (outHeight * outWidth) % outputs;
            int top = o / outWidth % outHeight * w.strideH() - w.padH();
            int left = o % outWidth * w.strideW() - w.padW();
            int firstChannel = output / (outputs / w.groups()) * perGroup;
            for (int t = 0; t < perGroup * w.kernelH() * w.kernelW(); t++) {
                int channel = firstChannel + t / (w.kernelH() * w.kernelW());
                int y = top + t / w.kernelW() % w.kernelH() * w.dilationH();
                int x = left + t % w.kernelW() * w.dilationW();
                if (y >= 0 && y < height && x >= 0 && x < width) {
                    visitor.visit(o, ((image * channels + channel) * height + y) * width + x,
                            output * perGroup * w.kernelH() * w.kernelW() + t);
                }
            }
        }
    }
}
