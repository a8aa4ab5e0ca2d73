package io.vramlab.device;

import io.vramlab.device.AttentionArithmetic.Attention;
import java.util.Arrays;

/**
 * {@link Kernels#attention} and its gradient from a device's other kernels, a few heads and query rows at a time: copies in
 * float32, products, softmax, products. What lies between them is in memory of the device that the caller provides, which
 * the allocator knows nothing of. Backward computes the probabilities again, with the same random numbers.
 */
public final class AttentionSteps {

    /** Elements of the scores that exist at once, if one row of a head has no more than that. */
    private static final long SCORES = 1L << 20;
    private static final long ROW_STEP = 4;
    private static final double NEGATIVE = Double.NEGATIVE_INFINITY;

    /** Memory for the time of one call: the address of so many bytes. */
    public interface Memory {
        /**
         * {@return the first address of at least that many bytes, aligned to 256}
         *
         * @param bytes
         *            how much the call needs in all, in bytes; asked for once per call, before its first kernel
         */
        long of(long bytes);
    }

    private final Kernels kernels;
    private final long stream;
    private final Attention how;
    private final Operand query;
    private final Operand key;
    private final Operand value;
    private final Operand mask;
    private final long heads;
    private final long group;
    private final long together;
    private final long rows;
    private long counter;
    private long next;

    private AttentionSteps(Kernels kernels, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        this.kernels = kernels;
        this.query = query;
        this.key = key;
        this.value = value;
        this.mask = mask;
        this.how = how;
        this.stream = stream;
        this.heads = query.shape()[1];
        this.group = heads / Math.max(1, key.shape()[1]);
        long scores = query.shape()[2] * key.shape()[2];
        this.together = group > 1 ? 1 : Math.clamp(SCORES / Math.max(1, scores), 1, heads);
        long fits = SCORES / Math.max(1, key.shape()[2]) / ROW_STEP * ROW_STEP;
        this.rows = Math.min(query.shape()[2], Math.max(ROW_STEP, fits));
        this.counter = how.offset();
    }

    /**
     * Computes {@link Kernels#attention}, with working memory of less than 64 MiB unless a row of scores is longer
     * than 2^20 elements.
     *
     * @param kernels
     *            the device's other kernels, which do the work
     * @param memory
     *            where the copies, scores and probabilities are for the time of the call
     * @param out
     *            [n, heads, l, e], written
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d], where kv divides heads
     * @param value
     *            [n, kv, s, e]
     * @param mask
     *            [n, heads, l, s], added to the scores, stride 0 where broadcast; null for none
     * @param how
     *            scale, causal or not, and dropout with its random numbers
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    public static void forward(Kernels kernels, Memory memory, Operand out, Operand query, Operand key, Operand value,
            Operand mask, Attention how, long stream) {
        AttentionSteps steps = new AttentionSteps(kernels, query, key, value, mask, how, stream);
        steps.next = memory.of(steps.bytes());
        steps.forward(out);
    }

    /**
     * Computes {@link Kernels#attentionBackward} in float32; the probabilities are computed again.
     *
     * @param kernels
     *            the device's other kernels, which do the work
     * @param memory
     *            where the copies, probabilities and their gradients are for the time of the call
     * @param gradQuery
     *            [n, heads, l, d], written
     * @param gradKey
     *            [n, kv, s, d], written
     * @param gradValue
     *            [n, kv, s, e], written
     * @param gradMask
     *            [n, heads, l, s], written, or null if nobody wants it
     * @param gradOut
     *            [n, heads, l, e]
     * @param query
     *            as in forward
     * @param key
     *            as in forward
     * @param value
     *            as in forward
     * @param mask
     *            as in forward
     * @param how
     *            as in forward, with forward's seed and offset
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    public static void backward(Kernels kernels, Memory memory, Operand gradQuery, Operand gradKey, Operand gradValue,
            Operand gradMask, Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        AttentionSteps steps = new AttentionSteps(kernels, query, key, value, mask, how, stream);
        steps.next = memory.of(steps.bytes());
        steps.backward(gradQuery, gradKey, gradValue, gradMask, gradOut);
    }

    /** The most that {@link #room} hands out in one call. */
    private long bytes() {
        long s = key.shape()[2];
        long widths = query.shape()[3] + value.shape()[3];
        long keys = 2 * together * s * widths;
        long queries = together * rows * (2 * query.shape()[3] + 2 * value.shape()[3]);
        long scores = together * rows * s;
        return Float.BYTES * (keys + queries + 6 * scores + 2 * together * rows) + 32 * 256;
    }

    /** float32 of that shape in the memory of this call. */
    private Operand room(long... shape) {
        return room(DType.FLOAT32, shape);
    }

    private Operand room(DType dtype, long... shape) {
        Operand made = dense(next, dtype, shape);
        next += (made.count() * dtype.bytes() + 255) / 256 * 256;
        return made;
    }

    private static Operand dense(long address, DType dtype, long... shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return new Operand(address, dtype, shape, strides);
    }

    /** The start of a buffer as another shape. */
    private static Operand as(Operand buffer, long... shape) {
        return dense(buffer.address(), buffer.dtype(), shape);
    }

    /** [n, r, w] of [batch, heads, rows, w]: some heads of one batch, some of their rows. */
    private static Operand part(Operand o, long batch, long head, long n, long row, long r) {
        long[] s = o.strides();
        long first = batch * s[0] + head * s[1] + row * s[2];
        return new Operand(o.address() + first * o.dtype().bytes(), o.dtype(), new long[]{n, r, o.shape()[3]},
                new long[]{s[1], s[2], s[3]});
    }

    private static Operand turned(Operand o) {
        return new Operand(o.address(), o.dtype(), new long[]{o.shape()[0], o.shape()[2], o.shape()[1]},
                new long[]{o.strides()[0], o.strides()[2], o.strides()[1]});
    }

    private static Operand spread(Operand o, long... shape) {
        long[] strides = new long[shape.length];
        int lead = shape.length - o.shape().length;
        for (int d = lead; d < shape.length; d++) {
            strides[d] = o.shape()[d - lead] == 1 && shape[d] != 1 ? 0 : o.strides()[d - lead];
        }
        return new Operand(o.address(), o.dtype(), shape, strides);
    }

    private void run(ElementOp op, Operand out, double[] scalars, Operand... inputs) {
        kernels.elementwise(op, scalars, out, inputs, stream);
    }

    private void copy(Operand to, Operand from) {
        run(ElementOp.COPY, to, new double[0], from);
    }

    /** The buffers of the probabilities, and what is computed into them. */
    private final class Probabilities {

        private final Operand scores = room(together, rows, key.shape()[2]);
        private final Operand exact = room(together, rows, key.shape()[2]);
        private final Operand kept = room(together, rows, key.shape()[2]);
        private final Operand bias = room(together, rows, key.shape()[2]);
        private final Operand chosen = room(DType.BOOL, together, rows, key.shape()[2]);
        private final Operand largest = room(together, rows, 1);
        private final Operand empty = room(DType.BOOL, together, rows, 1);

        /** Softmax of the scaled, masked scores; then with dropout. The heads' rows from {@code row} on. */
        private void compute(Operand q, Operand k, long batch, long head, long n, long row, long r) {
            long[] shape = {n, r, key.shape()[2]};
            Operand s = as(scores, shape);
            kernels.matmul(s, q, turned(k), how.scale(), 0, stream);
            if (how.causal()) {
                Operand above = as(bias, r, shape[2]);
                Operand all = as(exact, r, shape[2]);
                run(ElementOp.FILL, all, new double[]{NEGATIVE});
                kernels.triangle(above, all, true, row + 1, stream);
                run(ElementOp.ADD, s, new double[]{1}, s, spread(above, shape));
            }
            if (mask != null) {
                Operand added = as(bias, shape);
                copy(added, part(mask, batch, head, n, row, r));
                run(ElementOp.ADD, s, new double[]{1}, s, added);
            }
            Operand p = as(exact, shape);
            kernels.softmax(p, s, 2, false, stream);
            if (mask != null) {
                // a row that sees nothing gives nothing
                Operand most = as(largest, n, r, 1);
                Operand none = as(empty, n, r, 1);
                kernels.reduce(ReduceOp.MAX, most, s, stream);
                run(ElementOp.EQ_SCALAR, none, new double[]{NEGATIVE}, most);
                run(ElementOp.MASKED_FILL, p, new double[]{0}, p, spread(none, shape));
            }
            if (how.dropout() > 0) {
                kernels.dropout(as(kept, shape), as(chosen, shape), p, how.dropout(), how.seed(), counter, stream);
                counter += (n * r * shape[2] + 3) / 4;
            }
        }

        Operand kept(long n, long r) {
            return as(how.dropout() > 0 ? kept : exact, n, r, key.shape()[2]);
        }
    }

    private void forward(Operand out) {
        long keys = key.shape()[2];
        Operand k = room(together, keys, key.shape()[3]);
        Operand v = room(together, keys, value.shape()[3]);
        Operand q = room(together, rows, query.shape()[3]);
        Operand o = room(together, rows, value.shape()[3]);
        Probabilities p = new Probabilities();
        for (long b = 0; b < query.shape()[0]; b++) {
            for (long h = 0; h < heads; h += together) {
                long n = Math.min(together, heads - h);
                Operand kn = as(k, n, keys, key.shape()[3]);
                Operand vn = as(v, n, keys, value.shape()[3]);
                copy(kn, part(key, b, h / group, n, 0, keys));
                copy(vn, part(value, b, h / group, n, 0, keys));
                for (long i = 0; i < query.shape()[2]; i += rows) {
                    long r = Math.min(rows, query.shape()[2] - i);
                    Operand qn = as(q, n, r, query.shape()[3]);
                    Operand on = as(o, n, r, value.shape()[3]);
                    copy(qn, part(query, b, h, n, i, r));
                    p.compute(qn, kn, b, h, n, i, r);
                    kernels.matmul(on, p.kept(n, r), vn, 1, 0, stream);
                    copy(part(out, b, h, n, i, r), on);
                }
            }
        }
    }

    private void backward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask, Operand gradOut) {
        long keys = key.shape()[2];
        Operand k = room(together, keys, key.shape()[3]);
        Operand v = room(together, keys, value.shape()[3]);
        Operand gk = room(together, keys, key.shape()[3]);
        Operand gv = room(together, keys, value.shape()[3]);
        Operand q = room(together, rows, query.shape()[3]);
        Operand gq = room(together, rows, query.shape()[3]);
        Operand go = room(together, rows, value.shape()[3]);
        Probabilities p = new Probabilities();
        Operand slope = room(together, rows, keys);
        for (long b = 0; b < query.shape()[0]; b++) {
            for (long h = 0; h < heads; h += together) {
                long n = Math.min(together, heads - h);
                Operand kn = as(k, n, keys, key.shape()[3]);
                Operand vn = as(v, n, keys, value.shape()[3]);
                Operand gkn = as(gk, n, keys, key.shape()[3]);
                Operand gvn = as(gv, n, keys, value.shape()[3]);
                if (h % group == 0) {
                    copy(kn, part(key, b, h / group, n, 0, keys));
                    copy(vn, part(value, b, h / group, n, 0, keys));
                }
                for (long i = 0; i < query.shape()[2]; i += rows) {
                    long r = Math.min(rows, query.shape()[2] - i);
                    double before = h % group == 0 && i == 0 ? 0 : 1;
                    Operand qn = as(q, n, r, query.shape()[3]);
                    Operand gqn = as(gq, n, r, query.shape()[3]);
                    Operand gon = as(go, n, r, value.shape()[3]);
                    copy(qn, part(query, b, h, n, i, r));
                    copy(gon, part(gradOut, b, h, n, i, r));
                    p.compute(qn, kn, b, h, n, i, r);
                    kernels.matmul(gvn, turned(p.kept(n, r)), gon, 1, before, stream);
                    Operand ds = slopes(p, as(slope, n, r, keys), gon, vn);
                    if (gradMask != null) {
                        copy(part(gradMask, b, h, n, i, r), ds);
                    }
                    kernels.matmul(gqn, ds, kn, how.scale(), 0, stream);
                    copy(part(gradQuery, b, h, n, i, r), gqn);
                    kernels.matmul(gkn, turned(ds), qn, how.scale(), before, stream);
                }
                if ((h + n) % group == 0) {
                    copy(part(gradKey, b, h / group, n, 0, keys), gkn);
                    copy(part(gradValue, b, h / group, n, 0, keys), gvn);
                }
            }
        }
    }

    /** Gradients of the scores. */
    private Operand slopes(Probabilities p, Operand out, Operand gradOut, Operand values) {
        long[] shape = out.shape();
        Operand g = as(p.scores, shape);
        kernels.matmul(g, gradOut, turned(values), 1, 0, stream);
        if (how.dropout() > 0) {
            run(ElementOp.MUL, g, new double[0], g, as(p.chosen, shape));
            run(ElementOp.MUL_SCALAR, g, new double[]{1 / (1 - how.dropout())}, g);
        }
        kernels.softmaxBackward(out, g, as(p.exact, shape), 2, false, stream);
        return out;
    }

    /**
     * {@return how many random numbers both take at most, for four to a counter}
     *
     * @param query
     *            the query's shape, [n, heads, l, d]
     * @param keys
     *            s, the number of keys
     */
    public static long randoms(long[] query, long keys) {
        long rows = Arrays.stream(query).limit(2).reduce(1, (a, b) -> a * b);
        return rows * (query[2] + ROW_STEP) * (keys + ROW_STEP);
    }
}
