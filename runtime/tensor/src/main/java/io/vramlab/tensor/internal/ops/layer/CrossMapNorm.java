package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/**
 * Caffe's local response norm across channels, as torch.nn.CrossMapLRN2d: sums of squares from channel c - (size - 1) / 2 on to c +
 * (size - 1) / 2. It keeps the sums and the result for backward, and takes what PyTorch's takes; values come from the host.
 */
public final class CrossMapNorm {

    private CrossMapNorm() {
    }

    /** a [n, channels, h, w] times (k + alpha / size sum)^-beta. */
    public static TensorImpl of(TensorImpl a, int size, double alpha, double beta, double k) {
        if (a.rank() != 4) {
            throw new TensorException("CrossMapLRN2d was given a tensor of shape " + Shape.text(a.shape())
                    + ": Expected input to be 4D, got " + a.rank() + "D instead.");
        }
        Form f = Form.of(a.shape(), size);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl scale = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            HostLoops.fill(scale, () -> scales(f, HostLoops.read(a), alpha / size, k));
            HostLoops.fill(out, () -> times(HostLoops.read(a), HostLoops.read(scale), beta));
            if (Graph.wanted(a)) {
                Node node = Graph.recordSeveral("CrossMapLRN2dBackward", new TensorImpl[]{out},
                        new Slope(f, scale.retain(), 2 * alpha * beta / size, beta), a);
                node.save(Graph.input(node, a), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    /** The gradient. As PyTorch's function written in Python it holds the sums itself, not among what is saved: until its node goes. */
    private record Slope(Form form, TensorImpl scale, double ratio, double beta) implements Graph.SeveralFormula {

        @Override
        public TensorImpl[] apply(Node node, TensorImpl[] grads) {
            return new TensorImpl[]{grads[0] == null ? null : backward(form, node, grads[0], scale, ratio, beta)};
        }

        @Override
        public void gone() {
            scale.release();
        }
    }

    private record Form(int n, int channels, int plane, int size, long[] shape) {

        static Form of(long[] s, int size) {
            return new Form((int) s[0], (int) s[1], (int) (s[2] * s[3]), size, s);
        }
    }

    private static double[] scales(Form f, double[] x, double factor, double k) {
        double[] out = new double[x.length];
        int reach = (f.size - 1) / 2;
        for (int i = 0; i < x.length; i++) {
            int c = i / f.plane % f.channels;
            double sum = 0;
            for (int o = Math.max(0, c - reach); o <= Math.min(f.channels - 1, c + reach); o++) {
                double v = x[i + (o - c) * f.plane];
                sum += v * v;
            }
            out[i] = k + factor * sum;
        }
        return out;
    }

    private static double[] times(double[] x, double[] scale, double beta) {
        double[] out = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            out[i] = x[i] * Math.pow(scale[i], -beta);
        }
        return out;
    }

    private static TensorImpl backward(Form f, Node node, TensorImpl g, TensorImpl scale, double ratio,
            double beta) {
        TensorImpl a = node.saved(0);
        TensorImpl y = node.saved(1);
        try (Temps t = new Temps()) {
            // the ratios of one picture's channels, and their running sum
            t.own(TensorImpl.empty(a.device(), a.dtype(), f.channels + f.size - 1, f.shape[2], f.shape[3]));
            t.own(TensorImpl.empty(a.device(), a.dtype(), f.shape[2], f.shape[3]));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            HostLoops.fill(out, () -> slopes(f, HostLoops.read(g), HostLoops.read(a), HostLoops.read(y),
                    HostLoops.read(scale), ratio, beta));
            return t.give(out);
        }
    }

    private static double[] slopes(Form f, double[] g, double[] x, double[] y, double[] scale, double ratio,
            double beta) {
        double[] out = new double[x.length];
        // where PyTorch's padding puts the channels: size - (size - 1) / 2 before them, truncated
        int before = (int) (f.size - (f.size - 1) / 2.0);
        for (int i = 0; i < x.length; i++) {
            int c = i / f.plane % f.channels;
            double sum = 0;
            for (int at = c; at < c + f.size; at++) {
                int o = at - before;
                if (o >= 0 && o < f.channels) {
                    int j = i + (o - c) * f.plane;
                    sum += g[j] * y[j] / scale[j];
                }
            }
            out[i] = Math.pow(scale[i], -beta) * g[i] - ratio * x[i] * sum;
        }
        return out;
    }
}
