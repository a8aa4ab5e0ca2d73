package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Convolutions that cuDNN computes by Winograd's or by Fourier transforms. It does not offer these engines to who asks without a
 * GPU; which products they compute is learnt from what an H100 answered ({@code src/fit/transforms.py}), from the sizes and, where
 * there is one, from the answer without a GPU. What they work in then is {@link TransformedSizes}.
 */
final class TransformedProducts {

    private static final Set<DType> TYPES = Set.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
    private static final String NONE = "none";
    private static final String WINOGRAD = "winograd";
    private static final long TILE = 4;
    /** cuDNN's number of the setting that is the tile. */
    private static final int TILE_CHOICE = 2;

    private TransformedProducts() {
    }

    /**
     * What the product works in if it is computed so; empty if most trees say that it is not.
     *
     * @param answer
     *            what cuDNN offers without a GPU
     */
    static OptionalLong bytes(Convolution c, Optional<Answer> answer) {
        if (!isPossible(c)) {
            return OptionalLong.empty();
        }
        String name = ConvolutionTrees.TRANSFORMS.voted(group(c, answer), features(c, answer));
        return name.equals(NONE) ? OptionalLong.empty() : OptionalLong.of(bytes(c, name));
    }

    /** The most that any of the trees has; 0 if none has transforms. */
    static long most(Convolution c, Optional<Answer> answer) {
        if (!isPossible(c)) {
            return 0;
        }
        Map<String, Integer> votes = ConvolutionTrees.TRANSFORMS.votes(group(c, answer), features(c, answer));
        return votes.keySet().stream().filter(name -> !name.equals(NONE)).mapToLong(name -> bytes(c, name)).max()
                .orElse(0);
    }

    /** No steps, no dilation, more than one tap; of a group for each channel those of 16 bits were not answered. */
    private static boolean isPossible(Convolution c) {
        return TYPES.contains(c.dtype()) && Convolution.product(c.stride()) == 1
                && Convolution.product(c.dilation()) == 1
                && Convolution.product(c.kernel()) > 1
                && (c.groups() == 1 || c.groups() != c.channels() || c.dtype() == DType.FLOAT32);
    }

    private static long bytes(Convolution c, String name) {
        return name.equals(WINOGRAD) ? TransformedSizes.winograd(c) : TransformedSizes.fourier(c);
    }

    private static boolean isAsked(Optional<Answer> answer) {
        return answer.isPresent() && answer.get().isWayKnown();
    }

    private static String group(Convolution c, Optional<Answer> answer) {
        return "transforms " + c.pass().ordinal() + (isAsked(answer) ? "" : " alone");
    }

    /** In the order of fit/transforms.py: the sizes, those of transforms, and the answer. */
    private static double[] features(Convolution c, Optional<Answer> answer) {
        double tiles = c.batch();
        for (long size : c.out()) {
            tiles *= Math.ceilDiv(size, TILE);
        }
        double inner = (double) c.channels() / c.groups();
        double outer = (double) c.outputs() / c.groups();
        double in = Convolution.product(c.in());
        double out = Convolution.product(c.out());
        double taps = Convolution.product(c.kernel());
        double side = FourierPlans.side(c);
        double operands = c.batch() * (c.channels() * in + c.outputs() * out);
        DoubleStream sizes = DoubleStream.of(c.channelsLast() ? 1 : 0, ConvolutionWorkspace.element(c),
                least(c.kernel()), least(c.in()), Arrays.stream(c.in()).max().orElse(0), least(c.padding()), side,
                tiles, inner * outer, inner / outer,
                side * side * c.batch() * (c.channels() + c.outputs()) / operands, c.batch() * out * taps / tiles,
                taps / in);
        DoubleStream all = DoubleStream.concat(Arrays.stream(ConvolutionWorkspace.features(c)), sizes);
        if (isAsked(answer)) {
            Answer told = answer.get();
            all = DoubleStream.concat(all, DoubleStream.of(told.engine(), told.bytes(),
                    told.choices().getOrDefault(TILE_CHOICE, -1L)));
        }
        return all.toArray();
    }

    private static long least(long[] values) {
        return Arrays.stream(values).min().orElse(0);
    }
}
