package io.vramlab.conformance;

import io.vramlab.device.DType;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Operations followed by a sum, whose gradient is one number seen everywhere, products of odd forms and layers of odd
 * shapes: recorded as {@link MoreOperations}.
 */
final class ComposedOperations extends OperationTable {

    private static final Window TWO = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);

    ComposedOperations(Sizes sizes) {
        super(sizes);
        products();
        summed();
        layers();
        losses();
    }

    private void products() {
        add("matmul_3d_2d", a -> a[0].matmul(a[1]), s(4, 160, k), s(k, m));
        add("matmul_4d_3d", a -> a[0].matmul(a[1]), s(4, 8, 64, 32), s(8, 32, 64));
        add("matmul_vec", a -> a[0].matmul(a[1]), s(n, k), s(k));
        add("mm_t_left", a -> then(a[0].t(), t -> t.matmul(a[1])), s(k, n), s(k, m));
        add("linear_3d_no_bias", a -> Functional.linear(a[0], a[1], null), s(4, 160, k), s(m, k));
        add("linear_3d_transposed",
                a -> then(a[0].transpose(0, 1), t -> Functional.linear(t, a[1], a[2])), s(160, 4, k), s(m, k), s(m));
        add("residual", a -> then(then(a[0].matmul(a[1]), Tensor::relu), r -> a[0].add(r)), s(n, k), s(k, k));
        add("flatten_linear", a -> then(a[0].flatten(1, -1), f -> Functional.linear(f, a[1], a[2])), s(16, 8, 4, 4),
                s(10, 128), s(10));
        add("sdpa_causal", a -> then(masked(a[0], a[1], a[3]), w -> w.matmul(a[2])), s(4, 8, 64, 64),
                s(4, 8, 64, 64), s(4, 8, 64, 64), s(DType.BOOL, 64, 64));
        add("einsum_bij_bjk", a -> Functional.einsum("bij,bjk->bik", a[0], a[1]), s(8, 64, 96), s(8, 96, 32));
    }

    private static Tensor masked(Tensor q, Tensor k, Tensor mask) {
        return then(then(then(then(k.transpose(-1, -2), q::matmul), p -> p.mul(0.125)),
                scaled -> scaled.maskedFill(mask, Double.NEGATIVE_INFINITY)), m -> Functional.softmax(m, -1));
    }

    private void summed() {
        add("mm_then_sum", a -> then(a[0].matmul(a[1]), Tensor::sum), s(n, k), s(k, m));
        add("linear_then_sum", a -> then(Functional.linear(a[0], a[1], a[2]), Tensor::sum), s(n, k), s(m, k), s(m));
        add("linear_3d_then_sum", a -> then(Functional.linear(a[0], a[1], a[2]), Tensor::sum), s(4, 160, k), s(m, k),
                s(m));
        add("bmm_then_sum", a -> then(a[0].bmm(a[1]), Tensor::sum), s(8, 64, 96), s(8, 96, 32));
        add("ln_then_sum", a -> then(Functional.layerNorm(a[0], new long[]{k}, a[1], a[2], 1e-5), Tensor::sum),
                s(n, k), s(k), s(k));
        add("bn_then_sum",
                a -> then(Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5), Tensor::sum), s(n, k),
                s(k), s(k));
        add("softmax_then_sum", a -> then(Functional.softmax(a[0], -1), Tensor::sum), s(n, k));
        add("log_softmax_then_sum", a -> then(Functional.logSoftmax(a[0], -1), Tensor::sum), s(n, k));
        add("softmax_dim0", a -> Functional.softmax(a[0], 0), s(n, k));
        add("relu_then_sum", a -> then(a[0].relu(), Tensor::sum), s(n, k));
        add("gelu_then_mean", a -> then(a[0].gelu(), Tensor::mean), s(n, k));
        add("dropout_then_sum", a -> then(Functional.dropout(a[0], 0.5, true), Tensor::sum), s(n, k));
        add("embedding_then_sum", a -> then(Functional.embedding(a[1], a[0]), Tensor::sum), s(1000, 64), classes());
        add("embedding_long", a -> Functional.embedding(a[1], a[0]), s(1000, 64), s(DType.INT64, 8, 1024));
        add("cat_then_sum", a -> then(Functional.cat(1, a[0], a[1]), Tensor::sum), s(n, k), s(n, k));
        add("maxpool_then_sum", a -> then(Functional.maxPool2d(a[0], TWO), Tensor::sum), s(16, 8, 32, 32));
        add("avgpool_then_sum", a -> then(Functional.avgPool2d(a[0], TWO), Tensor::sum), s(16, 8, 32, 32));
    }

    private void layers() {
        add("batch_norm2d", a -> Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5), s(16, 8, 32, 32),
                s(8), s(8));
        add("batch_norm_eval", a -> Functional.batchNorm(a[0], a[3], a[4], a[1], a[2], false, 0.1, 1e-5), s(n, k), s(k),
                s(k), constant(k), constant(k));
        add("batch_norm2d_eval", a -> Functional.batchNorm(a[0], a[3], a[4], a[1], a[2], false, 0.1, 1e-5),
                s(16, 8, 32, 32), s(8), s(8), constant(8), constant(8));
        add("bn2d", a -> Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5), s(16, 8, 32, 32), s(8),
                s(8));
        add("bn2d_no_affine", a -> Functional.batchNorm(a[0], null, null, null, null, true, 0.1, 1e-5),
                s(16, 8, 32, 32));
        add("bn2d_eval", a -> Functional.batchNorm(a[0], a[3], a[4], a[1], a[2], false, 0.1, 1e-5),
                s(16, 8, 32, 32), s(8), s(8), constant(8), constant(8));
        add("ln_no_affine", a -> Functional.layerNorm(a[0], new long[]{k}, null, null, 1e-5), s(n, k));
        add("ln_tall", a -> Functional.layerNorm(a[0], new long[]{32}, a[1], a[2], 1e-5), s(100_000, 32), s(32), s(32));
        add("ln_3d", a -> Functional.layerNorm(a[0], new long[]{768}, a[1], a[2], 1e-5), s(8, 1024, 768), s(768),
                s(768));
        add("ln_half", a -> Functional.layerNorm(a[0], new long[]{k}, a[1], a[2], 1e-5), s(DType.FLOAT16, n, k),
                s(DType.FLOAT16, k), s(DType.FLOAT16, k));
    }

    private void losses() {
        add("ce_sum", a -> Functional.crossEntropy(a[0], a[1], Reduction.SUM, -100), s(n, 10), classes());
        add("ce_none", a -> Functional.crossEntropy(a[0], a[1], Reduction.NONE, -100), s(n, 10), classes());
        add("mse_sum", a -> Functional.mseLoss(a[0], a[1], Reduction.SUM), s(n, k), constant(n, k));
        add("mse_both", a -> Functional.mseLoss(a[0], a[1], Reduction.MEAN), s(n, k), s(n, k));
        add("l1_both", a -> Functional.l1Loss(a[0], a[1], Reduction.MEAN), s(n, k), s(n, k));
    }
}
