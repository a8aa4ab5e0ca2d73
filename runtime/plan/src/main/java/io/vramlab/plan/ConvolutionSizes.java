package io.vramlab.plan;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution;
import io.vramlab.footprint.Convolution.Pass;
import io.vramlab.footprint.ConvolutionAnswers;
import io.vramlab.footprint.ConvolutionWorkspace;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the rule of cuDNN's workspaces says of a recording's convolutions, asked once for each shape and GPU: programs run few
 * shapes, each many times, and many scripts are written of a recording.
 */
final class ConvolutionSizes {

    /** A recorded layer, as it is called. Forms are equal where they are one line of the recording. */
    private record Layer(TensorForm in, TensorForm weight, TensorForm out, Object stride, Object padding,
            Object dilation, boolean transposed, long groups) {

        @Override
        public int hashCode() {
            return 31 * (31 * in.hashCode() + weight.hashCode()) + out.hashCode();
        }
    }

    private record Asked(Convolved layer, Pass pass, Optional<Answer> told, DeviceProperties device) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Asked that && layer == that.layer && pass == that.pass
                    && (device == that.device || device.equals(that.device)) && told.equals(that.told);
        }

        @Override
        public int hashCode() {
            long bytes = told.isPresent() ? told.get().bytes() : 0;
            return 31 * (31 * (31 * layer.hashCode() + pass.ordinal()) + Long.hashCode(bytes))
                    + device.name().hashCode();
        }
    }

    /**
     * One product of a layer.
     *
     * @param key
     *            equal for equal products
     * @param answer
     *            cuDNN's, if there is one
     * @param least
     *            the least workspace that it may have, in bytes
     * @param likely
     *            the one that the rule expects
     * @param most
     *            the most
     */
    record Sized(Convolution product, String key, Optional<Answer> answer, long least, long likely, long most) {
    }

    private final Map<Layer, Convolved> layers = new ConcurrentHashMap<>();
    private final Map<Asked, Sized> sizes = new ConcurrentHashMap<>();

    Convolved layer(TensorForm in, TensorForm weight, TensorForm out, Object stride, Object padding, Object dilation,
            boolean transposed, long groups) {
        return layers.computeIfAbsent(
                new Layer(in, weight, out, stride, padding, dilation, transposed, groups),
                layer -> Convolved.of(in, weight, out, stride, padding, dilation, transposed, groups));
    }

    /** A recording's answer counts first: it was made with cuDNN at hand. */
    Sized of(Convolved layer, Pass pass, Optional<Answer> told, DeviceProperties device) {
        return sizes.computeIfAbsent(new Asked(layer, pass, told, device), asked -> {
            Convolution product = layer.product(pass);
            Optional<Answer> answer = told.or(() -> ConvolutionAnswers.of(product, device));
            return new Sized(product, product.key(), answer, ConvolutionWorkspace.least(product, answer, device),
                    ConvolutionWorkspace.bytes(product, answer, device),
                    ConvolutionWorkspace.most(product, answer, device));
        });
    }
}
