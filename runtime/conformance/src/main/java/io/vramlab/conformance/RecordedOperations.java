package io.vramlab.conformance;

import io.vramlab.device.DType;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** The operations of operations.py. */
final class RecordedOperations extends OperationTable {

    RecordedOperations(Sizes sizes) {
        super(sizes);
        arithmetic();
        products();
        functions();
        reductions();
        forms();
        losses();
        layers();
    }

    private void arithmetic() {
        add("add", a -> a[0].add(a[1]), s(n, k), s(n, k));
        add("add_broadcast_row", a -> a[0].add(a[1]), s(n, k), s(k));
        add("add_broadcast_col", a -> a[0].add(a[1]), s(n, k), s(n, 1));
        add("add_scalar", a -> a[0].add(1.5), s(n, k));
        add("sub", a -> a[0].sub(a[1]), s(n, k), s(n, k));
        add("mul", a -> a[0].mul(a[1]), s(n, k), s(n, k));
        add("mul_scalar", a -> a[0].mul(2), s(n, k));
        add("div", a -> a[0].div(a[1]), s(n, k), s(n, k));
        add("div_scalar", a -> a[0].div(4), s(n, k));
        add("neg", a -> a[0].neg(), s(n, k));
    }

    private void products() {
        add("matmul", a -> a[0].matmul(a[1]), s(n, k), s(k, m));
        add("matmul_left_only_grad", a -> a[0].matmul(a[1]), s(n, k), constant(k, m));
        add("bmm", a -> a[0].bmm(a[1]), s(8, 64, 96), s(8, 96, 32));
        add("addmm", a -> Tensor.addmm(a[0], a[1], a[2]), s(m), s(n, k), s(k, m));
        add("linear", a -> Functional.linear(a[0], a[1], a[2]), s(n, k), s(m, k), s(m));
        add("linear_no_bias", a -> Functional.linear(a[0], a[1], null), s(n, k), s(m, k));
        add("linear_input_no_grad", a -> Functional.linear(a[0], a[1], a[2]), constant(n, k), s(m, k), s(m));
        add("linear_3d", a -> Functional.linear(a[0], a[1], a[2]), s(4, 160, k), s(m, k), s(m));
        add("sdpa_math", a -> then(scores(a[0], a[1]), w -> w.matmul(a[2])), s(4, 8, 64, 64), s(4, 8, 64, 64),
                s(4, 8, 64, 64));
    }

    /** A Python expression drops an operand as soon as the operation on it is done. */
    private static Tensor scores(Tensor q, Tensor k) {
        return then(then(then(k.transpose(-1, -2), q::matmul), product -> product.div(8)),
                scaled -> Functional.softmax(scaled, -1));
    }

    private void functions() {
        add("relu", a -> a[0].relu(), s(n, k));
        add("gelu", a -> a[0].gelu(), s(n, k));
        add("sigmoid", a -> a[0].sigmoid(), s(n, k));
        add("tanh", a -> a[0].tanh(), s(n, k));
        add("exp", a -> a[0].exp(), s(n, k));
        add("log", a -> a[0].log(), s(n, k));
        add("sqrt", a -> a[0].sqrt(), s(n, k));
        add("pow2", a -> a[0].pow(2), s(n, k));
        add("abs", a -> a[0].abs(), s(n, k));
        add("softmax", a -> Functional.softmax(a[0], -1), s(n, k));
        add("log_softmax", a -> Functional.logSoftmax(a[0], -1), s(n, k));
        add("where", a -> then(a[0].gt(0), c -> Tensor.where(c, a[0], a[1])), s(n, k), s(n, k));
        add("clamp", a -> a[0].clamp(-1, 1), s(n, k));
    }

    private void reductions() {
        add("sum", a -> a[0].sum(), s(n, k));
        add("sum_dim", a -> a[0].sum(0), s(n, k));
        add("mean", a -> a[0].mean(), s(n, k));
        add("mean_dim", a -> a[0].mean(1), s(n, k));
        add("max", a -> a[0].max(), s(n, k));
    }

    private void forms() {
        add("transpose_contiguous", a -> then(a[0].t(), Tensor::contiguous), s(n, k));
        add("reshape_view", a -> a[0].reshape(k, n), s(n, k));
        add("slice_clone", a -> then(a[0].slice(0, 0, 100), Tensor::clone), s(n, k));
        add("clone", a -> a[0].clone(), s(n, k));
        add("cat", a -> Functional.cat(0, a[0], a[1]), s(n, k), s(n, k));
        add("stack", a -> Functional.stack(0, a[0], a[1]), s(n, k), s(n, k));
        add("to_half", a -> a[0].half(), s(n, k));
        add("to_half_and_back", a -> then(a[0].half(), h -> h.to(DType.FLOAT32)), s(n, k));
    }

    private void losses() {
        add("cross_entropy", a -> Functional.crossEntropy(a[0], a[1]), s(n, 10), classes());
        add("cross_entropy_wide", a -> Functional.crossEntropy(a[0], a[1]), s(n, 1000), classes());
        add("nll_loss", a -> Functional.nllLoss(a[0], a[1], Reduction.MEAN, -100), s(n, 10), classes());
        add("mse_loss", a -> Functional.mseLoss(a[0], a[1], Reduction.MEAN), s(n, k), constant(n, k));
        add("l1_loss", a -> Functional.l1Loss(a[0], a[1], Reduction.MEAN), s(n, k), constant(n, k));
        add("bce_with_logits", a -> Functional.binaryCrossEntropyWithLogits(a[0], a[1], Reduction.MEAN), s(n, k),
                constant(n, k));
    }

    private void layers() {
        Window three = new Window(3, 3, 1, 1, 1, 1, 1, 1, 1);
        Window two = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);
        add("dropout", a -> Functional.dropout(a[0], 0.5, true), s(n, k));
        add("layer_norm", a -> Functional.layerNorm(a[0], new long[]{k}, a[1], a[2], 1e-5), s(n, k), s(k), s(k));
        add("embedding", a -> Functional.embedding(a[1], a[0]), s(1000, 64), classes());
        add("batch_norm1d", a -> Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5), s(n, k), s(k),
                s(k));
        add("conv2d", a -> Functional.conv2d(a[0], a[1], a[2], three), s(16, 8, 32, 32), s(16, 8, 3, 3), s(16));
        add("max_pool2d", a -> Functional.maxPool2d(a[0], two), s(16, 8, 32, 32));
        add("avg_pool2d", a -> Functional.avgPool2d(a[0], two), s(16, 8, 32, 32));
    }
}
