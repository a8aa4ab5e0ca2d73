package io.vramlab.conformance;

import com.google.gson.JsonObject;
import io.vramlab.autograd.Checkpoint;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.nn.GradientClipping;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The expressions of wide_programs.py, the project's own recorder: arguments and attributes in, the value out. What a
 * Python expression drops on its way is closed at the same moment.
 */
final class WideProgramExpressions {

    private static final double EPS = 1e-5;

    private final Map<String, BiFunction<Tensor[], JsonObject, Tensor>> all = new HashMap<>();

    WideProgramExpressions() {
        pointwise();
        pairs();
        views();
        joins();
        reductions();
        products();
        layers();
        losses();
    }

    /** The value of an expression, or null if there is none of this name. */
    Tensor apply(String op, Tensor[] a, JsonObject s) {
        BiFunction<Tensor[], JsonObject, Tensor> expression = all.get(op);
        return expression == null ? null : expression.apply(a, s);
    }

    private void add(String op, Function<Tensor, Tensor> function) {
        all.put(op, (a, s) -> function.apply(a[0]));
    }

    private void add(String op, BiFunction<Tensor[], JsonObject, Tensor> function) {
        all.put(op, function);
    }

    private void pointwise() {
        add("gelu_tanh", Tensor::geluTanh);
        add("silu", Tensor::silu);
        add("sin", Tensor::sin);
        add("cos", Tensor::cos);
        add("erf", Tensor::erf);
        add("floor", Tensor::floor);
        add("sign", Tensor::sign);
        add("pow3", t -> t.pow(3));
        add("sqrt_abs", t -> OperationTable.then(t.abs(), Tensor::sqrt));
        add("log1p_abs", t -> OperationTable.then(t.abs(), Tensor::log1p));
        add("abs1", t -> OperationTable.then(t.abs(), x -> x.add(1)));
        add("reciprocal_abs1", t -> OperationTable.then(abs1(t), Tensor::reciprocal));
        add("rsqrt_abs1", t -> OperationTable.then(abs1(t), Tensor::rsqrt));
        add("clamp", t -> t.clamp(-0.25, 0.25));
        add("contiguous", t -> t.contiguous());
        add("masked_fill_gt0", t -> OperationTable.then(t.gt(0), m -> t.maskedFill(m, 0.5)));
        add("tril", (a, s) -> a[0].tril(number(s, "diagonal")));
        add("dropout", (a, s) -> Functional.dropout(a[0], real(s, "p"), true));
        add("rsub", (a, s) -> a[0].rsub(real(s, "scalar")));
        add("rdiv_abs1", (a, s) -> OperationTable.then(abs1(a[0]), x -> x.rdiv(real(s, "scalar"))));
        add("to", (a, s) -> a[0].to(Recordings.dtype(Recordings.need(s, "dtype").getAsString())));
        add("softmax_dim", (a, s) -> Functional.softmax(a[0], dim(s)));
        add("log_softmax_dim", (a, s) -> Functional.logSoftmax(a[0], dim(s)));
    }

    private static Tensor abs1(Tensor t) {
        return OperationTable.then(t.abs(), x -> x.add(1));
    }

    private void pairs() {
        add("div_abs1", (a, s) -> OperationTable.then(abs1(a[1]), a[0]::div));
        add("maximum", (a, s) -> a[0].maximum(a[1]));
        add("minimum", (a, s) -> a[0].minimum(a[1]));
        add("where_gt0", (a, s) -> OperationTable.then(a[0].gt(0), c -> Tensor.where(c, a[0], a[1])));
        add("add_alpha", (a, s) -> a[0].add(a[1], 2));
        add("masked_fill", (a, s) -> a[0].maskedFill(a[1], real(s, "scalar")));
    }

    private void views() {
        add("transpose", (a, s) -> a[0].transpose((int) number(s, "d0"), (int) number(s, "d1")));
        add("permute", (a, s) -> a[0].permute(dims(s)));
        add("reshape", (a, s) -> a[0].reshape(shape(s)));
        add("flatten", t -> t.flatten());
        add("unsqueeze", (a, s) -> a[0].unsqueeze(dim(s)));
        add("squeeze", (a, s) -> a[0].squeeze(dim(s)));
        add("expand", (a, s) -> a[0].expand(shape(s)));
        add("select", (a, s) -> a[0].select(dim(s), number(s, "index")));
        add("slice", (a, s) -> a[0].slice(dim(s), number(s, "start"), number(s, "end"), number(s, "step")));
        add("narrow", (a, s) -> a[0].narrow(dim(s), number(s, "start"), number(s, "length")));
        add("split", (a, s) -> part(Functional.split(a[0], number(s, "size"), dim(s)), s));
        add("chunk", (a, s) -> part(Functional.chunk(a[0], (int) number(s, "chunks"), dim(s)), s));
        add("unbind", (a, s) -> part(Functional.unbind(a[0], dim(s)), s));
    }

    private static Tensor part(Tensor[] parts, JsonObject s) {
        int kept = (int) number(s, "part");
        for (int i = 0; i < parts.length; i++) {
            if (i != kept) {
                parts[i].close();
            }
        }
        return parts[kept];
    }

    private void joins() {
        add("cat", (a, s) -> Functional.cat(dim(s), a));
        add("stack", (a, s) -> Functional.stack(dim(s), a));
        add("gather", (a, s) -> Functional.gather(a[0], dim(s), a[1]));
        add("index_rows", (a, s) -> Functional.index(a[0], a[1]));
        add("embedding", (a, s) -> Functional.embedding(a[0], a[1]));
    }

    private void reductions() {
        add("max", t -> t.max());
        add("min", t -> t.min());
        add("norm", t -> t.norm());
        add("argmax", t -> t.argmax());
        add("any_gt0", t -> OperationTable.then(t.gt(0), Tensor::any));
        add("count_gt0", t -> OperationTable.then(t.gt(0), m -> m.sum()));
        add("sum_dim", (a, s) -> a[0].sum(dims(s), Recordings.flag(s, "keepdim")));
        add("mean_dim", (a, s) -> a[0].mean(dims(s), Recordings.flag(s, "keepdim")));
        add("amax", (a, s) -> a[0].amax(dims(s)));
        add("amin", (a, s) -> a[0].amin(dims(s)));
        add("var_dim", (a, s) -> a[0].var(dims(s)));
        add("max_dim", (a, s) -> OperationTable.first(Functional.max(a[0], dim(s), Recordings.flag(s, "keepdim"))));
        add("topk", (a, s) -> OperationTable.first(Functional.topk(a[0], number(s, "k"), -1, true)));
        add("argmax_dim", (a, s) -> a[0].argmax(dim(s)));
    }

    private void products() {
        add("matmul", (a, s) -> a[0].matmul(a[1]));
        add("mlp", (a, s) -> mlp(a, a[0]));
        add("checkpoint_mlp", (a, s) -> Recordings.flag(s, "reentrant")
                ? Checkpoint.reentrant(x -> mlp(a, x), a[0])
                : Checkpoint.checkpoint(x -> mlp(a, x), a[0]));
    }

    /** Two linear layers with relu between, their weights and biases after the input. */
    private static Tensor mlp(Tensor[] a, Tensor x) {
        return OperationTable.then(OperationTable.then(Functional.linear(x, a[1], a[2]), Tensor::relu),
                h -> Functional.linear(h, a[3], a[4]));
    }

    private void layers() {
        add("layer_norm_affine", (a, s) -> Functional.layerNorm(a[0],
                Recordings.longs(Recordings.array(s, "dims")), a[1], a[2], EPS));
        add("batch_norm", (a, s) -> Functional.batchNorm(a[0], a[1], a[2], a[3], a[4],
                Recordings.flag(s, "training"), 0.1, EPS));
        add("max_pool", (a, s) -> Functional.maxPool2d(a[0], window(s)));
        add("avg_pool", (a, s) -> Functional.avgPool2d(a[0], window(s)));
        add("clip_grad_norm", (a, s) -> GradientClipping.clipGradNorm(List.of(a), real(s, "max_norm")));
    }

    private static Window window(JsonObject s) {
        int k = (int) number(s, "k");
        return new Window(k, k, k, k, 0, 0, 1, 1, 1);
    }

    private void losses() {
        add("cross_entropy_r", (a, s) -> Functional.crossEntropy(a[0], a[1], reduction(s), -100));
        add("nll_r", (a, s) -> Functional.nllLoss(a[0], a[1], reduction(s), -100));
        add("mse_r", (a, s) -> Functional.mseLoss(a[0], a[1], reduction(s)));
        add("l1_r", (a, s) -> Functional.l1Loss(a[0], a[1], reduction(s)));
        add("bce_r", (a, s) -> Functional.binaryCrossEntropyWithLogits(a[0], a[1], reduction(s)));
    }

    private static Reduction reduction(JsonObject s) {
        String name = Recordings.need(s, "reduction").getAsString();
        return Arrays.stream(Reduction.values()).filter(r -> r.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new MalformedRecordingException("the reduction " + name + " is unknown"));
    }

    private static int dim(JsonObject s) {
        return (int) number(s, "dim");
    }

    private static int[] dims(JsonObject s) {
        return Arrays.stream(Recordings.longs(Recordings.array(s, "dims"))).mapToInt(Math::toIntExact).toArray();
    }

    private static long[] shape(JsonObject s) {
        return Recordings.longs(Recordings.array(s, "shape"));
    }

    private static long number(JsonObject s, String name) {
        return Recordings.need(s, name).getAsLong();
    }

    private static double real(JsonObject s, String name) {
        return Recordings.need(s, name).getAsDouble();
    }
}
