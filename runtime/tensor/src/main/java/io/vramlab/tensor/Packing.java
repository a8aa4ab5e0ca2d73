package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The steps by which torch.nn.utils.rnn packs sequences and unpacks them. */
public final class Packing {

    private Packing() {
    }

    /**
     * One more handle; null of null.
     *
     * @param a
     *            a tensor, or null
     * @return another handle on it, no memory of its own; null of null
     */
    public static Tensor again(Tensor a) {
        return a == null ? null : Tensor.wrap(a.impl().retain());
    }

    /**
     * Indices beside that tensor, made on the host.
     *
     * @param like
     *            on whose device they are wanted
     * @param values
     *            copied
     * @return a new int64 vector, on a GPU after one of the host
     */
    public static Tensor indices(Tensor like, long[] values) {
        try (Tensor host = Tensor.of(TensorOptions.of(DType.INT64).device(Device.cpu()), values, values.length)) {
            return host.to(like.device());
        }
    }

    /**
     * The way back from {@code order}; takes as much for a moment.
     *
     * @param order
     *            on whose device it is wanted
     * @param values
     *            its numbers, each from 0 to their count - 1 once
     * @return a new int64 vector, beside which another is taken for the while, as PyTorch's {@code scatter_} of an
     *         {@code arange}
     */
    public static Tensor inverse(Tensor order, long[] values) {
        long[] back = new long[values.length];
        for (int i = 0; i < back.length; i++) {
            back[(int) values[i]] = i;
        }
        TensorImpl like = order.impl();
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(like.device(), DType.INT64, values.length));
            t.own(TensorImpl.empty(like.device(), DType.INT64, values.length));
            HostLoops.fill(out, () -> Arrays.stream(back).asDoubleStream().toArray());
            return Tensor.wrap(t.give(out));
        }
    }

    private static Operand turned(TensorImpl a, int dim) {
        Operand o = a.operand();
        long[] shape = o.shape().clone();
        long[] strides = o.strides().clone();
        shape[0] = o.shape()[dim];
        shape[dim] = o.shape()[0];
        strides[0] = o.strides()[dim];
        strides[dim] = o.strides()[0];
        return new Operand(o.address(), o.dtype(), shape, strides);
    }

    /**
     * The slices of a dimension that the indices name, in their order.
     *
     * @param x
     *            of any shape
     * @param dim
     *            from 0 on
     * @param index
     *            int64 vector
     * @return a new tensor; backward keeps the index
     */
    public static Tensor select(Tensor x, int dim, Tensor index) {
        return Calls.call(a -> {
            long[] shape = a[0].shape().clone();
            shape[dim] = a[1].count();
            try (Temps t = new Temps()) {
                TensorImpl out = t.own(TensorImpl.empty(a[0].device(), a[0].dtype(), shape));
                out.driver().kernels().indexSelect(turned(out, dim), turned(a[0], dim), a[1].operand(), out.stream());
                if (Graph.wanted(a[0])) {
                    long[] was = a[0].shape();
                    Node node = Graph.recordUnary("IndexSelectBackward0", out, a[0], (n, g) -> {
                        TensorImpl grad = Factories.full(g.device(), g.dtype(), 0, was);
                        g.driver().kernels().indexAdd(turned(grad, dim), n.saved(0).operand(), turned(g, dim),
                                g.stream());
                        return grad;
                    });
                    node.save(Graph.input(node, a[1]));
                }
                return t.give(out);
            }
        }, x, index);
    }

    /**
     * Sequences without their padding. As {@code torch._pack_padded_sequence}.
     *
     * @param input
     *            [times, batch, …], or [batch, times, …] if the batch comes first
     * @param falling
     *            length of each sequence, the longest first
     * @param batchFirst
     *            whether the batch is the first dimension
     * @return a new tensor [sum of the lengths, …], after contiguous copies of the parts; backward keeps nothing
     */
    public static Tensor pack(Tensor input, long[] falling, boolean batchFirst) {
        return Calls.call(a -> {
            try (Temps t = new Temps()) {
                TensorImpl x = batchFirst ? t.own(Views.transpose(a[0], 0, 1)) : a[0];
                return packed(x, falling);
            }
        }, input);
    }

    /** A stretch of times that equally many sequences reach. */
    private record Step(long start, long end, long sequences) {
    }

    private static List<Step> steps(long[] falling) {
        List<Step> steps = new ArrayList<>();
        long from = 0;
        for (int i = falling.length - 1; i >= 0; i--) {
            if (falling[i] > from) {
                steps.add(new Step(from, falling[i], i + 1));
                from = falling[i];
            }
        }
        return steps;
    }

    private static TensorImpl part(TensorImpl x, Step s) {
        long[] shape = x.shape().clone();
        shape[0] = s.end - s.start;
        shape[1] = s.sequences;
        return x.alias(shape, x.strides(), x.offset() + s.start * x.strides()[0]);
    }

    private static TensorImpl packed(TensorImpl x, long[] falling) {
        List<Step> steps = steps(falling);
        TensorImpl[] parts = new TensorImpl[steps.size()];
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            long rows = 0;
            for (int i = 0; i < parts.length; i++) {
                Step s = steps.get(i);
                parts[i] = t.own(Copies.contiguous(t.own(part(x, s))));
                rows += (s.end - s.start) * s.sequences;
            }
            long[] shape = Views.remove(x.shape(), 1);
            shape[0] = rows;
            out = t.own(TensorImpl.empty(x.device(), x.dtype(), shape));
            rows(out, steps, (i, place) -> Launch.into(ElementOp.COPY, Launch.NONE, place, parts[i]));
            for (TensorImpl part : parts) {
                t.free(part);
            }
            t.give(out);
        }
        if (Graph.wanted(x)) {
            long[] was = x.shape();
            Graph.recordUnary("PackPaddedSequenceBackward0", out, x, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
                    rows(g, steps, (i, place) -> {
                        try (Temps inner = new Temps()) {
                            Launch.into(ElementOp.COPY, Launch.NONE, inner.own(part(grad, steps.get(i))), place);
                        }
                    });
                    return t.give(grad);
                }
            });
        }
        return out;
    }

    private interface Place {
        void at(int step, TensorImpl rows);
    }

    /** The rows of each stretch, as [times, sequences, …]. */
    private static void rows(TensorImpl data, List<Step> steps, Place action) {
        long row = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step s = steps.get(i);
            long[] shape = Views.insert(data.shape(), 1, s.sequences);
            shape[0] = s.end - s.start;
            long[] strides = Views.insert(data.strides(), 1, data.strides()[0]);
            strides[0] = s.sequences * data.strides()[0];
            try (Temps t = new Temps()) {
                action.at(i, t.own(data.alias(shape, strides, data.offset() + row * data.strides()[0])));
            }
            row += (s.end - s.start) * s.sequences;
        }
    }

    /**
     * Packed sequences with their padding again. As {@code torch._pad_packed_sequence}.
     *
     * @param data
     *            [rows, …]
     * @param sizes
     *            how many sequences reach each time, falling
     * @param padding
     *            the value behind the ends
     * @param times
     *            how many of the result, at least as many as sizes
     * @param batchFirst
     *            whether the batch is the first dimension of the result
     * @return a new tensor [times, batch, …] or [batch, times, …]; backward keeps nothing
     */
    public static Tensor unpack(Tensor data, long[] sizes, double padding, long times, boolean batchFirst) {
        long[] falling = new long[Math.toIntExact(sizes[0])];
        for (long size : sizes) {
            for (int i = 0; i < size; i++) {
                falling[i]++;
            }
        }
        List<Step> steps = steps(falling);
        return Calls.call(a -> {
            TensorImpl x = a[0];
            long[] shape = Views.insert(x.shape(), 0, times);
            shape[1] = sizes[0];
            try (Temps t = new Temps()) {
                TensorImpl out = t.own(Factories.full(x.device(), x.dtype(), padding, shape));
                rows(x, steps, (i, place) -> {
                    try (Temps inner = new Temps()) {
                        Launch.into(ElementOp.COPY, Launch.NONE, inner.own(part(out, steps.get(i))), place);
                    }
                });
                if (Graph.wanted(x)) {
                    long[] was = x.shape();
                    Graph.recordUnary("CopySlices", out, x, (n, g) -> {
                        try (Temps inner = new Temps()) {
                            TensorImpl grad = inner.own(TensorImpl.empty(g.device(), g.dtype(), was));
                            rows(grad, steps, (i, place) -> {
                                try (Temps views = new Temps()) {
                                    Launch.into(ElementOp.COPY, Launch.NONE, place,
                                            views.own(part(g, steps.get(i))));
                                }
                            });
                            return inner.give(grad);
                        }
                    });
                }
                return batchFirst ? Views.transpose(out, 0, 1) : t.give(out);
            }
        }, data);
    }

    /**
     * Sequences [length, …] side by side. As {@code torch.nn.utils.rnn.pad_sequence}.
     *
     * @param sequences
     *            at least one, equal in all sizes but the first
     * @param batchFirst
     *            whether the batch is the first dimension of the result
     * @param padding
     *            the value behind the shorter ones
     * @return a new tensor [longest, batch, …] or [batch, longest, …]; backward keeps nothing
     * @throws TensorException
     *             for no sequences
     */
    public static Tensor pad(List<? extends Tensor> sequences, boolean batchFirst, double padding) {
        if (sequences.isEmpty()) {
            throw new TensorException("padSequence was given no sequences: received an empty list of sequences.");
        }
        long[] lengths = sequences.stream().mapToLong(s -> s.size(0)).toArray();
        long longest = sequences.stream().mapToLong(s -> s.size(0)).max().orElse(0);
        return Calls.call(a -> {
            long[] shape = Views.insert(a[0].shape(), batchFirst ? 0 : 1, a.length);
            shape[batchFirst ? 1 : 0] = longest;
            try (Temps t = new Temps()) {
                TensorImpl out = t.own(Factories.full(a[0].device(), a[0].dtype(), padding, shape));
                for (int i = 0; i < a.length; i++) {
                    Launch.into(ElementOp.COPY, Launch.NONE, t.own(place(out, i, a[i].shape()[0], batchFirst)), a[i]);
                }
                if (Graph.wanted(a)) {
                    Graph.record("PadSequenceBackward0", out, (n, g) -> {
                        TensorImpl[] grads = new TensorImpl[n.next().length];
                        for (int i = 0; i < grads.length; i++) {
                            if (n.wants(i)) {
                                TensorImpl part = place(g, i, lengths[i], batchFirst);
                                try (Temps inner = new Temps()) {
                                    grads[i] = Copies.contiguous(inner.own(part));
                                }
                            }
                        }
                        return grads;
                    }, a);
                }
                return t.give(out);
            }
        }, sequences.toArray(Tensor[]::new));
    }

    private static TensorImpl place(TensorImpl whole, int i, long length, boolean batchFirst) {
        int batch = batchFirst ? 0 : 1;
        long[] shape = Views.remove(whole.shape(), batch);
        long[] strides = Views.remove(whole.strides(), batch);
        shape[0] = length;
        return whole.alias(shape, strides, whole.offset() + i * whole.strides()[batch]);
    }
}
