package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.footprint.CudnnBatchNorm;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.type.MemoryFormat;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Batch norm: what PyTorch gives to cuDNN with the memory that cuDNN takes, all else with what PyTorch's own kernels take. */
public final class BatchNorms {

    private static final double LEAST_EPS = 1e-5;

    private BatchNorms() {
    }

    /**
     * Of [n, c] or [n, c, …]. Running statistics are updated when training and used otherwise; weight, bias and running
     * statistics are [c] or null.
     */
    public static TensorImpl of(TensorImpl a, TensorImpl runningMean, TensorImpl runningVar, TensorImpl weight,
            TensorImpl bias, boolean training, double momentum, double eps) {
        check(a, training, runningMean, runningVar, weight, bias);
        long[] channels = {a.shape()[1]};
        try (Temps t = new Temps()) {
            boolean vendor = isForVendor(a, weight, bias, training, eps);
            TensorImpl x = t.own(vendor ? MemoryOrder.as(a, suggested(a)) : read(a));
            TensorImpl out = t.own(like(x));
            // cuDNN keeps no statistics that it did not make
            long[] kept = training || !vendor ? channels : new long[]{0};
            TensorImpl mean = t.own(TensorImpl.empty(a.device(), statistics(a), kept));
            TensorImpl invStd = t.own(TensorImpl.empty(a.device(), statistics(a), kept));
            if (training && !vendor) {
                ChannelPlanes.of(a).passStatistics(x);
            }
            if (vendor) {
                VendorLibraries.networks(x);
            }
            Scratch.during(a.device(), vendor && training ? workspace(x, true) : 0, none -> a.driver().kernels()
                    .batchNorm(ChannelPlanes.merged(out), mean.operand(), invStd.operand(), ChannelPlanes.merged(x),
                            ChannelPlanes.vector(weight), ChannelPlanes.vector(bias), ChannelPlanes.vector(runningMean),
                            ChannelPlanes.vector(runningVar), training, momentum, eps, a.stream()));
            if (training) {
                bump(runningMean);
                bump(runningVar);
            } else if (kept[0] != 0) {
                Launch.into(ElementOp.COPY, Launch.NONE, mean, runningMean);
                Launch.into(ElementOp.ADD_SCALAR, new double[]{eps}, invStd, runningVar);
                Launch.into(ElementOp.RSQRT, Launch.NONE, invStd, invStd);
            }
            boolean made = training || !vendor;
            if (Graph.wanted(a, weight, bias)) {
                DType biasType = bias == null ? null : bias.dtype();
                TensorImpl input = vendor ? x : a;
                Node node = Graph.record("NativeBatchNormBackward0", out,
                        (n, g) -> new BatchNormSlopes(n, g, training, made, eps, biasType)
                                .of(vendor && training),
                        input, weight, bias);
                // PyTorch keeps the running statistics too, which nobody but an instance norm's repeated ones lets go before
                node.save(Graph.input(node, input), Graph.inputIf(weight != null, node, weight),
                        Graph.input(node, made ? mean : runningMean),
                        Graph.input(node, made ? invStd : runningVar),
                        Graph.inputIf(made && runningMean != null, node, runningMean),
                        Graph.inputIf(made && runningVar != null, node, runningVar));
            }
            return t.give(out);
        }
    }

    private static void check(TensorImpl a, boolean training, TensorImpl runningMean, TensorImpl runningVar,
            TensorImpl weight, TensorImpl bias) {
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
            if (p != null && !Arrays.equals(p.shape(), channels)) {
                throw new TensorException("batchNorm's parameter has shape " + Shape.text(p.shape()) + ", but "
                        + Shape.text(channels) + " is needed.");
            }
        }
        if (!training && (runningMean == null || runningVar == null)) {
            throw new TensorException(
                    "batchNorm was asked to use running statistics, but there are none: train first, or "
                            + "keep them with trackRunningStats.");
        }
    }

    /**
     * What PyTorch gives to cuDNN (batch_norm_impl_index): spatial dimensions, a weight and a bias of float32 at least, and
     * no input of bfloat16.
     */
    private static boolean isForVendor(TensorImpl a, TensorImpl weight, TensorImpl bias, boolean training, double eps) {
        return a.rank() > 2 && a.dtype() != DType.BFLOAT16 && weight != null && bias != null
                && a.shape()[0] <= (training ? 880_801 : 65_535)
                && eps >= LEAST_EPS && weight.dtype().bytes() >= Float.BYTES;
    }

    /** The order of memory that PyTorch takes the tensor to be in. */
    private static MemoryFormat suggested(TensorImpl a) {
        return !MemoryOrder.suggestsChannelsLast(a)
                ? MemoryFormat.CONTIGUOUS
                : a.rank() == 4 ? MemoryFormat.CHANNELS_LAST : MemoryFormat.CHANNELS_LAST_3D;
    }

    /** What cuDNN works in when it trains: nothing but for images whose channels lie side by side. */
    static long workspace(TensorImpl x, boolean forward) {
        if (!x.device().isCuda() || x.rank() != 4 || x.count() == 0 || !MemoryOrder.suggestsChannelsLast(x)) {
            return 0;
        }
        long channels = x.shape()[1];
        long rows = x.count() / channels;
        return forward
                ? CudnnBatchNorm.forward(rows, channels, x.dtype().bytes())
                : CudnnBatchNorm.backward(rows, channels, x.dtype().bytes());
    }

    /** The tensor itself, held once more, or a packed copy where our kernels cannot read it as it lies. */
    static TensorImpl read(TensorImpl a) {
        return ChannelPlanes.merged(a) != null ? a.retain() : MemoryOrder.laid(a, false);
    }

    /** A new one in the same order of memory. */
    static TensorImpl like(TensorImpl a) {
        TensorImpl out = TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a));
        if (ChannelPlanes.merged(out) != null) {
            return out;
        }
        out.release();
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    private static DType statistics(TensorImpl a) {
        return a.dtype().bytes() < Float.BYTES ? DType.FLOAT32 : a.dtype();
    }

    private static void bump(TensorImpl a) {
        if (a != null) {
            a.bumpVersion();
        }
    }
}
