package io.vramlab.plan;

import java.util.List;

/**
 * What cuDNN's heuristics see of a convolution, and of its gradients. A transposed one is told as the convolution whose
 * gradient it is.
 *
 * @param last
 *            whether channels lie side by side
 * @param depth
 *            products that are summed for one element of the output
 * @param positions
 *            elements of the output in one of its channels, over the batch
 * @param plain
 *            whether neither steps, padding nor dilation move the kernel
 */
record Convolution(Form in, Form weight, Form out, boolean last, boolean transposed, long groups, long depth,
        long positions, boolean plain, boolean steps) {

    private static final int CHANNELS = 1;

    static Convolution of(Form in, Form weight, Form out, Object stride, Object padding, Object dilation,
            boolean transposed, long groups) {
        boolean steps = !all(stride, 1);
        long kernel = 1;
        for (int d = 2; d < weight.rank(); d++) {
            kernel *= weight.shape()[d];
        }
        Form from = transposed ? out : in;
        Form to = transposed ? in : out;
        return new Convolution(from, weight, to, in.isChannelsLast() || weight.isChannelsLast(), transposed, groups,
                from.shape()[CHANNELS] / groups * kernel, to.count() / Math.max(1, to.shape()[CHANNELS]),
                !steps && all(padding, 0) && all(dilation, 1), steps || !all(dilation, 1));
    }

    private static boolean all(Object values, long value) {
        return !(values instanceof List<?> list) || list.stream().allMatch(v -> ((Number) v).longValue() == value);
    }

    /** Channels of the input in a group. */
    long ins() {
        return in.shape()[CHANNELS] / groups;
    }

    /** Channels of the output in a group. */
    long outs() {
        return out.shape()[CHANNELS] / groups;
    }

    long kernel() {
        return depth / Math.max(1, ins());
    }

    boolean pointwise() {
        return kernel() == 1;
    }

    boolean halfPrecision() {
        return in.element() < Float.BYTES;
    }

    boolean sameSize() {
        for (int d = 2; d < in.rank(); d++) {
            if (in.shape()[d] != out.shape()[d]) {
                return false;
            }
        }
        return true;
    }

    /** Multiplications of the whole. */
    double work() {
        return (double) positions * depth * out.shape()[CHANNELS];
    }

    /** PyTorch has kernels of its own for a group for each channel. */
    boolean isPyTorchs() {
        return groups > 1 && groups == in.shape()[CHANNELS] && !transposed && !last;
    }
}
