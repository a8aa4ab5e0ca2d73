package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * What all convolutions share: weight [out, in / groups, …], or of a transposed one [in, out / groups, …], and bias [out],
 * both drawn as {@link Linear}'s.
 */
abstract class Convolutional extends Module {

    private static final List<String> MODES = List.of("zeros", "reflect", "replicate", "circular");

    /** [out, in / groups, …]; of a transposed convolution [in, out / groups, …]. */
    public Parameter weight;
    /** [out], or null. */
    public Parameter bias;
    private final long in;
    private final long out;
    final boolean transposed;
    final long[] kernel;
    final long[] stride;
    final long[] padding;
    final String paddingWord;
    final long[] dilation;
    final long[] outputPadding;
    final int groups;
    final String paddingMode;
    private final String repr;

    Convolutional(int dims, boolean transposed, long in, long out, long[] kernel, ConvOptions o) {
        this.in = in;
        this.out = out;
        this.transposed = transposed;
        this.kernel = each(kernel, dims, "kernel size");
        this.stride = each(o.stride, dims, "stride");
        this.padding = each(o.padding, dims, "padding");
        this.dilation = each(o.dilation, dims, "dilation");
        this.outputPadding = each(o.outputPadding, dims, "output padding");
        this.groups = o.groups;
        this.paddingWord = o.paddingWord;
        this.paddingMode = o.paddingMode;
        check();
        repr = text(dims, in, out, kernel, o);
        long[] shape = new long[dims + 2];
        shape[0] = transposed ? in : out;
        shape[1] = (transposed ? out : in) / groups;
        System.arraycopy(this.kernel, 0, shape, 2, dims);
        long fan = shape[1] * Arrays.stream(this.kernel).reduce(1, (a, b) -> a * b);
        double bound = fan > 0 ? 1 / Math.sqrt(fan) : 0;
        weight = FirstValues.uniform(bound, shape);
        bias = o.bias ? FirstValues.uniform(bound, out) : null;
    }

    private void check() {
        if (groups <= 0 || in % groups != 0 || out % groups != 0) {
            throw new IllegalArgumentException("A convolution from " + in + " to " + out + " channels in " + groups
                    + " groups was asked for: in_channels and out_channels must be divisible by groups, which must be "
                    + "positive.");
        }
        if (!MODES.contains(paddingMode) || transposed && !paddingMode.equals("zeros")) {
            throw new IllegalArgumentException("padding_mode=\"" + paddingMode + "\" was asked for: "
                    + (transposed
                            ? "only \"zeros\" is supported for transposed convolutions."
                            : "it must be one of " + MODES + "."));
        }
        if (paddingWord != null && transposed) {
            throw new IllegalArgumentException("A transposed convolution was asked to pad by the word \"" + paddingWord
                    + "\": it takes numbers.");
        }
    }

    private static long[] each(long[] given, int dims, String what) {
        if (given.length == dims) {
            return given.clone();
        }
        if (given.length != 1) {
            throw new IllegalArgumentException("A convolution over " + dims + " dimensions was given " + given.length
                    + " numbers as its " + what + ", " + Arrays.toString(given) + ": give 1 or " + dims + ".");
        }
        long[] all = new long[dims];
        Arrays.fill(all, given[0]);
        return all;
    }

    /** The convolution with that padding; a word instead of it if there is one. */
    abstract Tensor convolve(Tensor input, long[] sides);

    @Override
    public Tensor forward(Tensor input) {
        if (paddingMode.equals("zeros")) {
            return convolve(input, padding);
        }
        try (Tensor padded = padded(input)) {
            return convolve(padded, new long[kernel.length]);
        }
    }

    /** PyTorch pads before, with numbers where a word was given. */
    private Tensor padded(Tensor input) {
        int dims = kernel.length;
        long[] sides = new long[2 * dims];
        for (int d = 0; d < dims; d++) {
            int last = dims - 1 - d;
            long all = paddingWord == null ? 0 : paddingWord.equals("same") ? dilation[last] * (kernel[last] - 1) : 0;
            sides[2 * d] = paddingWord == null ? padding[last] : all / 2;
            sides[2 * d + 1] = paddingWord == null ? padding[last] : all - all / 2;
        }
        return switch (paddingMode) {
            case "reflect" -> Functional.reflectionPad(input, sides);
            case "replicate" -> Functional.replicationPad(input, sides);
            default -> Functional.circularPad(input, sides);
        };
    }

    @Override
    protected String extraRepr() {
        return repr;
    }

    /** What stands in the parentheses of a convolution of those settings. */
    static String text(int dims, long in, long out, long[] kernel, ConvOptions o) {
        StringBuilder text = new StringBuilder().append(in).append(", ").append(out).append(", kernel_size=")
                .append(Numbers.tuple(each(kernel, dims, "kernel size"))).append(", stride=")
                .append(Numbers.tuple(each(o.stride, dims, "stride")));
        if (o.paddingWord != null) {
            text.append(", padding=").append(o.paddingWord);
        } else {
            append(text, ", padding=", each(o.padding, dims, "padding"), 0);
        }
        append(text, ", dilation=", each(o.dilation, dims, "dilation"), 1);
        append(text, ", output_padding=", each(o.outputPadding, dims, "output padding"), 0);
        if (o.groups != 1) {
            text.append(", groups=").append(o.groups);
        }
        if (!o.bias) {
            text.append(", bias=False");
        }
        return o.paddingMode.equals("zeros") ? text.toString() : text + ", padding_mode=" + o.paddingMode;
    }

    private static void append(StringBuilder text, String name, long[] numbers, long usual) {
        if (Arrays.stream(numbers).anyMatch(n -> n != usual)) {
            text.append(name).append(Numbers.tuple(numbers));
        }
    }
}
