package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;

/** Takes dimensions of a distribution's batch for parts of one event: {@code torch.distributions.Independent}. */
public class Independent extends Distribution {

    private final Distribution base;
    private final int dims;

    /**
     * Values are checked by the base.
     *
     * @param base
     *            what the parts are; held
     * @param reinterpretedBatchNdims
     *            how many of the last dimensions of its batch are one event's
     * @throws IllegalArgumentException
     *             if the batch has fewer
     */
    public Independent(Distribution base, int reinterpretedBatchNdims) {
        super(null);
        if (reinterpretedBatchNdims > base.batchShape().length) {
            throw new IllegalArgumentException(
                    "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                            + reinterpretedBatchNdims + " vs " + base.batchShape().length + ".");
        }
        this.base = base;
        this.dims = reinterpretedBatchNdims;
        Lifetimes.takes(this, base);
        int event = dims + base.eventShape().length;
        long[] shape = base.extended();
        shapes(Shapes.front(shape, event), Shapes.back(shape, event));
    }

    final Distribution base() {
        return base;
    }

    final int dims() {
        return dims;
    }

    @Override
    Constraint support() {
        return Constraint.independent(base.support(), dims);
    }

    @Override
    public boolean hasRsample() {
        return base.hasRsample();
    }

    @Override
    public Tensor sample(long... sampleShape) {
        return base.sample(sampleShape);
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        return base.rsample(sampleShape);
    }

    @Override
    public Tensor logProb(Tensor value) {
        try (Term each = Term.made(base.logProb(value)).named()) {
            return Shapes.sumLast(dims == 0 ? each.last() : each, dims).give();
        }
    }

    @Override
    public Tensor entropy() {
        try (Term each = Term.made(base.entropy()).named()) {
            return Shapes.sumLast(dims == 0 ? each.last() : each, dims).give();
        }
    }

    @Override
    public Tensor mean() {
        return base.mean();
    }

    @Override
    public Tensor mode() {
        return base.mode();
    }

    @Override
    public Tensor variance() {
        return base.variance();
    }
}
