package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/**
 * Sum, mean or max of an embedding's rows, bag by bag: [bags, many] int64 indices give [bags, width]. Backward holds
 * the indices, an integer for each index and two for each bag; the mode "max" [bags, width] integers more. Computed on
 * the host, whatever the device.
 */
public class EmbeddingBag extends Module {

    /** [rows, width]. */
    public Parameter weight;

    private final EmbeddingOptions options;

    /**
     * The mean of each bag.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     */
    public EmbeddingBag(long rows, long width) {
        this(rows, width, "mean");
    }

    /**
     * "sum", "mean" or "max" of each bag.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param mode
     *            {@code sum}, {@code mean} or {@code max}; anything else is an error when it is called
     */
    public EmbeddingBag(long rows, long width, String mode) {
        this(rows, width, new EmbeddingOptions().mode(mode));
    }

    /**
     * The mean of each bag, or what options say, perhaps with a sparse gradient:
     * {@code nn.EmbeddingBag(rows, width, mode='sum', sparse=True)}.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param options
     *            from then on not to be changed
     * @throws IllegalArgumentException
     *             if there is no row of padding, or gradients are to be scaled by frequency
     */
    public EmbeddingBag(long rows, long width, EmbeddingOptions options) {
        options.check(rows);
        if (options.scaleGradByFreq) {
            throw new IllegalArgumentException(
                    "An EmbeddingBag was asked for with scaleGradByFreq: only an Embedding has "
                            + "it here. Leave it out.");
        }
        this.options = options;
        weight = FirstValues.normal(1, rows, width);
        options.emptyPadding(weight);
    }

    @Override
    public Tensor forward(Tensor input) {
        return call(input, null, null);
    }

    /**
     * The bags of one row of indices, [bags, width].
     *
     * @param input
     *            int64 [many]
     * @param offsets
     *            int64 [bags], where each bag begins, rising from 0
     * @return [bags, width]
     * @throws io.vramlab.tensor.type.TensorException
     *             if an index is out of range or a shape another
     */
    public Tensor call(Tensor input, Tensor offsets) {
        return call(input, offsets, null);
    }

    /**
     * The same with a factor for each index; the mode must be sum.
     *
     * @param input
     *            int64 [many], or [bags, many] without offsets
     * @param offsets
     *            int64 [bags], where each bag begins, rising from 0; null for bags of one size
     * @param perSampleWeights
     *            as many as indices, in the weight's dtype; null for none
     * @return [bags, width]
     * @throws io.vramlab.tensor.type.TensorException
     *             if an index is out of range, a shape another, or the mode not sum
     */
    public Tensor call(Tensor input, Tensor offsets, Tensor perSampleWeights) {
        if (options.maxNorm != null && offsets == null && input.dim() == 2 && input.size(1) > 0) {
            return shortened(input, perSampleWeights);
        }
        options.shorten(weight, input);
        return Functional.embeddingBag(input, weight, offsets, options.mode, perSampleWeights, options.sparse,
                options.paddingIdx, options.includeLastOffset);
    }

    /** Bags of one size, which PyTorch makes one row with offsets before it shortens what is looked up. */
    private Tensor shortened(Tensor input, Tensor perSampleWeights) {
        long many = input.size(1);
        try (Tensor flat = input.reshape(-1);
                Tensor factors = perSampleWeights == null ? null : perSampleWeights.reshape(-1);
                Tensor starts = Tensor.arange(TensorOptions.of(DType.INT64).device(input.device()), 0,
                        input.numel(), many)) {
            return call(flat, starts, factors);
        }
    }

    @Override
    protected String extraRepr() {
        return weight.size(0) + ", " + weight.size(1) + ", mode='" + options.mode + "'" + options.text();
    }
}
