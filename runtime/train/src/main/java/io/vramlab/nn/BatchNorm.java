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

    /** [channels]. */
    public final Parameter weight;
    /** [channels]. */
    public final Parameter bias;
    /** [channels]: moving average of the batches' means. */
    public final Buffer runningMean;
    /** [channels]: moving average of the batches' variances. */
    public final Buffer runningVar;
    /** int64 scalar: training batches seen. */
    public final Buffer numBatchesTracked;
    private boolean countsAlike;
    private long batches;

    BatchNorm(long channels) {
        this(channels, null);
    }

    /** With a counter that exists already, or none yet. */
    BatchNorm(long channels, Buffer tracked) {
        weight = Init.ones(channels);
        bias = Init.zeros(channels);
        runningMean = new Buffer(Tensor.zeros(channels));
        runningVar = new Buffer(Tensor.ones(channels));
        numBatchesTracked = tracked == null ? new Buffer(Tensor.zeros(TensorOptions.of(DType.INT64))) : tracked;
    }

    /** Begins anew, {@code reset_running_stats}; from then on batches count alike if so wanted, PyTorch's momentum of None. */
    final void restart(boolean alike) {
        runningMean.zero_();
        runningVar.fill_(1);
        numBatchesTracked.zero_();
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
        if (isTraining()) {
            try (GradMode.State off = GradMode.enter(false)) {
                numBatchesTracked.add_(1);
            }
        }
        batches += isTraining() ? 1 : 0;
        double momentum = countsAlike ? 1.0 / Math.max(1, batches) : MOMENTUM;
        return Functional.batchNorm(input, runningMean, runningVar, weight, bias, isTraining(), momentum, EPS);
    }

    @Override
    protected final String extraRepr() {
        return weight.size(0) + ", eps=" + Numbers.text(EPS) + ", momentum=" + Numbers.text(MOMENTUM)
                + ", affine=True, track_running_stats=True";
    }
}
