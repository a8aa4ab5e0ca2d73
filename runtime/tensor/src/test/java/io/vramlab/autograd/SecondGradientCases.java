package io.vramlab.autograd;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.Reduction;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;

/** Operations that are differentiated more than once, as functions of the tensors whose shapes are given: a table, a family each. */
final class SecondGradientCases {

    private static final Window TWO = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);
    private static final Window THREE = new Window(3, 3, 1, 1, 1, 1, 1, 1, 1);
    private static final Window STRIDED = new Window(2, 2, 2, 2, 1, 1, 1, 1, 1);
    private static final Window GROUPS = new Window(2, 2, 1, 1, 0, 0, 1, 1, 2);

    private SecondGradientCases() {
    }

    record Case(String name, Function<Tensor[], Tensor> function, long[]... shapes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Case of(String name, Function<Tensor[], Tensor> function, long[]... shapes) {
        return new Case(name, function, shapes);
    }

    static long[] s(long... sizes) {
        return sizes;
    }

    static Stream<Case> operations() {
        return Stream.of(arithmetic(), functions(), reductions(), views(), products(), losses(), layers(), places())
                .flatMap(x -> x);
    }

    /** What may be differentiated twice, but not once more. */
    static Stream<Case> twice() {
        return Stream.of(of("layerNorm", a -> Functional.layerNorm(a[0], s(3), a[1], a[2], 1e-5), s(2, 3), s(3), s(3)),
                of("layerNormPlain", a -> Functional.layerNorm(a[0], s(3), null, null, 1e-5), s(2, 2, 3)),
                of("batchNorm", a -> Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5),
                        s(3, 2, 2), s(2), s(2)),
                of("batchNormPlain", a -> Functional.batchNorm(a[0], null, null, null, null, true, 0.1, 1e-5),
                        s(4, 2)),
                of("batchNormByRunning", a -> Functional.batchNorm(a[0], constant(4, 2), constant(5, 2), a[1], a[2],
                        false, 0.1, 1e-5), s(3, 2, 2), s(2), s(2)),
                of("instanceNorm", a -> Functional.instanceNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5),
                        s(2, 2, 3), s(2), s(2)));
    }

    private static Stream<Case> arithmetic() {
        return Stream.of(of("add", a -> a[0].add(a[1], 2.5), s(2, 3), s(3)),
                of("sub", a -> a[0].sub(a[1], 0.5), s(2, 1), s(2, 3)), of("mul", a -> a[0].mul(a[1]), s(2, 3), s(2, 1)),
                of("div", a -> a[0].div(a[1]), s(2, 3), s(3)), of("scalars", a -> a[0].add(2.5).mul(-2.5).div(3), s(4)),
                of("rsub", a -> a[0].rsub(3), s(4)), of("rdiv", a -> a[0].rdiv(3), s(4)),
                of("pow", a -> a[0].pow(3), s(4)), of("square", a -> a[0].pow(2), s(4)),
                of("powHalf", a -> a[0].pow(1.5), s(4)), of("powTensor", a -> a[0].pow(a[1]), s(4), s(4)),
                of("maximum", a -> a[0].maximum(a[1]), s(5), s(5)), of("minimum", a -> a[0].minimum(a[1]), s(5), s(5)),
                of("neg", a -> a[0].neg(), s(4)), of("abs", a -> a[0].sub(1).abs(), s(4)),
                of("lerpTensor", a -> a[0].lerp(a[1], a[2]), s(3), s(3), s(3)),
                of("lerp", a -> a[0].lerp(a[1], 0.3), s(4), s(4)), of("atan2", a -> a[0].atan2(a[1]), s(3), s(3)),
                of("addcmul", a -> a[0].addcmul(a[1], a[2], 0.5), s(3), s(3), s(3)),
                of("addcdiv", a -> a[0].addcdiv(a[1], a[2], 0.5), s(3), s(3), s(3)),
                of("where", a -> Tensor.where(a[0].gt(1), a[0], a[1]), s(5), s(5)),
                of("maskedFill", a -> a[0].maskedFill(a[0].gt(1), 7), s(5)),
                of("clamp", a -> a[0].clamp(0.8, 1.2), s(6)),
                of("triangles", a -> a[0].tril(0).add(a[0].triu(1)), s(3, 3)),
                of("inPlace", a -> a[0].mul(2).add_(a[1]).mul_(3).div_(a[1]).mul_(a[1]), s(4), s(4)),
                of("inPlaceFunctions",
                        a -> a[0].mul(1).sigmoid_().mul(2).tanh_().mul(2).exp_().mul(2).sqrt_().mul(2).relu_(), s(4)),
                of("reuse", a -> a[0].mul(a[0]).add(a[0]).mul(a[0].exp()), s(4)));
    }

    private static Stream<Case> functions() {
        return Stream.of(of("relu", a -> a[0].sub(1).relu().pow(2), s(5)), of("gelu", a -> a[0].gelu(), s(4)),
                of("silu", a -> a[0].silu(), s(4)), of("sigmoid", a -> a[0].sigmoid(), s(4)),
                of("tanh", a -> a[0].tanh(), s(4)), of("exp", a -> a[0].exp(), s(4)), of("log", a -> a[0].log(), s(4)),
                of("log1p", a -> a[0].log1p(), s(4)), of("sqrt", a -> a[0].sqrt(), s(4)),
                of("rsqrt", a -> a[0].rsqrt(), s(4)), of("reciprocal", a -> a[0].reciprocal(), s(4)),
                of("sin", a -> a[0].sin(), s(4)), of("cos", a -> a[0].cos(), s(4)),
                of("tan", a -> a[0].mul(0.3).tan(), s(4)),
                of("sinh", a -> a[0].sinh(), s(4)), of("cosh", a -> a[0].cosh(), s(4)),
                of("asin", a -> a[0].mul(0.3).asin(), s(4)), of("acos", a -> a[0].mul(0.3).acos(), s(4)),
                of("atan", a -> a[0].atan(), s(4)), of("asinh", a -> a[0].asinh(), s(4)),
                of("acosh", a -> a[0].add(2).acosh(), s(4)), of("atanh", a -> a[0].mul(0.3).atanh(), s(4)),
                of("exp2", a -> a[0].exp2(), s(4)), of("expm1", a -> a[0].expm1(), s(4)),
                of("erf", a -> a[0].erf(), s(4)),
                of("erfc", a -> a[0].erfc(), s(4)), of("log2", a -> a[0].log2(), s(4)),
                of("log10", a -> a[0].log10(), s(4)),
                of("steps",
                        a -> a[0].mul(3).floor().add(a[0].mul(3).ceil()).add(a[0].mul(3).round())
                                .add(a[0].mul(3).trunc())
                                .add(a[0].sign()).add(a[0]),
                        s(4)),
                of("frac", a -> a[0].mul(0.3).frac(), s(4)),
                of("leakyRelu", a -> Functional.leakyRelu(a[0].sub(1), 0.2).pow(2), s(5)),
                of("elu", a -> Functional.elu(a[0].sub(1), 1.3), s(5)),
                of("softplus", a -> Functional.softplus(a[0], 1.5, 2), s(5)),
                of("hardtanh", a -> Functional.hardtanh(a[0], 0.8, 1.2), s(6)),
                of("threshold", a -> Functional.threshold(a[0], 1, 0.3), s(6)),
                of("softshrink", a -> Functional.softshrink(a[0], 0.9), s(6)),
                of("hardshrink", a -> Functional.hardshrink(a[0], 0.9), s(6)),
                of("logSigmoid", a -> Functional.logsigmoid(a[0]), s(4)));
    }

    private static Stream<Case> reductions() {
        return Stream.of(of("sum", a -> a[0].sum(), s(2, 3)),
                of("sumDims", a -> a[0].sum(new int[]{0, 2}, false), s(2, 3, 2)),
                of("sumKept", a -> a[0].sum(new int[]{1}, true), s(2, 3)), of("mean", a -> a[0].mean(), s(2, 3)),
                of("meanDim", a -> a[0].mean(1), s(2, 3)), of("max", a -> a[0].max(), s(2, 3)),
                of("min", a -> a[0].min(), s(2, 3)), of("amax", a -> a[0].amax(1), s(2, 3)),
                of("amin", a -> a[0].amin(0), s(2, 3)), of("norm", a -> a[0].norm(), s(2, 3)),
                of("normOfRows", a -> a[0].norm(2, 1), s(2, 3)), of("norm1", a -> a[0].norm(1, 1), s(2, 3)),
                of("norm3", a -> a[0].norm(3, 1), s(2, 3)), of("norm15", a -> a[0].norm(1.5, 1), s(2, 3)),
                of("var", a -> a[0].var(1), s(2, 3)), of("std", a -> a[0].std(1), s(2, 3)));
    }

    private static Stream<Case> views() {
        return Stream.of(of("view", a -> a[0].view(3, -1).mul(a[1]), s(2, 3), s(3, 2)),
                of("reshapeCopy", a -> a[0].t().reshape(-1), s(2, 3)),
                of("transpose", a -> a[0].transpose(0, 1).mul(a[1]), s(2, 3), s(3, 2)),
                of("permute", a -> a[0].permute(2, 0, 1).contiguous(), s(2, 1, 2)),
                of("expand", a -> a[0].expand(2, 3).mul(a[1]), s(2, 1), s(2, 3)),
                of("squeeze", a -> a[0].squeeze(1).unsqueeze(0).squeeze(), s(3, 1, 2)),
                of("squeezeAll", a -> a[0].squeeze(), s(1, 3)), of("unsafe", a -> a[0].matmul(a[1]), s(2, 2, 2), s(2)),
                of("select", a -> a[0].select(1, 2), s(2, 3)), of("slice", a -> a[0].slice(1, 0, 4, 2), s(2, 4)),
                of("diagonal", a -> a[0].diagonal(0, 0, 1), s(3, 3)), of("clone", a -> a[0].clone(), s(2, 3)),
                of("cat", a -> Functional.cat(1, a[0], a[1]), s(2, 2), s(2, 1)),
                of("stack", a -> Functional.stack(1, a[0], a[1]), s(2, 2), s(2, 2)),
                of("split", a -> Functional.split(a[0], 2, 0)[1], s(4, 2)),
                of("splitSizes", a -> Functional.split(a[0], s(1, 3), 0)[1], s(4, 2)),
                of("unbind", a -> Functional.unbind(a[0], 1)[2], s(2, 3)),
                of("copyInto", a -> a[0].mul(2).copy_(a[1]), s(2, 3), s(3)),
                of("acrossDevices", a -> a[0].to(Device.cpu()).mul(2).to(Device.current()), s(3)),
                of("toFloat64", a -> a[0].to(DType.FLOAT64).mul(2), s(3)));
    }

    private static Stream<Case> products() {
        return Stream.of(of("mm", a -> a[0].mm(a[1]), s(2, 3), s(3, 2)),
                of("mmTransposed", a -> a[0].t().mm(a[1].t()), s(3, 2), s(2, 3)),
                of("bmm", a -> a[0].bmm(a[1]), s(2, 2, 3), s(2, 3, 1)),
                of("addmm", a -> Tensor.addmm(a[0], a[1], a[2]), s(2), s(2, 3), s(3, 2)),
                of("dot", a -> a[0].dot(a[1]), s(3), s(3)), of("mv", a -> a[0].matmul(a[1]), s(2, 3), s(3)),
                of("matmulBatched", a -> a[0].matmul(a[1]), s(2, 1, 2, 2), s(2, 2, 1)),
                of("baddbmm", a -> Functional.baddbmm(a[0], a[1], a[2]), s(2), s(1, 2, 2), s(1, 2, 2)),
                of("addmv", a -> a[0].addmv(a[1], a[2]), s(2), s(2, 3), s(3)),
                of("addr", a -> a[0].addr(a[1], a[2]), s(2, 3), s(2), s(3)),
                of("linear", a -> Functional.linear(a[0], a[1], a[2]), s(2, 3), s(2, 3), s(2)),
                of("linear3d", a -> Functional.linear(a[0], a[1], a[2]), s(2, 1, 3), s(2, 3), s(2)),
                of("einsum", a -> Functional.einsum("bij,bjk->bik", a[0], a[1]), s(2, 2, 2), s(2, 2, 1)),
                of("perceptron", a -> Functional.linear(Functional.linear(a[0], a[1], a[2]).tanh(), a[3], null),
                        s(2, 2), s(3, 2), s(3), s(1, 3)));
    }

    private static Stream<Case> losses() {
        return Stream.of(of("mse", a -> Functional.mseLoss(a[0], a[1], Reduction.MEAN), s(2, 3), s(2, 3)),
                of("mseNone", a -> Functional.mseLoss(a[0], a[1], Reduction.NONE), s(2, 3), s(2, 3)),
                of("smoothL1", a -> Functional.smoothL1Loss(a[0], a[1], Reduction.MEAN, 0.5), s(2, 3), s(2, 3)),
                of("l1", a -> Functional.l1Loss(a[0], a[1], Reduction.SUM), s(2, 3), s(2, 3)));
    }

    private static Stream<Case> layers() {
        return Stream.of(
                of("conv2d", a -> Functional.conv2d(a[0], a[1], a[2], THREE), s(1, 2, 3, 3), s(2, 2, 3, 3), s(2)),
                of("conv2dStrided", a -> Functional.conv2d(a[0], a[1], null, STRIDED), s(2, 1, 4, 5), s(2, 1, 2, 2)),
                of("conv2dGroups", a -> Functional.conv2d(a[0], a[1], null, GROUPS), s(1, 4, 3, 3), s(4, 2, 2, 2)),
                of("convTranspose2d", a -> Functional.convTranspose2d(a[0], a[1], a[2], s(2), s(1), s(1), 1, s(1)),
                        s(1, 2, 2, 2), s(2, 1, 3, 3), s(1)),
                of("conv1d", a -> Functional.conv1d(a[0], a[1], a[2], 1, 1, 1, 1), s(1, 2, 4), s(2, 2, 3),
                        s(2)),
                of("softmax", a -> Functional.softmax(a[0], -1), s(2, 3)),
                of("softmaxFirst", a -> Functional.softmax(a[0], 0), s(2, 3)),
                of("logSoftmax", a -> Functional.logSoftmax(a[0], 1), s(2, 3)),
                of("crossEntropy", a -> Functional.crossEntropy(a[0], Tensor.of(1L, 0, 2)), s(3, 3)),
                of("crossEntropyOfPlanes",
                        a -> Functional.crossEntropy(a[0], Tensor.of(1L, 0).view(1, 2)), s(1, 3, 2)),
                of("nllNone", a -> Functional.nllLoss(a[0], Tensor.of(1L, 0), Reduction.NONE, -100), s(2, 3)),
                of("bce", a -> Functional.binaryCrossEntropyWithLogits(a[0], a[1], Reduction.MEAN), s(2, 3), s(2, 3)),
                of("maxPool2d", a -> Functional.maxPool2d(a[0], TWO), s(1, 1, 4, 4)),
                of("avgPool2d", a -> Functional.avgPool2d(a[0], TWO), s(1, 2, 2, 4)),
                of("pad", a -> Functional.pad(a[0], 0, 1, 2), s(2, 3)),
                of("padReflect2d", a -> Functional.reflectionPad(a[0], 1, 1, 1, 0), s(1, 2, 3)),
                of("padReflect3d", a -> Functional.reflectionPad(a[0], 1, 0, 1, 0, 1, 0), s(1, 2, 2, 2)),
                of("padReplicate2d", a -> Functional.replicationPad(a[0], 1, 1, 1, 0), s(1, 2, 3)),
                of("padReplicate3d", a -> Functional.replicationPad(a[0], 1, 0, 1, 0, 1, 0), s(1, 2, 2, 2)),
                of("dropout", a -> dropped(a[0]), s(2, 3)),
                of("padReflect", a -> Functional.reflectionPad(a[0], 1, 2), s(1, 2, 3)),
                of("padReplicate", a -> Functional.replicationPad(a[0], 1, 2), s(1, 2, 3)),
                of("repeat", a -> a[0].repeat(2, 2), s(2)));
    }

    private static Stream<Case> places() {
        return Stream.of(
                of("gather", a -> Functional.gather(a[0], 1, Tensor.of(2L, 0, 0, 1).view(2, 2)), s(2, 3)),
                of("index", a -> Functional.index(a[0], Tensor.of(2L, 0, 2, 1)), s(3, 2)),
                of("brackets", a -> a[0].index(Tensor.of(1L, 0), Tensor.of(2L, 2)), s(2, 3)),
                of("indexSelect", a -> a[0].indexSelect(1, Tensor.of(2L, 0)), s(2, 3)),
                of("embedding", a -> Functional.embedding(Tensor.of(2L, 0, 2).view(3, 1), a[0]), s(3, 2)),
                of("topk", a -> Functional.topk(a[0], 2, 1, true)[0], s(2, 3)),
                of("maxDim", a -> Functional.max(a[0], 1, false)[0], s(2, 3)),
                of("minDim", a -> Functional.min(a[0], 0, true)[0], s(2, 3)),
                of("indexAdd", a -> a[0].indexAdd(0, Tensor.of(1L, 0, 1), a[1], 1.5), s(2, 3), s(3, 3)),
                of("indexAddInPlace", a -> a[0].mul(2).indexAdd_(0, Tensor.of(1L, 0, 1), a[1]), s(2, 3), s(3, 3)),
                of("scatterAdd", a -> a[0].scatterAdd(1, Tensor.of(2L, 0, 0, 1).view(2, 2), a[1]), s(2, 3), s(2, 2)),
                of("flip", a -> a[0].flip(0, 1), s(2, 3)), of("roll", a -> a[0].roll(1, 1), s(2, 3)),
                of("cumsum", a -> a[0].cumsum(1), s(2, 3)), of("logsumexp", a -> a[0].logsumexp(1), s(2, 3)));
    }

    /** The same elements every time. */
    private static Tensor dropped(Tensor x) {
        Tensor.manualSeed(3);
        return Functional.dropout(x, 0.5, true);
    }

    static Tensor constant(int salt, long... shape) {
        return Tensor.of(TensorOptions.of(DType.FLOAT64), values(salt, shape), shape);
    }

    static double[] values(int salt, long... shape) {
        double[] out = new double[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        for (int i = 0; i < out.length; i++) {
            // distinct, between 0.5 and 1.5, away from ties and kinks
            out[i] = 0.5 + ((i * 0.6180339887 + salt * 0.3141592653) % 1);
        }
        return out;
    }
}
