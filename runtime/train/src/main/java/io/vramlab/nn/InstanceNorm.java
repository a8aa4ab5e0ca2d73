package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What the three instance norms share (Ulyanov et al., 2016): each channel of each sample by its own statistics. */
abstract class InstanceNorm extends Module {

    static final double EPS = 1e-5;
    static final double MOMENTUM = 0.1;

    /** [channels], or null. */
    public Parameter weight;
    /** [channels], or null. */
    public Parameter bias;
    /** [channels], or null. */
    public final Buffer runningMean;
    /** [channels], or null. */
    public final Buffer runningVar;
    /** int64 scalar, or null. */
    public final Buffer numBatchesTracked;
    private final long channels;
    private final double eps;
    private final Double momentum;

    InstanceNorm(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        this(channels, eps, momentum, affine, trackRunningStats, null);
    }

    /** With a counter that exists already; null for no running statistics. */
    InstanceNorm(long channels, boolean affine, Buffer tracked) {
        this(channels, EPS, MOMENTUM, affine, tracked != null, tracked);
    }

    private InstanceNorm(long channels, double eps, Double momentum, boolean affine, boolean tracks, Buffer tracked) {
        this.channels = channels;
        this.eps = eps;
        this.momentum = momentum;
        weight = affine ? FirstValues.ones(channels) : null;
        bias = affine ? FirstValues.zeros(channels) : null;
        runningMean = tracks ? new Buffer(Tensor.zeros(channels)) : null;
        runningVar = tracks ? new Buffer(Tensor.ones(channels)) : null;
        numBatchesTracked = tracks && tracked == null
                ? new Buffer(Tensor.zeros(TensorOptions.of(DType.INT64)))
                : tracked;
    }

    /** Dimensions of a batch. */
    abstract int dims();

    @Override
    public final Tensor forward(Tensor input) {
        if (input.dim() != dims()) {
            throw new TensorException(getClass().getSimpleName() + " was given a tensor of shape "
                    + Arrays.toString(input.shape()) + ": expected " + dims() + "D input.");
        }
        return Functional.instanceNorm(input, runningMean, runningVar, weight, bias,
                isTraining() || runningMean == null, momentum == null ? 0 : momentum, eps);
    }

    @Override
    protected final String extraRepr() {
        return channels + ", eps=" + Numbers.text(eps) + ", momentum="
                + (momentum == null ? "None" : Numbers.text(momentum)) + ", affine="
                + (weight == null ? "False" : "True") + ", track_running_stats="
                + (runningMean == null ? "False" : "True");
    }
}
