package io.vramlab.conformance;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** More single operations, recorded in the same way on an H200 by the project itself (more_operations.py). */
final class FurtherOperations extends OperationTable {

    FurtherOperations() {
        reductions();
        lookups();
        functions();
        forms();
        inPlace();
        dtypes();
    }

    private void reductions() {
        add("sum_rows", a -> a[0].sum(1), s(N, K));
        add("sum_dims", a -> a[0].sum(0, 2, 3), s(16, 8, 32, 32));
        add("mean_keep", a -> a[0].mean(new int[]{-1}, true), s(N, K));
        add("amax_dim", a -> a[0].amax(1), s(N, K));
        add("max_dim", a -> first(Functional.max(a[0], 1, false)), s(N, K));
        add("max_dim0", a -> first(Functional.max(a[0], 0, false)), s(N, K));
        add("min", a -> a[0].min(), s(N, K));
        add("norm", a -> a[0].norm(), s(N, K));
        add("argmax", a -> a[0].argmax(), constant(N, K));
        add("argmax_dim", a -> a[0].argmax(1), constant(N, K));
        add("any", a -> then(a[0].gt(0), Tensor::any), constant(N, K));
        add("eq_all", a -> then(a[0].eq(a[0]), Tensor::all), constant(N, K));
        add("count", a -> then(a[0].gt(0), Tensor::sum), constant(N, K));
    }

    private void lookups() {
        add("topk", a -> first(Functional.topk(a[0], 5, -1, true)), s(N, K));
        add("gather", a -> then(a[1].view(N, 1), i -> Functional.gather(a[0], 1, i)), s(N, 1000), classes());
        add("masked_fill", a -> then(a[0].gt(0), m -> a[0].maskedFill(m, 0)), s(N, K));
        add("tril", a -> a[0].tril(0), s(N, K));
    }

    private void functions() {
        add("maximum", a -> a[0].maximum(a[1]), s(N, K), s(N, K));
        add("pow_tensor", a -> a[0].pow(a[1]), s(N, K), s(N, K));
        add("pow3", a -> a[0].pow(3), s(N, K));
        add("log1p", a -> a[0].log1p(), s(N, K));
        add("rsqrt", a -> a[0].rsqrt(), s(N, K));
        add("reciprocal", a -> a[0].reciprocal(), s(N, K));
        add("rdiv", a -> a[0].rdiv(3), s(N, K));
        add("rsub", a -> a[0].rsub(3), s(N, K));
        add("sin", a -> a[0].sin(), s(N, K));
        add("cos", a -> a[0].cos(), s(N, K));
        add("erf", a -> a[0].erf(), s(N, K));
        add("silu", a -> a[0].silu(), s(N, K));
        add("gelu_tanh", a -> a[0].geluTanh(), s(N, K));
        add("floor", a -> a[0].floor(), s(N, K));
        add("sign", a -> a[0].sign(), s(N, K));
        add("clamp_min", a -> a[0].clamp(0, Double.POSITIVE_INFINITY), s(N, K));
    }

    private void forms() {
        add("split_mul", a -> of(Functional.split(a[0], K / 2, 1), p -> p[0].mul(p[1])), s(N, K));
        add("chunk_rows_add", a -> of(Functional.chunk(a[0], 2, 0), p -> p[0].add(p[1])), s(N, K));
        add("unbind_add", a -> of(Functional.unbind(a[0], 0), p -> p[0].add(p[1])), s(2, N, K));
        add("select_mul", a -> then(a[0].select(0, 3), r -> r.mul(2)), s(N, K));
        add("slice_step", a -> then(a[0].slice(0, 0, N, 2), Tensor::clone), s(N, K));
        add("expand_mul", a -> then(a[0].expand(N, K), e -> e.mul(a[1])), s(1, K), s(N, K));
        add("permute_contiguous", a -> then(a[0].permute(0, 2, 1, 3), Tensor::contiguous), s(4, 64, 8, 32));
        add("permute_mul", a -> then(a[0].permute(1, 0), p -> p.mul(2)), s(N, K));
        add("transpose_add", a -> then(a[0].t(), t -> t.add(a[1])), s(N, K), s(K, N));
        add("cat_dim1", a -> Functional.cat(1, a[0], a[1]), s(N, K), s(N, M));
        add("stack_dim1", a -> Functional.stack(1, a[0], a[1]), s(N, K), s(N, K));
        add("cpu", a -> a[0].to(Device.cpu()), s(N, K));
        add("cpu_transposed", a -> then(a[0].t(), Tensor::cpu), constant(N, K));
    }

    private void inPlace() {
        add("add_inplace", a -> a[0].mul(2).add_(a[1]), s(N, K), s(N, K));
        add("mul_inplace", a -> a[0].add(1).mul_(a[1]), s(N, K), s(N, K));
        add("mul_scalar_inplace", a -> a[0].add(1).mul_(2), s(N, K));
        add("div_inplace", a -> a[0].add(1).div_(2), s(N, K));
        add("relu_inplace", a -> a[0].add(1).relu_(), s(N, K));
        add("sigmoid_inplace", a -> a[0].add(1).sigmoid_(), s(N, K));
        add("exp_inplace", a -> a[0].add(1).exp_(), s(N, K));
        add("zero_inplace", a -> a[0].add(1).zero_(), s(N, K));
        add("masked_fill_inplace", a -> a[0].add(1).maskedFill_(a[1], 0), s(N, K), s(DType.BOOL, N, K));
        add("copy_inplace", a -> a[0].add(1).copy_(a[1]), s(N, K), s(N, K));
    }

    private void dtypes() {
        DType half = DType.FLOAT16;
        add("add_half_float", a -> a[0].add(a[1]), s(half, N, K), s(N, K));
        add("mul_half_broadcast", a -> a[0].mul(a[1]), s(half, N, K), s(half, K));
        add("sum_half", a -> a[0].sum(), s(half, N, K));
        add("mean_half_dim0", a -> a[0].mean(0), s(half, N, K));
        add("to_double", a -> a[0].to(DType.FLOAT64), s(N, K));
        add("double_mul", a -> a[0].mul(a[1]), s(DType.FLOAT64, N, K), s(DType.FLOAT64, N, K));
        add("linear_half", a -> Functional.linear(a[0], a[1], a[2]), s(half, N, K), s(half, M, K), s(half, M));
        add("div_broadcast_col", a -> a[0].div(a[1]), s(N, K), s(N, 1));
        add("square_reuse", a -> then(a[0].mul(a[0]), p -> p.add(a[0])), s(N, K));
    }
}
