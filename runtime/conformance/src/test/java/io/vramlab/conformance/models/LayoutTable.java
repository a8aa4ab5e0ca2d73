package io.vramlab.conformance.models;

import io.vramlab.device.DType;
import io.vramlab.nn.BatchNorm2d;
import io.vramlab.nn.Conv2d;
import io.vramlab.nn.ConvTranspose2d;
import io.vramlab.nn.GroupNorm;
import io.vramlab.nn.InstanceNorm2d;
import io.vramlab.nn.LayerNorm;
import io.vramlab.nn.Linear;
import io.vramlab.nn.LocalResponseNorm;
import io.vramlab.nn.Module;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.MemoryFormat;
import io.vramlab.tensor.type.Reduction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The expressions of layouts.py, of an input [4, 8, 6, 10]. */
final class LayoutTable {

    private static final int N = 4;
    private static final int C = 8;
    private static final int H = 6;
    private static final int W = 10;

    private final Map<String, UnaryOperator<Tensor>> all = new LinkedHashMap<>();

    private LayoutTable() {
        pointwise();
        activations();
        windows();
        joins();
        broadcasts();
        reductions();
        views();
        copies();
        norms();
        convolutions();
        losses();
    }

    static Map<String, UnaryOperator<Tensor>> expressions() {
        return new LayoutTable().all;
    }

    private void put(String name, UnaryOperator<Tensor> expression) {
        all.put(name, expression);
    }

    private void pointwise() {
        put("relu", Tensor::relu);
        put("sigmoid", Tensor::sigmoid);
        put("tanh", Tensor::tanh);
        put("exp", Tensor::exp);
        put("log1p", x -> x.abs().add(1).log1p());
        put("sqrt", x -> x.abs().add(1).sqrt());
        put("abs", Tensor::abs);
        put("neg", Tensor::neg);
        put("square", Tensor::square);
        put("sin", Tensor::sin);
        put("erf", Tensor::erf);
        put("rsqrt", x -> x.abs().add(1).rsqrt());
        put("reciprocal", Tensor::reciprocal);
        put("where", x -> Tensor.where(x.gt(0), x, x.zerosLike()));
        put("clamp", x -> x.clamp(-.1, .1));
        put("pow", x -> x.pow(2));
        put("maximum", x -> x.maximum(x.zerosLike()));
        put("lerp", x -> x.lerp(x.zerosLike(), .3));
        put("masked_fill", x -> x.maskedFill(x.gt(0), 0));
        put("add_self", x -> x.add(x.mul(2)));
        put("sub_scalar", x -> x.rsub(1));
        put("detach_mul", x -> x.mul(x.detach()));
    }

    private void activations() {
        put("gelu", Functional::gelu);
        put("silu", Functional::silu);
        put("elu", Functional::elu);
        put("leaky_relu", Functional::leakyRelu);
        put("hardtanh", Functional::hardtanh);
        put("relu6", Functional::relu6);
        put("hardswish", Functional::hardswish);
        put("hardsigmoid", Functional::hardsigmoid);
        put("mish", Functional::mish);
        put("softplus", Functional::softplus);
        put("selu", Functional::selu);
        put("celu", Functional::celu);
        put("logsigmoid", Functional::logsigmoid);
        put("softsign", Functional::softsign);
        put("softshrink", Functional::softshrink);
        put("hardshrink", Functional::hardshrink);
        put("tanhshrink", Functional::tanhshrink);
        put("gelu_tanh", Functional::geluTanh);
        put("threshold", x -> Functional.threshold(x, .1, 2));
        put("glu", x -> Functional.glu(x, 1));
        put("relu_inplace", x -> x.mul(1).relu_());
        put("silu_inplace", x -> Functional.silu_(x.mul(1)));
        put("elu_inplace", x -> Functional.elu_(x.mul(1), 1));
        put("hardswish_inplace", x -> Functional.hardswish_(x.mul(1)));
        put("leaky_relu_inplace", x -> Functional.leakyRelu_(x.mul(1), .01));
        put("relu6_inplace", x -> Functional.hardtanh_(x.mul(1), 0, 6));
        put("mish_inplace", x -> Functional.mish_(x.mul(1)));
        put("hardsigmoid_inplace", x -> Functional.hardsigmoid_(x.mul(1)));
        put("prelu", x -> Functional.prelu(x, Tensor.full(.25, C)));
        put("dropout", x -> Functional.dropout(x, .5, true));
        put("dropout2d", x -> Functional.dropout2d(x, .5, true));
        put("softmax1", x -> x.softmax(1));
        put("log_softmax1", x -> x.logSoftmax(1));
        put("softmax3", x -> x.softmax(3));
    }

    private void windows() {
        put("max_pool2d", x -> Functional.maxPool2d(x, 2));
        put("max_pool2d_3_2_1", x -> Functional.maxPool2d(x, 3, 2, 1));
        put("avg_pool2d", x -> Functional.avgPool2d(x, 2));
        put("avg_pool2d_3_1_1", x -> Functional.avgPool2d(x, 3, 1, 1));
        put("lp_pool2d", x -> Functional.lpPool2d(x.abs().add(.1), 2, 2));
        for (int[] s : new int[][]{{1, 1}, {2, 2}, {1, 5}, {3, 4}, {6, 10}}) {
            put("adaptive_avg_" + s[0] + "_" + s[1], x -> Functional.adaptiveAvgPool2d(x, s[0], s[1]));
        }
        for (int[] s : new int[][]{{1, 1}, {2, 2}}) {
            put("adaptive_max_" + s[0] + "_" + s[1], x -> Functional.adaptiveMaxPool2d(x, s[0], s[1]));
        }
        for (String mode : new String[]{"nearest", "bilinear", "bicubic", "nearest-exact", "area"}) {
            put("up_" + mode, x -> Functional.interpolate(x, 2, mode));
        }
        put("down_bilinear", x -> Functional.interpolate(x, new long[]{3, 5}, "bilinear", false));
        put("pad_constant", x -> Functional.pad(x, 0, 1, 2, 1, 1));
        put("pad_reflect", x -> Functional.reflectionPad(x, 1, 2, 1, 1));
        put("pad_replicate", x -> Functional.replicationPad(x, 1, 2, 1, 1));
        put("pad_circular", x -> Functional.circularPad(x, 1, 2, 1, 1));
        put("pixel_shuffle", x -> Functional.pixelShuffle(x, 2));
        put("pixel_unshuffle", x -> Functional.pixelUnshuffle(x, 2));
        put("channel_shuffle", x -> Functional.channelShuffle(x, 2));
        put("channel_shuffle_by_hand",
                x -> x.view(N, 2, C / 2, H, W).transpose(1, 2).reshape(N, C, H, W));
        put("unfold", x -> Functional.unfold(x, 3, 1, 1, 1));
        put("grid_sample", x -> Functional.gridSample(x, Tensor.zeros(N, 3, 3, 2)));
    }

    private void joins() {
        put("cat1", x -> Functional.cat(1, x, x.mul(2)));
        put("cat0", x -> Functional.cat(0, x, x.mul(2)));
        put("cat3", x -> Functional.cat(3, x, x.mul(2)));
        put("cat_with_plain", x -> Functional.cat(1, x, Tensor.zeros(N, 2, H, W)));
        put("cat_plain_first", x -> Functional.cat(1, Tensor.zeros(N, 2, H, W), x));
        put("stack", x -> Functional.stack(0, x, x.mul(2)));
        put("chunk_mul", x -> {
            Tensor[] parts = Functional.chunk(x, 2, 1);
            return parts[0].mul(parts[1]);
        });
        put("split_cat", x -> {
            Tensor[] parts = Functional.split(x, 4, 1);
            return Functional.cat(1, parts[1], parts[0]);
        });
        put("narrow_conv", x -> x.narrow(1, 0, 4).mul(2));
        put("slice_space", x -> x.slice(2, 1, H - 1).slice(3, 0, W, 2).mul(2));
    }

    private void broadcasts() {
        put("add_vector", x -> x.add(Tensor.ones(C, 1, 1)));
        put("mul_gate", x -> x.mul(x.mean(new int[]{2, 3}, true).sigmoid()));
        put("gate_mul", x -> x.mean(new int[]{2, 3}, true).sigmoid().mul(x));
        put("mul_gate_pool", x -> Functional.adaptiveAvgPool2d(x, 1).sigmoid().mul(x));
        put("add_time", x -> x.add(Tensor.ones(N, C).mul(2).unsqueeze(2).unsqueeze(3)));
        put("add_plain", x -> x.add(Tensor.zeros(N, C, H, W)));
        put("plain_add", x -> Tensor.zeros(N, C, H, W).add(x));
        put("add_in_place", x -> x.mul(1).add_(Tensor.ones(N, C, H, W)));
        put("plain_in_place", x -> Tensor.ones(N, C, H, W).mul_(2).add_(x));
        put("expand_as", x -> x.mean(new int[]{1}, true).expandAs(x).mul(1));
        put("zeros_like", x -> x.zerosLike().add(x));
        put("randn_like", x -> x.randnLike().mul(x));
        put("new_zeros", x -> x.newZeros(x.shape()).add(x));
    }

    private void reductions() {
        for (int[] dims : new int[][]{{2, 3}, {1}, {0, 2, 3}}) {
            String at = "";
            for (int d : dims) {
                at += d;
            }
            for (boolean keep : new boolean[]{false, true}) {
                String end = "_" + at + "_" + (keep ? 1 : 0);
                put("sum" + end, x -> x.sum(dims, keep));
                put("mean" + end, x -> x.mean(dims, keep));
                put("amax" + end, x -> x.amax(dims, keep));
                put("logsumexp" + end, x -> x.logsumexp(dims, keep));
            }
        }
        put("var_23", x -> x.var(new int[]{2, 3}, 1, true));
        put("std_1", x -> x.std(new int[]{1}, 1, true));
        put("sum_all", x -> x.sum());
        put("mean_all", x -> x.mean());
        put("norm_1", x -> x.norm(2, new int[]{1}, true));
        put("normalize", Functional::normalize);
        put("cumsum", x -> x.cumsum(1));
    }

    private void views() {
        put("flatten", x -> x.flatten(1).mul(1));
        put("flatten2", x -> x.flatten(2).transpose(1, 2).mul(1));
        put("flatten2_contiguous", x -> x.flatten(2).transpose(1, 2).contiguous());
        put("permute", x -> x.permute(0, 2, 3, 1).mul(1));
        put("permute_contiguous", x -> x.permute(0, 2, 3, 1).contiguous());
        put("reshape", x -> x.reshape(N, C * H, W).mul(1));
        put("permute_linear", x -> on(new Linear(C, 16)).call(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2));
        put("permute_norm", x -> on(new LayerNorm(C)).call(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2));
        put("squeeze", x -> x.slice(2, 0, 1).slice(3, 0, 1).squeeze(3).mul(1));
        put("attention", x -> {
            Tensor q = x.flatten(2).transpose(1, 2).reshape(N, H * W, 2, C / 2).transpose(1, 2);
            return Functional.scaledDotProductAttention(q, q, q).transpose(1, 2).reshape(N, H * W, C).transpose(1, 2)
                    .reshape(N, C, H, W);
        });
        put("matmul", x -> x.flatten(2).transpose(1, 2).matmul(x.flatten(2)));
        put("baddbmm", x -> x.reshape(N, C, H * W).bmm(Tensor.ones(N, H * W, 5)));
    }

    private void copies() {
        put("clone", Tensor::clone);
        put("contiguous", Tensor::contiguous);
        put("to_last", x -> x.contiguous(MemoryFormat.CHANNELS_LAST));
        put("half", Tensor::half);
        put("double", Tensor::toDouble);
        put("flip", x -> x.flip(3));
        put("roll", x -> x.roll(new long[]{1, 2}, new int[]{2, 3}));
        put("repeat", x -> x.repeat(1, 2, 1, 1));
        put("interleave", x -> x.repeatInterleave(2, 1));
        put("tril", Tensor::tril);
        put("gather", x -> x.gather(1, Tensor.zeros(N, 2, H, W).to(DType.INT64)));
        put("index_select", x -> x.indexSelect(1, Tensor.of(1, 0, 3).to(DType.INT64)));
        put("index", x -> x.index(Tensor.of(1, 0).to(DType.INT64)));
    }

    private void norms() {
        put("group_norm", x -> Functional.groupNorm(x, 2, Tensor.ones(C), Tensor.zeros(C)));
        put("GroupNorm", x -> on(new GroupNorm(2, C)).call(x));
        put("GroupNorm1", x -> on(new GroupNorm(1, C)).call(x));
        put("GroupNorm_plain", x -> Functional.groupNorm(x, 2));
        put("InstanceNorm", x -> on(new InstanceNorm2d(C, 1e-5, .1, true, false)).call(x));
        put("InstanceNorm_plain", x -> on(new InstanceNorm2d(C)).call(x));
        put("LocalResponseNorm", x -> on(new LocalResponseNorm(3)).call(x));
        put("LayerNorm_all", x -> on(new LayerNorm(C, H, W)).call(x));
        put("BatchNorm", x -> on(new BatchNorm2d(C)).call(x));
        put("BatchNorm_plain", x -> on(new BatchNorm2d(C, 1e-5, .1, false, true)).call(x));
        put("BatchNorm_eval", x -> on(new BatchNorm2d(C)).train(false).call(x));
        put("BatchNorm_plain_eval", x -> on(new BatchNorm2d(C, 1e-5, .1, false, true)).train(false).call(x));
        put("BatchNorm_untracked", x -> on(new BatchNorm2d(C, 1e-5, .1, true, false)).call(x));
    }

    private void convolutions() {
        put("conv", x -> on(new Conv2d(C, 16, 3, 1, 1, true)).call(x));
        put("conv_last", x -> last(new Conv2d(C, 16, 3, 1, 1, true)).call(x));
        put("conv1_last", x -> last(new Conv2d(C, 16, 1, 1, 0, false)).call(x));
        put("conv_step_last", x -> last(new Conv2d(C, 16, 3, 2, 1, true)).call(x));
        put("conv_single_out", x -> last(new Conv2d(C, 1, 3, 1, 1, true)).call(x));
        put("up_last", x -> last(new ConvTranspose2d(C, 16, 2, 2, 0)).call(x));
        put("up4_last", x -> last(new ConvTranspose2d(C, 16, 4, 2, 1)).call(x));
        put("up_plain", x -> on(new ConvTranspose2d(C, 16, 2, 2, 0)).call(x));
        put("pool_conv_last", x -> last(new Conv2d(C, 16, 1, 1, 0, true)).call(Functional.adaptiveAvgPool2d(x, 1)));
        put("pool_relu_conv_last", x -> {
            Tensor y = last(new Conv2d(C, 16, 1, 1, 0, true)).call(Functional.adaptiveAvgPool2d(x, 1)).relu();
            return last(new Conv2d(16, C, 1, 1, 0, true)).call(y).sigmoid().mul(x);
        });
        put("conv_bn_relu", x -> {
            Tensor w = Tensor.ones(C, C, 3, 3).contiguous(MemoryFormat.CHANNELS_LAST).mul(.1);
            return Functional.batchNorm(Functional.conv2d(x, w, null, 1, 1), null, null, Tensor.ones(C),
                    Tensor.zeros(C), true, .1, 1e-5).relu_();
        });
        put("view_conv", x -> last(new Conv2d(C, 16, 1, 1, 0, true))
                .call(x.permute(0, 2, 3, 1).reshape(N, H * W, C).transpose(1, 2).reshape(N, C, H, W)));
    }

    private void losses() {
        put("cross_entropy", x -> Functional.crossEntropy(x, Tensor.zeros(N, H, W).to(DType.INT64)));
        put("bce", x -> Functional.binaryCrossEntropyWithLogits(x, Tensor.zeros(N, C, H, W)));
        put("bce_like", x -> Functional.binaryCrossEntropyWithLogits(x, x.zerosLike()));
        put("mse", x -> Functional.mseLoss(x, Tensor.zeros(N, C, H, W)));
        put("mse_like", x -> Functional.mseLoss(x, x.zerosLike()));
        put("l1_like", x -> Functional.l1Loss(x, x.zerosLike()));
        put("smooth_like", x -> Functional.smoothL1Loss(x, x.zerosLike()));
        put("mse_none", x -> Functional.mseLoss(x, x.zerosLike(), Reduction.NONE));
    }

    private static <M extends Module> M on(M module) {
        return module;
    }

    private static <M extends Module> M last(M module) {
        module.to(MemoryFormat.CHANNELS_LAST);
        return module;
    }
}
