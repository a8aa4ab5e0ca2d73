package io.vramlab.footprint;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionHeuristics;
import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What cuDNN itself answers on this machine for a GPU that is simulated, where {@code VRAMLAB_CUDNN_ASK} is {@code on}. It is
 * off otherwise, so that a notebook has the same figures on machines with and without cuDNN.
 */
public final class ConvolutionAnswers {

    private static final ConvolutionAnswers INSTANCE = new ConvolutionAnswers();

    private final Optional<ConvolutionHeuristics> heuristics = ServiceLoader
            .load(ConvolutionHeuristics.class, ConvolutionHeuristics.class.getClassLoader()).findFirst();
    private final Map<String, Optional<Answer>> known = new ConcurrentHashMap<>();

    private ConvolutionAnswers() {
    }

    /** Whether simulated GPUs ask. */
    public static boolean isOn() {
        return "on".equalsIgnoreCase(System.getProperty("vramlab.cudnn.ask", System.getenv("VRAMLAB_CUDNN_ASK")));
    }

    /** The library that can be asked here, with its version, whether it is or not; empty if there is none. */
    public static Optional<String> library() {
        return INSTANCE.heuristics.flatMap(ConvolutionHeuristics::library);
    }

    /** The answer; empty where nobody is asked, or where there is none. */
    public static Optional<Answer> of(Convolution c, DeviceProperties device) {
        return isOn() ? asked(c, device) : Optional.empty();
    }

    /** The answer, whether simulated GPUs ask or not. */
    static Optional<Answer> asked(Convolution c, DeviceProperties device) {
        return INSTANCE.heuristics.isEmpty()
                ? Optional.empty()
                : INSTANCE.known.computeIfAbsent(device + " " + ConvolutionWorkspace.key(c),
                        key -> INSTANCE.heuristics.get().answer(call(c), device));
    }

    /** As cuDNN wants it: one dimension has a second of size 1. */
    private static ConvolutionCall call(Convolution c) {
        ConvolutionCall.Pass pass = switch (c.pass()) {
            case FORWARD -> ConvolutionCall.Pass.OUTPUT;
            case INPUT -> ConvolutionCall.Pass.INPUT;
            case WEIGHT -> ConvolutionCall.Pass.WEIGHT;
        };
        return new ConvolutionCall(pass, operand(c, c.batch(), c.channels(), c.in()),
                operand(c, c.outputs(), c.channels() / c.groups(), c.kernel()),
                operand(c, c.batch(), c.outputs(), c.out()), wide(c.stride(), 1), wide(c.padding(), 0),
                wide(c.dilation(), 1));
    }

    private static long[] wide(long[] values, long first) {
        return values.length == 1 ? new long[]{first, values[0]} : values;
    }

    private static Operand operand(Convolution c, long first, long channels, long[] space) {
        long[] wide = wide(space, 1);
        long[] shape = new long[2 + wide.length];
        shape[0] = first;
        shape[1] = channels;
        System.arraycopy(wide, 0, shape, 2, wide.length);
        long[] strides = new long[shape.length];
        long step = c.channelsLast() ? channels : 1;
        for (int d = shape.length - 1; d > 1; d--) {
            strides[d] = step;
            step *= shape[d];
        }
        strides[1] = c.channelsLast() ? 1 : step;
        strides[0] = c.channelsLast() ? step : step * channels;
        DType dtype = c.dtype();
        return new Operand(0, dtype, shape, strides);
    }
}
