package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;

/**
 * The gradients of a batch norm.
 *
 * @param node
 *            saved input, weight or null, mean and deviation
 * @param g
 *            of the output
 * @param training
 *            whether the statistics are the batch's
 * @param made
 *            whether the deviation is one over the standard deviation; else it is the running variance
 * @param eps
 *            added to a variance
 * @param biasType
 *            of the bias; null without one
 */
record BatchNormSlopes(Node node, TensorImpl g, boolean training, boolean made, double eps, DType biasType) {

    TensorImpl[] of(boolean byVendor) {
        return byVendor ? ofVendor() : own();
    }

    /** cuDNN computes all three, whoever asks, from a gradient in the input's order. */
    private TensorImpl[] ofVendor() {
        TensorImpl x = node.saved(0);
        TensorImpl weight = node.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl dense = t.own(MemoryOrder.laid(g, MemoryOrder.suggestsChannelsLast(x)));
            TensorImpl gradIn = t.own(BatchNorms.like(x));
            TensorImpl gradWeight = t.own(flat(weight));
            TensorImpl gradBias = t.own(TensorImpl.empty(x.device(), biasType, x.shape()[1]));
            VendorLibraries.networks(x);
            Scratch.during(x.device(), BatchNorms.workspace(x, false),
                    none -> launch(x, dense, gradIn, gradWeight, gradBias, node.saved(3)));
            return t.give(recorded(gradIn, gradWeight, gradBias));
        }
    }

    /**
     * As PyTorch's batch_norm_backward_cuda: where channels do not lie side by side one kernel computes all; else the gradient is
     * reduced per channel into two vectors first, and the input's gradient comes last.
     */
    private TensorImpl[] own() {
        TensorImpl weight = node.saved(1);
        TensorImpl deviation = node.saved(3);
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(BatchNorms.read(node.saved(0)));
            TensorImpl grad = t.own(BatchNorms.read(g));
            ChannelPlanes lie = ChannelPlanes.of(node.saved(0));
            boolean sideBySide = lie == ChannelPlanes.SIDE_BY_SIDE;
            boolean reduces = training || node.wants(1) || node.wants(2);
            boolean fused = reduces && node.wants(0) && !sideBySide;
            if (!made && !fused) {
                deviation = invStd(t.own(flat(deviation)), deviation);
            }
            TensorImpl gradIn = fused ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            if (!fused && reduces && (node.wants(0) || sideBySide)) {
                // the kernel for channels that lie together has the two sums, whoever asks
                t.own(TensorImpl.empty(x.device(), node.saved(2).dtype(), x.shape()[1]));
                t.own(TensorImpl.empty(x.device(), node.saved(2).dtype(), x.shape()[1]));
            }
            TensorImpl gradWeight = node.wants(1) ? t.own(flat(weight)) : null;
            TensorImpl gradBias = node.wants(2) ? t.own(TensorImpl.empty(x.device(), biasType, x.shape()[1])) : null;
            boolean alike = ChannelPlanes.of(g) == lie;
            if (!fused && reduces && alike) {
                lie.passSums(x);
            }
            if (node.wants(0) && !fused) {
                gradIn = t.own(training ? BatchNorms.like(x) : TensorImpl.empty(x.device(), x.dtype(), x.shape()));
            }
            TensorImpl bias = gradBias;
            if (!made && fused) {
                // PyTorch's kernel takes the running variance: until its turn, the bias' gradient lends its place
                boolean lends = gradBias != null && gradBias.dtype() == deviation.dtype();
                deviation = invStd(lends ? gradBias : t.own(flat(deviation)), deviation);
                bias = lends ? null : gradBias;
            }
            launch(x, grad, gradIn, gradWeight, bias, deviation);
            if (bias != gradBias) {
                launch(x, grad, null, null, gradBias, node.saved(2));
            }
            return t.give(recorded(gradIn, gradWeight, gradBias));
        }
    }

    private void launch(TensorImpl x, TensorImpl grad, TensorImpl gradIn, TensorImpl gradWeight, TensorImpl gradBias,
            TensorImpl deviation) {
        Kernels kernels = x.driver().kernels();
        kernels.batchNormBackward(gradIn == null ? null : ChannelPlanes.merged(gradIn),
                ChannelPlanes.vector(gradWeight),
                ChannelPlanes.vector(gradBias), ChannelPlanes.merged(grad), ChannelPlanes.merged(x),
                ChannelPlanes.vector(node.saved(1)), node.saved(2).operand(), deviation.operand(), training,
                x.stream());
    }

    /** Those that were asked for, tied to what they were computed of. */
    private TensorImpl[] recorded(TensorImpl gradIn, TensorImpl gradWeight, TensorImpl gradBias) {
        TensorImpl[] gradients = {node.wants(0) ? gradIn : null, node.wants(1) ? gradWeight : null,
                node.wants(2) ? gradBias : null};
        NormSlopes.record(gradients, g, node.saved(0), node.saved(1), node.saved(2), node.saved(3), training,
                made ? -1 : eps);
        return gradients;
    }

    private static TensorImpl flat(TensorImpl a) {
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    /** 1 / sqrt(variance + eps), into {@code out}. */
    private TensorImpl invStd(TensorImpl out, TensorImpl variance) {
        Launch.into(ElementOp.ADD_SCALAR, new double[]{eps}, out, variance);
        Launch.into(ElementOp.RSQRT, Launch.NONE, out, out);
        return out;
    }
}
