package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.BatchNormScratch;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.LayerNormParts;
import io.vramlab.footprint.ReductionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Layer norm, batch norm and dropout: operations with statistics or masks that backward needs. */
public final class Normalization {

    private Normalization() {
    }

    /** Over the last {@code normalized.length} dimensions; weight and bias of that shape, or null. */
    public static TensorImpl layerNorm(TensorImpl a, long[] normalized, TensorImpl weight, TensorImpl bias,
            double eps) {
        int lead = a.rank() - normalized.length;
        if (lead < 0 || normalized.length == 0
                || !Arrays.equals(Arrays.copyOfRange(a.shape(), lead, a.rank()), normalized)) {
            throw new TensorException("layerNorm over " + Shape.text(normalized) + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": its last sizes must be those.");
        }
        requireShape("layerNorm's weight", weight, normalized);
        requireShape("layerNorm's bias", bias, normalized);
        long columns = Shape.count(normalized);
        long rows = columns == 0 ? 0 : a.count() / columns;
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl mean = t.own(TensorImpl.empty(a.device(), statistics(a), rows));
            TensorImpl rstd = t.own(TensorImpl.empty(a.device(), statistics(a), rows));
            if (a.count() > 0) {
                a.driver().kernels().layerNorm(rows(out, rows, columns), mean.operand(), rstd.operand(),
                        rows(x, rows, columns), flat(weight), flat(bias), eps, a.stream());
            }
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("NativeLayerNormBackward0", out,
                        (n, g) -> layerNormBackward(n, g, rows, columns), a, weight, bias);
                node.save(Graph.input(node, a), Graph.input(node, mean), Graph.input(node, rstd),
                        Graph.inputIf(weight != null, node, weight), Graph.inputIf(bias != null, node, bias));
            }
            return t.give(out);
        }
    }

    private static TensorImpl[] layerNormBackward(Node n, TensorImpl g, long rows, long columns) {
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(n.saved(0)));
            TensorImpl gradIn = n.wants(0) ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            TensorImpl gradWeight = n.wants(1) ? t.own(like(n.saved(3))) : null;
            TensorImpl gradBias = n.wants(2) ? t.own(like(n.saved(4))) : null;
            TensorImpl dense = t.own(Copies.contiguous(g));
            if (x.device().isCuda() && LayerNormParts.apply(x.driver().properties(), rows, columns)) {
                TensorImpl[] sums = sumOfParts(t, rows, columns, gradWeight, gradBias);
                gradWeight = sums[0];
                gradBias = sums[1];
            }
            if (x.count() > 0) {
                x.driver().kernels().layerNormBackward(gradIn == null ? null : rows(gradIn, rows, columns),
                        flat(gradWeight), flat(gradBias), rows(dense, rows, columns), rows(x, rows, columns),
                        n.saved(1).operand(), n.saved(2).operand(), flat(n.saved(3)), x.stream());
            }
            TensorImpl[] gradients = {gradIn, gradWeight, gradBias};
            LayerNormSlopes.record(gradients, g, n, rows, columns);
            return t.give(gradients);
        }
    }

    /** Takes the matrices and replaces the gradients, which may be null, by the sums of their rows. */
    static TensorImpl[] sumOfParts(Temps t, long rows, long columns, TensorImpl... gradients) {
        TensorImpl[] parts = new TensorImpl[gradients.length];
        TensorImpl[] sums = new TensorImpl[gradients.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = gradients[i] == null
                    ? null
                    : t.own(TensorImpl.empty(gradients[i].device(), gradients[i].dtype(), LayerNormParts.parts(rows),
                            columns));
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] != null) {
                sums[i] = t.own(like(gradients[i]));
                TensorImpl part = parts[i];
                Scratch.pass(part, device -> ReductionScratch.of(part.operand(), new boolean[]{true, false},
                        Accumulator.bytes(ReduceOp.SUM, part.dtype()), device).footprint());
                t.free(gradients[i]);
            }
        }
        for (int i = parts.length - 1; i >= 0; i--) {
            if (parts[i] != null) {
                t.free(parts[i]);
            }
        }
        return sums;
    }

    /** What a rule takes for channels that lie side by side. */
    private interface ChannelRule {

        Footprint of(DeviceProperties device, DType dtype, long rows, long channels);
    }

    private static void passChannels(TensorImpl x, ChannelRule rule) {
        if (x.strides()[1] == 1 && x.count() > 0) {
            long channels = x.shape()[1];
            Scratch.pass(x, device -> rule.of(device, x.dtype(), x.count() / channels, channels));
        }
    }

    private static DType statistics(TensorImpl a) {
        return a.dtype().bytes() < 4 ? DType.FLOAT32 : a.dtype();
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    private static Operand rows(TensorImpl a, long rows, long columns) {
        long[] shape = {rows, columns};
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static Operand flat(TensorImpl a) {
        long[] shape = {a == null ? 0 : a.count()};
        return a == null ? null : new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static void requireShape(String what, TensorImpl a, long[] shape) {
        if (a != null && !Arrays.equals(a.shape(), shape)) {
            throw new TensorException(what + " has shape " + Shape.text(a.shape()) + ", but " + Shape.text(shape)
                    + " is needed.");
        }
    }

    /**
     * Of [n, c] or [n, c, …]. Running statistics are updated when training and used otherwise; weight, bias and running
     * statistics are [c] or null.
     */
    public static TensorImpl batchNorm(TensorImpl a, TensorImpl runningMean, TensorImpl runningVar, TensorImpl weight,
            TensorImpl bias, boolean training, double momentum, double eps) {
        if (a.rank() < 2) {
            throw new TensorException("batchNorm was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it takes at least [n, channels].");
        }
        long[] channels = {a.shape()[1]};
        if (training && a.count() == channels[0]) {
            throw new TensorException("Expected more than 1 value per channel when training, got input size "
                    + Shape.text(a.shape()) + ": use a larger batch, or eval().");
        }
        for (TensorImpl p : new TensorImpl[]{runningMean, runningVar, weight, bias}) {
            requireShape("batchNorm's parameter", p, channels);
        }
        if (!training && (runningMean == null || runningVar == null)) {
            throw new TensorException(
                    "batchNorm was asked to use running statistics, but there are none: train first, or "
                            + "keep them with trackRunningStats.");
        }
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            // cuDNN keeps no statistics that it did not make
            boolean vendor = isForVendor(a, weight, bias, training, eps);
            long[] kept = training || !vendor ? channels : new long[]{0};
            TensorImpl mean = t.own(TensorImpl.empty(a.device(), statistics(a), kept));
            TensorImpl invStd = t.own(TensorImpl.empty(a.device(), statistics(a), kept));
            if (training) {
                passChannels(x, BatchNormScratch::forward);
            }
            a.driver().kernels().batchNorm(planes(out), mean.operand(), invStd.operand(), planes(x), flat(weight),
                    flat(bias), flat(runningMean), flat(runningVar), training, momentum, eps, a.stream());
            if (training) {
                bump(runningMean);
                bump(runningVar);
            } else if (kept[0] != 0) {
                Launch.into(ElementOp.COPY, Launch.NONE, mean, runningMean);
                Launch.into(ElementOp.ADD_SCALAR, new double[]{eps}, invStd, runningVar);
                Launch.into(ElementOp.RSQRT, Launch.NONE, invStd, invStd);
            }
            boolean made = training || !vendor;
            DType biasType = bias == null ? null : bias.dtype();
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("NativeBatchNormBackward0", out,
                        (n, g) -> batchNormBackward(n, g, training, made, vendor && training, eps, biasType), a, weight,
                        bias);
                node.save(Graph.input(node, a), Graph.inputIf(weight != null, node, weight),
                        Graph.input(node, made ? mean : runningMean),
                        Graph.input(node, made ? invStd : runningVar));
            }
            return t.give(out);
        }
    }

    /**
     * What PyTorch gives to cuDNN (batch_norm_impl_index): spatial dimensions, a weight and a bias of float32 at least, and
     * no input of bfloat16.
     */
    private static boolean isForVendor(TensorImpl a, TensorImpl weight, TensorImpl bias, boolean training, double eps) {
        return a.rank() > 2 && a.dtype() != DType.BFLOAT16 && weight != null && bias != null
                && a.shape()[0] <= (training ? 880_801 : 65_535)
                && eps >= 1e-5 && weight.dtype().bytes() >= Float.BYTES;
    }

    private static void bump(TensorImpl a) {
        if (a != null) {
            a.bumpVersion();
        }
    }

    private static TensorImpl[] batchNormBackward(Node n, TensorImpl g, boolean training, boolean made,
            boolean byVendor, double eps, DType biasType) {
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(n.saved(0)));
            TensorImpl weight = n.saved(1);
            TensorImpl mean = n.saved(2);
            TensorImpl deviation = n.saved(3);
            // as PyTorch's batch_norm_backward_cuda: planes that lie one after another have one kernel for all; else the
            // gradient is reduced per channel into two vectors first, and the input's gradient comes last
            boolean reduces = training || n.wants(1) || n.wants(2);
            boolean fused = reduces && n.wants(0) && isPlanar(x);
            if (!made && !fused) {
                deviation = invStd(t.own(like(deviation)), deviation, eps);
            }
            TensorImpl gradIn = fused ? t.own(like(x)) : null;
            if (!fused && reduces && (n.wants(0) || !isPlanar(x))) {
                // the kernel for channels that lie together has the two sums, whoever asks
                t.own(TensorImpl.empty(x.device(), mean.dtype(), x.shape()[1]));
                t.own(TensorImpl.empty(x.device(), mean.dtype(), x.shape()[1]));
            }
            // cuDNN computes all three, whoever asks
            TensorImpl gradWeight = byVendor || n.wants(1) ? t.own(like(weight)) : null;
            TensorImpl gradBias = byVendor || n.wants(2)
                    ? t.own(TensorImpl.empty(x.device(), biasType, x.shape()[1]))
                    : null;
            if (!fused && reduces && g.isContiguous()) {
                passChannels(x, BatchNormScratch::backward);
            }
            if (n.wants(0) && !fused) {
                gradIn = t.own(like(x));
            }
            Operand gradOut = planes(g);
            if (gradOut == null) {
                gradOut = planes(t.own(Copies.contiguous(g)));
            }
            TensorImpl bias = gradBias;
            if (!made && fused) {
                // PyTorch's kernel takes the running variance: until its turn, the bias' gradient lends its place
                boolean lends = gradBias != null && gradBias.dtype() == deviation.dtype();
                deviation = invStd(lends ? gradBias : t.own(like(deviation)), deviation, eps);
                bias = lends ? null : gradBias;
            }
            Kernels kernels = x.driver().kernels();
            kernels.batchNormBackward(gradIn == null ? null : planes(gradIn), flat(gradWeight), flat(bias), gradOut,
                    planes(x), flat(weight), mean.operand(), deviation.operand(), training, x.stream());
            if (bias != gradBias) {
                kernels.batchNormBackward(null, null, flat(gradBias), gradOut, planes(x), flat(weight),
                        mean.operand(), mean.operand(), training, x.stream());
            }
            TensorImpl[] gradients = {gradIn, n.wants(1) ? gradWeight : null, n.wants(2) ? gradBias : null};
            NormSlopes.record(gradients, g, n.saved(0), weight, mean, n.saved(3), training, made ? -1 : eps);
            return t.give(gradients);
        }
    }

    /** 1 / sqrt(variance + eps), into {@code out}. */
    private static TensorImpl invStd(TensorImpl out, TensorImpl variance, double eps) {
        Launch.into(ElementOp.ADD_SCALAR, new double[]{eps}, out, variance);
        Launch.into(ElementOp.RSQRT, Launch.NONE, out, out);
        return out;
    }

    private static boolean isPlanar(TensorImpl a) {
        return a.isContiguous() && a.strides()[1] != 1;
    }

    /** As [n, channels, spatial], or null when the spatial dimensions cannot be seen as one. */
    private static Operand planes(TensorImpl a) {
        long spatial = 1;
        for (int d = 2; d < a.rank(); d++) {
            spatial *= a.shape()[d];
        }
        long[] shape = {a.shape()[0], a.shape()[1], spatial};
        long[] strides = Strides.view(a.shape(), a.strides(), shape);
        return strides == null ? null : new Operand(a.operand().address(), a.dtype(), shape, strides);
    }

    /** A gradient behind the mask; linear, so its own gradient's too. */
    private static TensorImpl dropped(TensorImpl g, TensorImpl mask, double scale) {
        TensorImpl grad = Launch.binary(ElementOp.MUL, g, mask, g.dtype());
        Launch.run(ElementOp.MUL_SCALAR, new double[]{scale}, grad, grad);
        if (Graph.wanted(g)) {
            Node node = Graph.recordUnary("NativeDropoutBackwardBackward0", grad, g,
                    (n, second) -> dropped(second, n.saved(0), scale));
            node.save(Graph.input(node, mask));
        }
        return grad;
    }

    /** Zeroes each element with probability p and scales the others; the mask of bool stays for backward. */
    public static TensorImpl dropout(TensorImpl a, double p, boolean training) {
        if (!(p >= 0 && p <= 1)) {
            throw new TensorException("dropout probability has to be between 0 and 1, but got " + p + ".");
        }
        if (!training || p == 0 || a.count() == 0) {
            return a.retain();
        }
        if (p == 1) {
            try (Temps t = new Temps()) {
                return Elementwise.mul(a, t.own(Factories.full(a.device(), a.dtype(), 0)));
            }
        }
        Kernels kernels = a.driver().kernels();
        try (Temps t = new Temps()) {
            TensorImpl mask = t.own(TensorImpl.empty(a.device(), DType.BOOL, a.shape()));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            Generator generator = Generator.of(a.device());
            kernels.dropout(out.operand(), mask.operand(), a.operand(), p, generator.initialSeed(),
                    generator.take(a.count()), a.stream());
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("NativeDropoutBackward0", out, a, (n, g) -> {
                    return dropped(g, n.saved(0), 1 / (1 - p));
                });
                node.save(Graph.input(node, mask));
            }
            return t.give(out);
        }
    }
}
