package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.loss.MarginLosses;
import io.vramlab.tensor.internal.ops.loss.PairLosses;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.TensorException;
import java.util.function.BinaryOperator;

/**
 * {@link Functional}'s losses of two or three outputs that shall be near or far: a scalar, or one number for each with
 * {@link Reduction#NONE}. All are composed, as PyTorch's: backward keeps the differences, norms and bounded values on
 * the way, each a tensor.
 */
abstract sealed class PairLossFunctions extends ClassLossFunctions permits RecurrentFunctions {

    /**
     * {@code hingeEmbeddingLoss} with PyTorch's defaults: the mean, margin 1. As
     * {@code torch.nn.functional.hinge_embedding_loss}.
     *
     * @param x
     *            distances, of any shape
     * @param target
     *            1 or -1
     * @return a new scalar; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor hingeEmbeddingLoss(Tensor x, Tensor target) {
        return Functional.hingeEmbeddingLoss(x, target, 1, Reduction.MEAN);
    }

    /**
     * x where the target is 1, max(0, margin - x) where it is -1. As {@code torch.nn.functional.hinge_embedding_loss}.
     *
     * @param x
     *            distances, of any shape
     * @param target
     *            1 or -1
     * @param margin
     *            1 in {@code tripletMarginLoss} and {@code hingeEmbeddingLoss} by default, else 0
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor hingeEmbeddingLoss(Tensor x, Tensor target, double margin, Reduction reduction) {
        return Calls.full(a -> PairLosses.hingeEmbedding(a[0], a[1], margin, reduction), x, target);
    }

    /**
     * {@code marginRankingLoss} with PyTorch's defaults: the mean, margin 0. As
     * {@code torch.nn.functional.margin_ranking_loss}.
     *
     * @param x1
     *            one output, broadcast against x2
     * @param x2
     *            the other
     * @param target
     *            1 where x1 shall be larger, -1 where x2
     * @return a new scalar; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor marginRankingLoss(Tensor x1, Tensor x2, Tensor target) {
        return Functional.marginRankingLoss(x1, x2, target, 0, Reduction.MEAN);
    }

    /**
     * max(0, margin - target (x1 - x2)). As {@code torch.nn.functional.margin_ranking_loss}.
     *
     * @param x1
     *            one output, broadcast against x2
     * @param x2
     *            the other
     * @param target
     *            1 where x1 shall be larger, -1 where x2
     * @param margin
     *            1 in {@code tripletMarginLoss} and {@code hingeEmbeddingLoss} by default, else 0
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor marginRankingLoss(Tensor x1, Tensor x2, Tensor target, double margin, Reduction reduction) {
        return Calls.full(a -> PairLosses.marginRanking(a[0], a[1], a[2], margin, reduction), x1, x2, target);
    }

    /**
     * {@code cosineEmbeddingLoss} with PyTorch's defaults: the mean, margin 0. As
     * {@code torch.nn.functional.cosine_embedding_loss}.
     *
     * @param x1
     *            rows [n, width]
     * @param x2
     *            rows [n, width]
     * @param target
     *            1 or -1, [n]
     * @return a new scalar; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor cosineEmbeddingLoss(Tensor x1, Tensor x2, Tensor target) {
        return Functional.cosineEmbeddingLoss(x1, x2, target, 0, Reduction.MEAN);
    }

    /**
     * 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1: rows [n, width], targets [n]. As
     * {@code torch.nn.functional.cosine_embedding_loss}.
     *
     * @param x1
     *            rows [n, width]
     * @param x2
     *            rows [n, width]
     * @param target
     *            1 or -1, [n]
     * @param margin
     *            1 in {@code tripletMarginLoss} and {@code hingeEmbeddingLoss} by default, else 0
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor cosineEmbeddingLoss(Tensor x1, Tensor x2, Tensor target, double margin,
            Reduction reduction) {
        return Calls.full(a -> PairLosses.cosineEmbedding(a[0], a[1], a[2], margin, reduction), x1, x2, target);
    }

    /**
     * {@code tripletMarginLoss} with PyTorch's defaults: the mean, margin 1. As
     * {@code torch.nn.functional.triplet_margin_loss}.
     *
     * @param anchor
     *            rows [n, width]
     * @param positive
     *            rows that shall be near, [n, width]
     * @param negative
     *            rows that shall be far, [n, width]
     * @return a new scalar; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return Functional.tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, Reduction.MEAN);
    }

    /**
     * {@code tripletMarginLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.triplet_margin_loss}.
     *
     * @param anchor
     *            rows [n, width]
     * @param positive
     *            rows that shall be near, [n, width]
     * @param negative
     *            rows that shall be far, [n, width]
     * @param margin
     *            1 in {@code tripletMarginLoss} and {@code hingeEmbeddingLoss} by default, else 0
     * @return a new scalar; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative, double margin) {
        return Functional.tripletMarginLoss(anchor, positive, negative, margin, 2, 1e-6, false, Reduction.MEAN);
    }

    /**
     * max(0, margin + d(anchor, positive) - d(anchor, negative)) of p-norm distances between rows. As
     * {@code torch.nn.functional.triplet_margin_loss}.
     *
     * @param anchor
     *            rows [n, width]
     * @param positive
     *            rows that shall be near, [n, width]
     * @param negative
     *            rows that shall be far, [n, width]
     * @param margin
     *            1 in {@code tripletMarginLoss} and {@code hingeEmbeddingLoss} by default, else 0
     * @param p
     *            of the norm; 2 by default
     * @param eps
     *            added to each difference; 1e-6 by default
     * @param swap
     *            whether the positive's distance to the negative counts where it is less; false by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative, double margin, double p,
            double eps, boolean swap, Reduction reduction) {
        return Calls.full(a -> PairLosses.tripletMargin(a[0], a[1], a[2], margin, p, eps, swap, reduction), anchor,
                positive, negative);
    }

    /**
     * By the Euclidean distance, margin 1, the mean. As {@code torch.nn.functional.triplet_margin_with_distance_loss}.
     *
     * @param anchor
     *            rows [n, width]
     * @param positive
     *            rows that shall be near, [n, width]
     * @param negative
     *            rows that shall be far, [n, width]
     * @return a new scalar
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor tripletMarginWithDistanceLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return tripletMarginWithDistanceLoss(anchor, positive, negative, null, 1, false, Reduction.MEAN);
    }

    /**
     * max(0, margin + distance(anchor, positive) - distance(anchor, negative)), by any distance; null for the
     * Euclidean. As {@code torch.nn.functional.triplet_margin_with_distance_loss}.
     *
     * @param anchor
     *            rows [n, width]
     * @param positive
     *            rows that shall be near, [n, width]
     * @param negative
     *            rows that shall be far, [n, width]
     * @param distance
     *            of two tensors' rows, [n]; null, the default, for the Euclidean
     * @param margin
     *            1 by default
     * @param swap
     *            whether the positive's distance to the negative counts where it is less; false by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor tripletMarginWithDistanceLoss(Tensor anchor, Tensor positive, Tensor negative,
            BinaryOperator<Tensor> distance, double margin, boolean swap, Reduction reduction) {
        BinaryOperator<Tensor> d = distance == null
                ? (x, y) -> Functional.pairwiseDistance(x, y, 2, 1e-6, false)
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
}
