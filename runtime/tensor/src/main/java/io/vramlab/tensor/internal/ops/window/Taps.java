package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.Operand;

/**
 * A convolution over three dimensions, taken apart: for each position of the kernel, the inputs and outputs that it joins,
 * as stacks of matrices. With n images, g groups and planes of lines: inputs [n, g, planes, lines, channels, positions],
 * weights [1, g, 1, 1, outputs, channels] seen everywhere, outputs [n, g, planes, lines, outputs, positions].
 */
public final class Taps {

    /** One position of the kernel. */
    interface Action {
        void of(Operand in, Operand weight, Operand out);
    }

    private final Geometry g;
    private final Operand in;
    private final Operand weight;
    private final Operand out;

    Taps(Geometry g, Operand in, Operand weight, Operand out) {
        this.g = g;
        this.in = in;
        this.weight = weight;
        this.out = out;
    }

    /** The outputs from {@code first} on, {@code count} of them, that a position of the kernel serves in one dimension. */
    private record Range(long first, long count, long in) {

        static Range of(Geometry g, int d, long at, long in, long out) {
            long shift = at * g.dilation()[d] - g.padding()[d];
            long stride = g.stride()[d];
            long first = Math.max(0, Math.ceilDiv(-shift, stride));
            long last = Math.min(out - 1, Math.floorDiv(in - 1 - shift, stride));
            return new Range(first, last - first + 1, first * stride + shift);
        }
    }

    void each(Action action) {
        long[] kernel = weight.shape();
        for (long z = 0; z < kernel[2]; z++) {
            for (long y = 0; y < kernel[3]; y++) {
                for (long x = 0; x < kernel[4]; x++) {
                    Range[] ranges = {range(0, z), range(1, y), range(2, x)};
                    if (ranges[0].count > 0 && ranges[1].count > 0 && ranges[2].count > 0) {
                        action.of(stack(in, ranges, true), weight(z, y, x), stack(out, ranges, false));
                    }
                }
            }
        }
    }

    /** As {@link #each}, one line at a time and all groups of it: nothing is broadcast, so that weights may be written. */
    void eachLine(Action action) {
        each((x, w, y) -> {
            long[] shape = x.shape();
            for (long n = 0; n < shape[0]; n++) {
                for (long plane = 0; plane < shape[2]; plane++) {
                    for (long line = 0; line < shape[3]; line++) {
                        action.of(line(x, n, plane, line), line(w, 0, 0, 0), line(y, n, plane, line));
                    }
                }
            }
        });
    }

    private static Operand line(Operand o, long n, long plane, long line) {
        long[] s = o.strides();
        long[] shape = o.shape();
        long offset = n * s[0] + plane * s[2] + line * s[3];
        return new Operand(o.address() + offset * o.dtype().bytes(), o.dtype(),
                new long[]{shape[1], shape[4], shape[5]}, new long[]{s[1], s[4], s[5]});
    }

    private Range range(int d, long at) {
        return Range.of(g, d, at, in.shape()[d + 2], out.shape()[d + 2]);
    }

    private Operand stack(Operand o, Range[] ranges, boolean input) {
        long[] shape = o.shape();
        long[] s = o.strides();
        long channels = shape[1] / g.groups();
        long offset = 0;
        long[] steps = new long[3];
        for (int d = 0; d < 3; d++) {
            offset += (input ? ranges[d].in : ranges[d].first) * s[d + 2];
            steps[d] = input ? g.stride()[d] * s[d + 2] : s[d + 2];
        }
        return new Operand(o.address() + offset * o.dtype().bytes(), o.dtype(),
                new long[]{shape[0], g.groups(), ranges[0].count, ranges[1].count, channels, ranges[2].count},
                new long[]{s[0], channels * s[1], steps[0], steps[1], s[1], steps[2]});
    }

    private Operand weight(long z, long y, long x) {
        long[] shape = weight.shape();
        long[] s = weight.strides();
        long outputs = shape[0] / g.groups();
        long offset = z * s[2] + y * s[3] + x * s[4];
        long[] first = stack(in, new Range[]{range(0, z), range(1, y), range(2, x)}, true).shape();
        return new Operand(weight.address() + offset * weight.dtype().bytes(), weight.dtype(),
                new long[]{first[0], g.groups(), first[2], first[3], outputs, shape[1]},
                new long[]{0, outputs * s[0], 0, 0, s[0], s[1]});
    }
}
