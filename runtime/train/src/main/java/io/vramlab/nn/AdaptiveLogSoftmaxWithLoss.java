package io.vramlab.nn;

import io.vramlab.tensor.CountedRecord;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A softmax over many classes, the rare ones in clusters that only their own rows are computed for (Grave et al., 2017).
 * {@link #call(Tensor, Tensor)} gives each row's log-probability of its target, and the loss. PyTorch's
 * {@code AdaptiveLogSoftmaxWithLoss}.
 *
 * <p>
 * Input [n, in], targets int64 [n], output [n]. Parameters: the head's weight [shortlist + clusters, in] (and bias,
 * if wanted), and for cluster i of c classes [in / divValue^i, in] and [c, in / divValue^i], i from 1. Targets decide
 * which rows are computed: their values are waited for.
 */
public class AdaptiveLogSoftmaxWithLoss extends Module {

    /** [shortlist + clusters, in]: the frequent classes, and one row for each cluster. */
    public final Linear head;
    /** For each cluster a projection [smaller, in] and its classes [classes, smaller]. */
    public final ModuleList tail = new ModuleList();
    private final long[] cutoffs;

    /**
     * The log-probabilities of the targets, and their negative mean.
     *
     * @param output
     *            [n]
     * @param loss
     *            scalar
     */
    public record Output(Tensor output, Tensor loss) implements CountedRecord {

        @Override
        public List<?> parts() {
            return List.of(output, loss);
        }
    }

    /**
     * With div_value 4 and a head without a bias.
     *
     * @param inFeatures
     *            width of the inputs
     * @param classes
     *            how many there are in all
     * @param cutoffs
     *            where clusters begin, rising, between 1 and classes - 1
     * @throws IllegalArgumentException
     *             if the cutoffs are none, do not rise or are outside
     */
    public AdaptiveLogSoftmaxWithLoss(long inFeatures, long classes, long... cutoffs) {
        this(inFeatures, classes, cutoffs, 4, false);
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param inFeatures
     *            width of the inputs
     * @param classes
     *            how many there are in all
     * @param cutoffs
     *            where clusters begin, rising, between 1 and classes - 1
     * @param divValue
     *            by how much each cluster's projection is smaller than the one before
     * @param headBias
     *            whether the head has a bias; false by default
     * @throws IllegalArgumentException
     *             if the cutoffs are none, do not rise or are outside
     */
    public AdaptiveLogSoftmaxWithLoss(long inFeatures, long classes, long[] cutoffs, double divValue,
            boolean headBias) {
        long[] rising = Arrays.stream(cutoffs).sorted().distinct().toArray();
        if (cutoffs.length == 0 || !Arrays.equals(rising, cutoffs) || cutoffs[0] <= 0
                || cutoffs[cutoffs.length - 1] > classes - 1) {
            throw new IllegalArgumentException("AdaptiveLogSoftmaxWithLoss was given the cutoffs "
                    + Arrays.toString(cutoffs) + " for " + classes
                    + " classes: cutoffs should be a sequence of unique, "
                    + "positive integers sorted in an increasing order, where each value is between 1 and n_classes-1.");
        }
        this.cutoffs = LongStream.concat(Arrays.stream(cutoffs), LongStream.of(classes)).toArray();
        head = new Linear(inFeatures, cutoffs[0] + cutoffs.length, headBias);
        for (int i = 0; i < cutoffs.length; i++) {
            long width = (long) Math.floor(inFeatures / Math.pow(divValue, i + 1));
            tail.append(new Sequential(new Linear(inFeatures, width, false),
                    new Linear(width, this.cutoffs[i + 1] - this.cutoffs[i], false)));
        }
    }

    /** {@link #logProb}: without targets there is no loss. */
    @Override
    public Tensor forward(Tensor input) {
        return logProb(input);
    }

    /**
     * Log-probabilities of the targets, and the loss.
     *
     * @param input
     *            [n, in]
     * @param target
     *            int64 [n]
     * @return [n] and a scalar, both to be closed
     * @throws io.vramlab.tensor.type.TensorException
     *             if the shapes are others, or a target is outside of [0, classes - 1]
     */
    public Output call(Tensor input, Tensor target) {
        if (input.dim() != 2 || target.dim() != 1 || input.size(0) != target.size(0)) {
            throw new TensorException("AdaptiveLogSoftmaxWithLoss was given an input of shape "
                    + Arrays.toString(input.shape()) + " and a target of shape " + Arrays.toString(target.shape())
                    + ": they are [n, in_features] and [n]. Input and target should have the same size in the batch "
                    + "dimension.");
        }
        try (Scope scope = Scope.inner()) {
            Tensor[] both = targets(input, target);
            return new Output(scope.keep(both[0]), scope.keep(both[1]));
        }
    }

    /** PyTorch's variables, each let go when it is bound anew, and at the end in the order in which they were bound. */
    private Tensor[] targets(Tensor input, Tensor target) {
        long n = target.size(0);
        Tensor output = Tensor.zeros(TensorOptions.on(input.device()).dtype(input.dtype()), n);
        Ref<Tensor> inds = new Ref<>(
                Tensor.empty(TensorOptions.on(target.device()).dtype(target.dtype()), n));
        Ref<Tensor> mask = new Ref<>();
        Ref<Tensor> rows = new Ref<>();
        Ref<Tensor> relative = new Ref<>();
        Ref<Tensor> subset = new Ref<>();
        Ref<Tensor> cluster = new Ref<>();
        Ref<Tensor> logProbs = new Ref<>();
        Ref<Tensor> local = new Ref<>();
        long used = 0;
        for (int i = 0; i < cutoffs.length; i++) {
            long low = i == 0 ? 0 : cutoffs[i - 1];
            Tensor within;
            try (Tensor above = target.ge(low); Tensor below = target.lt(cutoffs[i])) {
                within = above.bitwiseAnd(below);
            }
            mask.set(within);
            try (Tensor found = mask.get().nonzero()) {
                rows.set(found.squeeze(-1));
            }
            long count = rows.get().numel();
            if (count == 0) {
                continue;
            }
            used += count;
            if (i == 0) {
                try (Tensor its = target.index(mask.get())) {
                    inds.get().indexCopy_(0, rows.get(), its);
                }
                continue;
            }
            Tensor from;
            try (Tensor its = target.index(mask.get())) {
                from = its.sub(low);
            }
            relative.set(from);
            subset.set(input.indexSelect(0, rows.get()));
            cluster.set(tail.get(i - 1).call(subset.get()));
            inds.get().indexFill_(0, rows.get(), cutoffs[0] + i - 1);
            logProbs.set(cluster.get().logSoftmax(1));
            try (Tensor column = relative.get().unsqueeze(1)) {
                local.set(logProbs.get().gather(1, column));
            }
            try (Tensor flat = local.get().squeeze(1)) {
                output.indexCopy_(0, rows.get(), flat);
            }
        }
        if (used != n) {
            throw new TensorException("AdaptiveLogSoftmaxWithLoss was given targets of which " + (n - used) + " of " + n
                    + " are outside: Target values should be in [0, " + (cutoffs[cutoffs.length - 1] - 1) + "].");
        }
        Ref<Tensor> headOut = new Ref<>(head.call(input));
        Ref<Tensor> headProbs = new Ref<>(headOut.get().logSoftmax(1));
        try (Tensor column = inds.get().unsqueeze(1);
                Tensor chosen = headProbs.get().gather(1, column);
                Tensor flat = chosen.squeeze(-1)) {
            output.add_(flat);
        }
        Tensor loss;
        try (Tensor negative = output.neg()) {
            loss = negative.mean();
        }
        List.of(inds, mask, rows, relative, subset, cluster, logProbs, local, headOut, headProbs).forEach(Ref::close);
        return new Tensor[]{output, loss};
    }

    /**
     * {@return log-probabilities of all classes, [n, classes]}
     *
     * @param input
     *            [n, in]
     */
    public Tensor logProb(Tensor input) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(full(input, head.call(input)));
        }
    }

    private Tensor full(Tensor input, Tensor headOut) {
        long classes = cutoffs[cutoffs.length - 1];
        Tensor out = Tensor.empty(TensorOptions.on(input.device()).dtype(input.dtype()), headOut.size(0), classes);
        Tensor headProbs = headOut.logSoftmax(1);
        long shortlist = cutoffs[0];
        try (Tensor frequent = headProbs.slice(1, 0, shortlist)) {
            out.set(frequent, ":", ":" + shortlist);
        }
        Ref<Tensor> cluster = new Ref<>();
        Ref<Tensor> logProbs = new Ref<>();
        Ref<Tensor> each = new Ref<>();
        for (int i = 0; i < tail.size(); i++) {
            cluster.set(tail.get(i).call(input));
            logProbs.set(cluster.get().logSoftmax(1));
            try (Tensor column = headProbs.select(1, shortlist + i); Tensor wide = column.unsqueeze(1)) {
                each.set(logProbs.get().add(wide));
            }
            out.set(each.get(), ":", cutoffs[i] + ":" + cutoffs[i + 1]);
        }
        return out;
    }

    /**
     * {@return the most probable class of each row: [n] of int64}
     *
     * @param input
     *            [n, in]
     */
    public Tensor predict(Tensor input) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(Functional.max(logProb(input), 1, false)[1]);
        }
    }
}
