package io.vramlab.tensor;

import io.vramlab.tensor.core.Temps;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.matrix.TimeConvolution;
import io.vramlab.tensor.ops.arrange.CircularPads;
import io.vramlab.tensor.ops.layer.CrossMapNorm;
import io.vramlab.tensor.ops.layer.EmbeddingBags;
import io.vramlab.tensor.ops.layer.Embeddings;
import io.vramlab.tensor.ops.layer.LocalResponseNorm;
import io.vramlab.tensor.ops.layer.WeightNorms;
import io.vramlab.tensor.ops.loss.Ctc;
import io.vramlab.tensor.ops.loss.MarginLosses;
import io.vramlab.tensor.ops.loss.Reduction;
import io.vramlab.tensor.ops.matrix.Angles;
import io.vramlab.tensor.ops.matrix.PairDistances;
import io.vramlab.tensor.ops.random.AlphaDropouts;
import io.vramlab.tensor.ops.random.FeatureDropout;
import io.vramlab.tensor.ops.view.Views;
import java.util.function.BinaryOperator;

/** {@link Functional}'s other forms of dropout, embedding and softmax, angles, and losses with margins. */
abstract class NetworkFunctions extends RecurrentFunctions {

    /** Divided by the p-norm along a dimension, which is at least 1e-12. */
    public static Tensor normalize(Tensor x, double p, int dim) {
        return normalize(x, p, dim, 1e-12);
    }

    /** Divided by the p-norm along a dimension, which is at least eps. */
    public static Tensor normalize(Tensor x, double p, int dim, double eps) {
        return Calls.call(a -> Angles.normalize(a[0], p, dim, eps), x);
    }

    /** Divided by the Euclidean norm along dimension 1. */
    public static Tensor normalize(Tensor x) {
        return normalize(x, 2, 1);
    }

    /** Cosine of the angle between the rows of dimension 1. */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2) {
        return cosineSimilarity(x1, x2, 1, 1e-8);
    }

    /** Cosine of the angle between rows along a dimension; norms are at least eps. */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2, int dim, double eps) {
        return Calls.full(a -> Angles.cosine(a[0], a[1], dim, eps), x1, x2);
    }

    /** x over (k + alpha mean of the squares of size neighbouring channels)^beta; x is [n, c, …]. */
    public static Tensor localResponseNorm(Tensor x, long size, double alpha, double beta, double k) {
        return Calls.call(a -> LocalResponseNorm.of(a[0], size, alpha, beta, k), x);
    }

    /** With alpha 1e-4, beta 0.75 and k 1. */
    public static Tensor localResponseNorm(Tensor x, long size) {
        return localResponseNorm(x, size, 1e-4, 0.75, 1);
    }

    /** Caffe's form for x [n, channels, h, w]: x over (k + alpha / size sum of their squares)^beta; computed on the host. */
    public static Tensor crossMapNorm(Tensor x, int size, double alpha, double beta, double k) {
        return Calls.call(a -> CrossMapNorm.of(a[0], size, alpha, beta, k), x);
    }

    /** g v / |v|, the norm over all dimensions but one: PyTorch's {@code torch._weight_norm}. */
    public static Tensor weightNorm(Tensor v, Tensor g, int dim) {
        return Calls.call(a -> WeightNorms.of(a[0], a[1], dim), v, g);
    }

    /** Euclidean distances between all pairs of rows of x [n, m]: [n (n - 1) / 2]. */
    public static Tensor pdist(Tensor x) {
        return pdist(x, 2);
    }

    /** Distances by the p-norm between all pairs of rows of x [n, m]; computed on the host, whatever the device. */
    public static Tensor pdist(Tensor x, double p) {
        return Calls.full(a -> PairDistances.pdist(a[0], p), x);
    }

    /** Elements set to SELU's lower limit with probability p, the rest moved and scaled so that mean and variance stay. */
    public static Tensor alphaDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> AlphaDropouts.of(a[0], p, training, false), x);
    }

    /** {@link #alphaDropout} of whole channels of [n, c, …]. */
    public static Tensor featureAlphaDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> AlphaDropouts.of(a[0], p, training, true), x);
    }

    /** Dropout of whole channels of [n, c, length]. */
    public static Tensor dropout1d(Tensor x, double p, boolean training) {
        return channels(x, p, training, 2);
    }

    /** Dropout of whole channels of [n, c, h, w]. */
    public static Tensor dropout2d(Tensor x, double p, boolean training) {
        return featureDropout(x, p, training);
    }

    /** Dropout of whole channels of [n, c, d, h, w]. */
    public static Tensor dropout3d(Tensor x, double p, boolean training) {
        return channels(x, p, training, 4);
    }

    private static Tensor channels(Tensor x, double p, boolean training, int unbatched) {
        if (x.dim() != unbatched) {
            return featureDropout(x, p, training);
        }
        return Calls.call(a -> {
            try (Temps t = new Temps()) {
                TensorImpl one = t.own(Views.unsqueeze(a[0], 0));
                return Views.squeeze(t.own(FeatureDropout.of(one, p, training)), 0);
            }
        }, x);
    }

    /** Softmax of x plus Gumbel noise, by a temperature; hard gives ones and zeros with the soft form's gradient. */
    public static Tensor gumbelSoftmax(Tensor x, double temperature, boolean hard, int dim) {
        return Calls.call(a -> AlphaDropouts.gumbel(a[0], temperature, hard, dim), x);
    }

    /** Rows of 0 and a 1 at each index; as many classes as the largest index needs. */
    public static Tensor oneHot(Tensor index) {
        return Calls.call(a -> Embeddings.oneHot(a[0], -1), index);
    }

    /** Rows of 0 and a 1 at each index. */
    public static Tensor oneHot(Tensor index, long classes) {
        return Calls.call(a -> Embeddings.oneHot(a[0], classes), index);
    }

    /** As {@link Functional#embedding(Tensor, Tensor)}; the row of paddingIndex gets no gradient. */
    public static Tensor embedding(Tensor index, Tensor weight, long paddingIndex) {
        return Calls.call(a -> Embeddings.padded(a[1], a[0], paddingIndex), index, weight);
    }

    /** Sum, mean or max (that word) of the rows of each of [bags, many] int64 indices. */
    public static Tensor embeddingBag(Tensor index, Tensor weight, String mode) {
        return embeddingBag(index, weight, null, mode);
    }

    /** As above, of [many] indices, the bags beginning at those offsets; null for [bags, many] indices. */
    public static Tensor embeddingBag(Tensor index, Tensor weight, Tensor offsets, String mode) {
        return Calls.call(a -> EmbeddingBags.of(a[0], a[1], a[2], mode), index, weight, offsets);
    }

    /** x1 [… in1] and x2 [… in2] through weight [out, in1, in2], plus bias [out] or null. */
    public static Tensor bilinear(Tensor x1, Tensor x2, Tensor weight, Tensor bias) {
        return Calls.lower(a -> Angles.bilinear(a[0], a[1], a[2], a[3]), x1, x2, weight, bias);
    }

    /** As {@link #convTbc(Tensor, Tensor, Tensor, long)}, without padding. */
    public static Tensor convTbc(Tensor x, Tensor weight, Tensor bias) {
        return convTbc(x, weight, bias, 0);
    }

    /** Convolution of x [times, batch, in] along its times with weight [kernel, in, out], plus bias [out]. */
    public static Tensor convTbc(Tensor x, Tensor weight, Tensor bias, long pad) {
        return Calls.lower(a -> TimeConvolution.of(a[0], a[1], a[2], pad), x, weight, bias);
    }

    /** Pads with what lies at the other end; order as {@link #pad}. */
    public static Tensor circularPad(Tensor x, long... pads) {
        return Calls.call(a -> CircularPads.pad(a[0], pads), x);
    }

    /** Mean over classes of max(0, margin - x[y] + x[i])^p: x [n, classes], y [n]; weight [classes] or null. */
    public static Tensor multiMarginLoss(Tensor x, Tensor target, double p, double margin, Tensor weight,
            Reduction reduction) {
        return Calls.full(a -> MarginLosses.multiMargin(a[0], a[1], p, margin, a[2], reduction), x, target, weight);
    }

    /** With p 1, margin 1 and the mean. */
    public static Tensor multiMarginLoss(Tensor x, Tensor target) {
        return multiMarginLoss(x, target, 1, 1, null, Reduction.MEAN);
    }

    /** Margins between the classes that a row of int64 names, up to the first -1, and all others. */
    public static Tensor multilabelMarginLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> MarginLosses.multilabelMargin(a[0], a[1], reduction), x, target);
    }

    /** Binary cross-entropy of each class, averaged over them: x and target [n, classes]; weight [classes] or null. */
    public static Tensor multilabelSoftMarginLoss(Tensor x, Tensor target, Tensor weight, Reduction reduction) {
        return Calls.full(a -> MarginLosses.multilabelSoftMargin(a[0], a[1], a[2], reduction), x, target, weight);
    }

    /** The mean. */
    public static Tensor multilabelSoftMarginLoss(Tensor x, Tensor target) {
        return multilabelSoftMarginLoss(x, target, null, Reduction.MEAN);
    }

    /** max(0, margin + distance(anchor, positive) - distance(anchor, negative)), by any distance; null for the Euclidean. */
    public static Tensor tripletMarginWithDistanceLoss(Tensor anchor, Tensor positive, Tensor negative,
            BinaryOperator<Tensor> distance, double margin, boolean swap, Reduction reduction) {
        BinaryOperator<Tensor> d = distance == null
                ? (x, y) -> LossFunctions.pairwiseDistance(x, y, 2, 1e-6, false)
                : distance;
        try (Tensor near = d.apply(anchor, positive); Tensor far = d.apply(anchor, negative)) {
            if (!swap) {
                return Calls.call(a -> MarginLosses.triplet(a[0], a[1], margin, reduction), near, far);
            }
            try (Tensor other = d.apply(positive, negative); Tensor nearest = far.minimum(other)) {
                return Calls.call(a -> MarginLosses.triplet(a[0], a[1], margin, reduction), near, nearest);
            }
        }
    }

    /** By the Euclidean distance, margin 1, the mean. */
    public static Tensor tripletMarginWithDistanceLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return tripletMarginWithDistanceLoss(anchor, positive, negative, null, 1, false, Reduction.MEAN);
    }

    /**
     * Connectionist temporal classification: log-probabilities [time, n, classes], int64 targets [n, longest], and how long each
     * input and each target is. Computed on the host, whatever the device.
     *
     * @param blank
     *            the class that stands for none
     * @param zeroInfinity
     *            whether targets that do not fit their input count as 0
     */
    public static Tensor ctcLoss(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths, long blank,
            Reduction reduction, boolean zeroInfinity) {
        return Calls.full(a -> Ctc.loss(a[0], a[1], inputLengths, targetLengths, (int) blank, reduction, zeroInfinity),
                logProbs, targets);
    }
}
