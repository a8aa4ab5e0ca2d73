package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;

/**
 * Attention and its gradient as cuDNN's engines know them: operation by operation what NVIDIA's cudnn-frontend asks for when
 * PyTorch calls it (read from cuDNN's log of scaled_dot_product_attention, 2.11).
 */
final class CudnnAttentionGraphs {

    /** Numbers of the tensors. */
    static final int QUERY = 0;
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int OUT = 3;
    static final int LOGARITHMS = 4;
    static final int GRAD_OUT = 5;
    static final int GRAD_QUERY = 6;
    static final int GRAD_KEY = 7;
    static final int GRAD_VALUE = 8;
    /** Backward works in these: the queries' gradient in float32, and a sum for each row. */
    static final int GRAD_QUERY_SUMS = 9;
    static final int ROW_SUMS = 10;
    /** Numbers in the host's memory. */
    static final int SCALE = 11;
    static final int NOTHING = 12;
    static final int ONE = 13;

    private final CudnnGraph graph;
    private final int type;
    private final Operand query;
    private final Operand key;
    private final Operand value;
    private final long[] scores;
    private final long[] scoreStrides;
    private final long[] rows;
    private final long[] rowStrides;

    CudnnAttentionGraphs(CudnnGraph graph, Operand query, Operand key, Operand value) {
        this.graph = graph;
        this.type = query.dtype() == DType.BFLOAT16 ? 9 : 2;
        this.query = query;
        this.key = key;
        this.value = value;
        long[] q = query.shape();
        long s = key.shape()[2];
        scores = new long[]{q[0], q[1], q[2], s};
        scoreStrides = packed(scores);
        rows = new long[]{q[0], q[1], q[2], 1};
        rowStrides = packed(rows);
    }

    private static long[] packed(long... shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return strides;
    }

    private static long[] turned(long[] a) {
        return new long[]{a[0], a[1], a[3], a[2]};
    }

    private Descriptor tensor(int number, Operand o) throws Refused {
        return graph.tensor(number, type, o.shape(), o.strides());
    }

    private Descriptor turned(int number, Operand o) throws Refused {
        return graph.tensor(number, type, turned(o.shape()), turned(o.strides()));
    }

    private Descriptor scores(int dtype) throws Refused {
        return graph.between(dtype, scores, scoreStrides);
    }

    private Descriptor perRow() throws Refused {
        return graph.between(CudnnGraph.FLOAT, rows, rowStrides);
    }

    private Descriptor masked(Descriptor x, boolean causal) throws Refused {
        if (!causal) {
            return x;
        }
        Descriptor y = scores(CudnnGraph.FLOAT);
        graph.lowerTriangle(x, graph.number(NOTHING), y, scores, scoreStrides);
        return y;
    }

    private Descriptor made(int mode, Descriptor x, Descriptor second) throws Refused {
        Descriptor y = scores(CudnnGraph.FLOAT);
        graph.each(mode, x, second, y);
        return y;
    }

    /** The result, and the logarithms of sums. */
    void forward(Operand out, boolean causal) throws Refused {
        Descriptor products = scores(CudnnGraph.FLOAT);
        graph.product(tensor(QUERY, query), turned(KEY, key), products);
        Descriptor scaled = made(CudnnGraph.MULTIPLY, products, graph.number(SCALE));
        Descriptor seen = masked(scaled, causal);
        Descriptor most = perRow();
        graph.reduce(CudnnGraph.LARGEST, seen, most);
        Descriptor less = made(CudnnGraph.SUBTRACT, seen, most);
        Descriptor powers = made(CudnnGraph.EXPONENTIAL, less, null);
        Descriptor sum = perRow();
        graph.reduce(CudnnGraph.SUM, powers, sum);
        Descriptor logarithm = perRow();
        graph.each(CudnnGraph.LOGARITHM, sum, null, logarithm);
        graph.each(CudnnGraph.ADD, most, logarithm, graph.tensor(LOGARITHMS, CudnnGraph.FLOAT, rows, rowStrides));
        Descriptor probabilities = scores(type);
        graph.each(CudnnGraph.DIVIDE, powers, sum, probabilities);
        graph.product(probabilities, tensor(VALUE, value), tensor(OUT, out));
    }

    /** The gradients of queries, keys and values. */
    void backward(Operand out, Operand gradOut, Operand[] grads, boolean causal) throws Refused {
        long[] wide = query.shape();
        Descriptor q = tensor(QUERY, query);
        Descriptor k = turned(KEY, key);
        Descriptor g = tensor(GRAD_OUT, gradOut);
        Descriptor scale = graph.number(SCALE);
        Descriptor along = graph.between(CudnnGraph.FLOAT, wide, packed(wide));
        graph.each(CudnnGraph.MULTIPLY, g, tensor(OUT, out), along);
        Descriptor sums = perRow();
        graph.reduce(CudnnGraph.SUM, along, sums);
        Descriptor rowSums = graph.tensor(ROW_SUMS, CudnnGraph.FLOAT, rows, rowStrides);
        graph.each(CudnnGraph.MULTIPLY, sums, graph.number(ONE), rowSums);

        Descriptor products = scores(CudnnGraph.FLOAT);
        graph.product(q, k, products);
        Descriptor scaled = made(CudnnGraph.MULTIPLY, products, scale);
        Descriptor less = made(CudnnGraph.SUBTRACT, scaled,
                graph.tensor(LOGARITHMS, CudnnGraph.FLOAT, rows, rowStrides));
        Descriptor probabilities = made(CudnnGraph.EXPONENTIAL, masked(less, causal), null);
        Descriptor byKey = byKey();
        graph.reshape(probabilities, byKey);
        graph.product(byKey, g, tensor(GRAD_VALUE, grads[2]));

        Descriptor slopes = scores(CudnnGraph.FLOAT);
        graph.product(g, turned(VALUE, value), slopes);
        Descriptor centred = made(CudnnGraph.SUBTRACT, slopes, rowSums);
        Descriptor weighted = made(CudnnGraph.MULTIPLY, centred, probabilities);
        Descriptor gradScores = made(CudnnGraph.MULTIPLY, weighted, scale);
        Descriptor gradByKey = byKey();
        graph.reshape(gradScores, gradByKey);
        graph.product(gradByKey, q, tensor(GRAD_KEY, grads[1]));

        Descriptor keys = graph.between(CudnnGraph.FLOAT, key.shape(), key.strides());
        graph.reshape(k, keys);
        Descriptor exact = graph.tensor(GRAD_QUERY_SUMS, CudnnGraph.FLOAT, wide, packed(wide));
        graph.product(gradScores, keys, exact);
        graph.each(CudnnGraph.IDENTITY, exact, null, tensor(GRAD_QUERY, grads[0]));
    }

    /** Probabilities or their gradients, a row for each key. */
    private Descriptor byKey() throws Refused {
        return graph.between(type, turned(scores), turned(scoreStrides));
    }
}
