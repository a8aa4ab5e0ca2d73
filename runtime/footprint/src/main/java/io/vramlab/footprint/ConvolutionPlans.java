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

    /** The largest of all plans: what they are tried in. */
    public long largest() {
        return Math.max(first(),
                timed(plans.size()).max().orElseGet(() -> ConvolutionWorkspace.most(product, answer, device)));
    }

    private LongStream timed(int count) {
        return plans.stream().limit(count).mapToLong(plan -> StreamedTiles.bytes(product, plan, device));
    }
}
