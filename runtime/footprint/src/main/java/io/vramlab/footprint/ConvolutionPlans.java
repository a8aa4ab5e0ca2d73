package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What cuDNN's plans for a product work in, in bytes, where PyTorch times them ({@code torch.backends.cudnn.benchmark}).
 * docs/footprint.md, "Convolutions".
 */
public final class ConvolutionPlans {

    private static final long BESIDES = 128;

    private final Convolution product;
    private final Optional<Answer> answer;
    private final List<Answer> plans;
    private final DeviceProperties device;

    /**
     * Of one product.
     *
     * @param answer
     *            the plan that counts where none is tried, if cuDNN was asked
     * @param plans
     *            all, in cuDNN's order, as it offers them without a GPU; empty where it was not asked
     */
    public ConvolutionPlans(Convolution product, Optional<Answer> answer, List<Answer> plans, DeviceProperties device) {
        this.product = product;
        this.answer = answer;
        this.plans = List.copyOf(plans);
        this.device = device;
    }

    /** The plan that is proposed first. */
    public long first() {
        return ConvolutionWorkspace.bytes(product, answer, device);
    }

    /** The least of those that are timed. */
    public long least(int timed) {
        return timed(timed).min().orElseGet(() -> ConvolutionWorkspace.least(product, answer, device));
    }

    /** The most of those that are timed. */
    public long most(int timed) {
        return timed(timed).max().orElseGet(() -> ConvolutionWorkspace.most(product, answer, device));
    }

    /**
     * Of all plans, the largest of which that has room they are tried in. Besides those that are told there are, on a GPU, one that
     * multiplies matrices of operands in another order, and one by Fourier transforms.
     *
     * @param fourier
     *            whether that is offered; it is not for every product that it could compute
     * @param unruled
     *            whether plans are offered that have no rule, as large as they may be
     */
    public long[] all(boolean fourier, boolean unruled) {
        LongStream besides = LongStream.of(first(), product.channelsLast() ? 0 : lowered(),
                fourier ? FourierPlans.bytes(product) : 0, unruled ? unruled() : 0);
        return LongStream.concat(timed(plans.size()), besides).distinct().toArray();
    }

    /** Of a weight's gradient what cuBLAS takes, if it is offered; of groups all operands transformed. */
    private long unruled() {
        return ConvolutionWorkspace.isPlain(product) ? PlainProducts.byCublas(product) : FourierPlans.ofGroups(product);
    }

    /** Operands and result in another order, each with a little beside it; a weight of one tap is not turned. */
    private long lowered() {
        boolean turned = Convolution.product(product.kernel()) > 1;
        long weights = product.weights() * product.dtype().bytes();
        return product.inputBytes() + product.outputBytes() + 2 * BESIDES + (turned ? weights + BESIDES : 0);
    }

    private LongStream timed(int count) {
        return plans.stream().limit(count).mapToLong(plan -> StreamedTiles.bytes(product, plan, device));
    }
}
