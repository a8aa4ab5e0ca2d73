package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What {@link BatchNorm1d} and {@link BatchNorm2d} share (Ioffe and Szegedy, 2015). */
abstract class BatchNorm extends Module {

    private static final double EPS = 1e-5;
    private static final double MOMENTUM = 0.1;

    /** [channels], or null. */
    public Parameter weight;
    /** [channels], or null. */
    public Parameter bias;
    /** [channels]: moving average of the batches' means; or null. */
    public final Buffer runningMean;
    /** [channels]: moving average of the batches' variances; or null. */
    public final Buffer runningVar;
    /** int64 scalar: training batches seen; or null. */
    public final Buffer numBatchesTracked;
    private final long channels;
    private final double eps;
    private final Double momentum;
    private boolean countsAlike;
    private long batches;

    BatchNorm(long channels) {
        this(channels, EPS, MOMENTUM, true, true, null);
    }

    BatchNorm(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        this(channels, eps, momentum, affine, trackRunningStats, null);
    }

    /** With a counter that exists already, or none yet. */
    BatchNorm(long channels, Buffer tracked) {
        this(channels, EPS, MOMENTUM, true, true, tracked);
    }

    private BatchNorm(long channels, double eps, Double momentum, boolean affine, boolean tracks, Buffer tracked) {
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

    /** Begins anew, {@code reset_running_stats}; from then on batches count alike if so wanted, PyTorch's momentum of None. */
    final void restart(boolean alike) {
        if (runningMean != null) {
            runningMean.zero_();
            runningVar.fill_(1);
            numBatchesTracked.zero_();
        }
        batches = 0;
        countsAlike = alike;
    }

    /** Goes on with the usual momentum. */
    final void resume() {
        countsAlike = false;
    }

    /** Whether a tensor of so many dimensions is taken. */
    abstract boolean takes(int dims);

    /** The dimensions taken, in words. */
    abstract String words();

    @Override
    public final Tensor forward(Tensor input) {
        if (!takes(input.dim())) {
            throw new TensorException(getClass().getSimpleName() + " was given a tensor of shape "
                    + Arrays.toString(input.shape()) + ": expected " + words() + " input.");
        }
        if (isTraining() && numBatchesTracked != null) {
            try (GradMode.State off = GradMode.enter(false)) {
                numBatchesTracked.add_(1);
            }
        }
        batches += isTraining() ? 1 : 0;
        double factor = countsAlike || momentum == null ? 1.0 / Math.max(1, batches) : momentum;
        return Functional.batchNorm(input, runningMean, runningVar, weight, bias, isTraining() || runningMean == null,
                factor, eps);
    }

    @Override
    protected final String extraRepr() {
        return channels + ", eps=" + Numbers.text(eps) + ", momentum="
                + (momentum == null ? "None" : Numbers.text(momentum)) + ", affine="
                + (weight == null ? "False" : "True")
                + ", track_running_stats=" + (runningMean == null ? "False" : "True");
    }
}
