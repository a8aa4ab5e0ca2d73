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
     * The largest of all plans: what they are tried in. Besides those that are told there are, on a GPU, one that multiplies matrices
     * of operands in another order, and one by Fourier transforms.
     */
    public long largest() {
        return Math.max(leastLargest(), FourierPlans.bytes(product));
    }

    /** The same without Fourier transforms, which are not offered for every product that they could compute. */
    public long leastLargest() {
        long told = Math.max(first(), timed(plans.size()).max().orElse(0));
        return Math.max(told, product.channelsLast() ? 0 : lowered());
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
