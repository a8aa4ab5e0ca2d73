package io.vramlab.conformance;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** More single operations, recorded in the same way on an H200 by the project itself (more_operations.py). */
final class MoreOperations extends OperationTable {

    MoreOperations(Sizes sizes) {
        super(sizes);
        reductions();
        lookups();
        functions();
        forms();
        inPlace();
        dtypes();
    }

    private void reductions() {
        add("sum_rows", a -> a[0].sum(1), s(n, k));
        add("sum_dims", a -> a[0].sum(0, 2, 3), s(16, 8, 32, 32));
        add("mean_keep", a -> a[0].mean(new int[]{-1}, true), s(n, k));
        add("amax_dim", a -> a[0].amax(1), s(n, k));
        add("max_dim", a -> first(Functional.max(a[0], 1, false)), s(n, k));
        add("max_dim0", a -> first(Functional.max(a[0], 0, false)), s(n, k));
        add("min", a -> a[0].min(), s(n, k));
        add("norm", a -> a[0].norm(), s(n, k));
        add("var", a -> a[0].var(), s(n, k));
        add("var_dim", a -> a[0].var(1), s(n, k));
        add("argmax", a -> a[0].argmax(), constant(n, k));
        add("argmax_dim", a -> a[0].argmax(1), constant(n, k));
        add("any", a -> then(a[0].gt(0), Tensor::any), constant(n, k));
        add("eq_all", a -> then(a[0].eq(a[0]), Tensor::all), constant(n, k));
        add("count", a -> then(a[0].gt(0), Tensor::sum), constant(n, k));
    }

    private void lookups() {
        add("topk", a -> first(Functional.topk(a[0], 5, -1, true)), s(n, k));
        add("gather", a -> then(a[1].view(n, 1), i -> Functional.gather(a[0], 1, i)), s(n, 1000), classes());
        add("index", a -> Functional.index(a[0], a[1]), s(1000, 64), classes());
        add("masked_fill", a -> then(a[0].gt(0), m -> a[0].maskedFill(m, 0)), s(n, k));
        add("tril", a -> a[0].tril(0), s(n, k));
    }

    private void functions() {
        add("maximum", a -> a[0].maximum(a[1]), s(n, k), s(n, k));
        add("pow_tensor", a -> a[0].pow(a[1]), s(n, k), s(n, k));
        add("pow3", a -> a[0].pow(3), s(n, k));
        add("log1p", a -> a[0].log1p(), s(n, k));
        add("rsqrt", a -> a[0].rsqrt(), s(n, k));
        add("reciprocal", a -> a[0].reciprocal(), s(n, k));
        add("rdiv", a -> a[0].rdiv(3), s(n, k));
        add("rsub", a -> a[0].rsub(3), s(n, k));
        add("sin", a -> a[0].sin(), s(n, k));
        add("cos", a -> a[0].cos(), s(n, k));
        add("erf", a -> a[0].erf(), s(n, k));
        add("silu", a -> a[0].silu(), s(n, k));
        add("gelu_tanh", a -> a[0].geluTanh(), s(n, k));
        add("floor", a -> a[0].floor(), s(n, k));
        add("sign", a -> a[0].sign(), s(n, k));
        add("clamp_min", a -> a[0].clamp(0, Double.POSITIVE_INFINITY), s(n, k));
    }

    private void forms() {
        add("split_mul", a -> of(Functional.split(a[0], k / 2, 1), p -> p[0].mul(p[1])), s(n, k));
        add("chunk_rows_add", a -> of(Functional.chunk(a[0], 2, 0), p -> p[0].add(p[1])), s(n, k));
        add("unbind_add", a -> of(Functional.unbind(a[0], 0), p -> p[0].add(p[1])), s(2, n, k));
        add("select_mul", a -> then(a[0].select(0, 3), r -> r.mul(2)), s(n, k));
        add("slice_step", a -> then(a[0].slice(0, 0, n, 2), Tensor::clone), s(n, k));
        add("expand_mul", a -> then(a[0].expand(n, k), e -> e.mul(a[1])), s(1, k), s(n, k));
        add("permute_contiguous", a -> then(a[0].permute(0, 2, 1, 3), Tensor::contiguous), s(4, 64, 8, 32));
        add("permute_mul", a -> then(a[0].permute(1, 0), p -> p.mul(2)), s(n, k));
        add("transpose_add", a -> then(a[0].t(), t -> t.add(a[1])), s(n, k), s(k, n));
        add("cat_dim1", a -> Functional.cat(1, a[0], a[1]), s(n, k), s(n, m));
        add("stack_dim1", a -> Functional.stack(1, a[0], a[1]), s(n, k), s(n, k));
        add("cpu", a -> a[0].to(Device.cpu()), s(n, k));
        add("cpu_transposed", a -> then(a[0].t(), Tensor::cpu), constant(n, k));
    }

    private void inPlace() {
        add("add_inplace", a -> a[0].mul(2).add_(a[1]), s(n, k), s(n, k));
        add("mul_inplace", a -> a[0].add(1).mul_(a[1]), s(n, k), s(n, k));
        add("mul_scalar_inplace", a -> a[0].add(1).mul_(2), s(n, k));
        add("div_inplace", a -> a[0].add(1).div_(2), s(n, k));
        add("relu_inplace", a -> a[0].add(1).relu_(), s(n, k));
        add("sigmoid_inplace", a -> a[0].add(1).sigmoid_(), s(n, k));
        add("exp_inplace", a -> a[0].add(1).exp_(), s(n, k));
        add("zero_inplace", a -> a[0].add(1).zero_(), s(n, k));
        add("masked_fill_inplace", a -> a[0].add(1).maskedFill_(a[1], 0), s(n, k), s(DType.BOOL, n, k));
        add("copy_inplace", a -> a[0].add(1).copy_(a[1]), s(n, k), s(n, k));
    }

    private void dtypes() {
        DType half = DType.FLOAT16;
        add("add_half_float", a -> a[0].add(a[1]), s(half, n, k), s(n, k));
        add("mul_half_broadcast", a -> a[0].mul(a[1]), s(half, n, k), s(half, k));
        add("sum_half", a -> a[0].sum(), s(half, n, k));
        add("mean_half_dim0", a -> a[0].mean(0), s(half, n, k));
        add("to_double", a -> a[0].to(DType.FLOAT64), s(n, k));
        add("double_mul", a -> a[0].mul(a[1]), s(DType.FLOAT64, n, k), s(DType.FLOAT64, n, k));
        add("linear_half", a -> Functional.linear(a[0], a[1], a[2]), s(half, n, k), s(half, m, k), s(half, m));
        add("div_broadcast_col", a -> a[0].div(a[1]), s(n, k), s(n, 1));
        add("square_reuse", a -> then(a[0].mul(a[0]), p -> p.add(a[0])), s(n, k));
    }
}
