package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import java.util.Arrays;
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
    private final DeviceProperties device;
    private final long first;
    private final long[] sizes;

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
        this.device = device;
        first = ConvolutionWorkspace.bytes(product, answer, device);
        sizes = plans.stream().mapToLong(plan -> StreamedTiles.bytes(product, plan, device)).toArray();
    }

    /** The plan that is proposed first. */
    public long first() {
        return first;
    }

    /** The least of those that are timed. */
    public long least(int timed) {
        int count = Math.min(timed, sizes.length);
        if (count == 0) {
            return ConvolutionWorkspace.least(product, answer, device);
        }
        long least = sizes[0];
        for (int i = 1; i < count; i++) {
            least = Math.min(least, sizes[i]);
        }
        return least;
    }

    /** The most of those that are timed. */
    public long most(int timed) {
        int count = Math.min(timed, sizes.length);
        if (count == 0) {
            return ConvolutionWorkspace.most(product, answer, device);
        }
        long most = sizes[0];
        for (int i = 1; i < count; i++) {
            most = Math.max(most, sizes[i]);
        }
        return most;
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
        return LongStream.concat(Arrays.stream(sizes), besides).distinct().toArray();
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
}
