package io.vramlab.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.Reduction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients of every operation against central differences, in float64 on the simulated device. Where a real GPU stands in for it,
 * cuDNN is asked for convolutions whose sums have one order: by default it may take others, under PyTorch too.
 */
class GradientTest {

    private static final double STEP = 1e-6;
    private static final double TOLERANCE = 1e-6;
    private static final Window TWO = new Window(2, 2, 2, 2, 0, 0, 1, 1, 1);
    private static final Window THREE = new Window(3, 3, 1, 1, 1, 1, 1, 1, 1);

    record Case(String name, Function<Tensor[], Tensor> function, long[]... shapes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, Function<Tensor[], Tensor> function, long[]... shapes) {
        return new Case(name, function, shapes);
    }

    private static long[] s(long... sizes) {
        return sizes;
    }

    static Stream<Case> operations() {
        return Stream.of(of("add", a -> a[0].add(a[1], 2.5), s(3, 4), s(4)),
                of("sub", a -> a[0].sub(a[1], 0.5), s(3, 1), s(3, 4)), of("mul", a -> a[0].mul(a[1]), s(3, 4), s(3, 1)),
                of("div", a -> a[0].div(a[1]), s(3, 4), s(4)), of("addScalar", a -> a[0].add(2.5), s(5)),
                of("mulScalar", a -> a[0].mul(-2.5), s(5)), of("divScalar", a -> a[0].div(3), s(5)),
                of("rsub", a -> a[0].rsub(3), s(5)), of("rdiv", a -> a[0].rdiv(3), s(5)),
                of("pow", a -> a[0].pow(3), s(5)), of("powHalf", a -> a[0].pow(1.5), s(5)),
                of("powTensor", a -> a[0].pow(a[1]), s(5), s(5)), of("maximum", a -> a[0].maximum(a[1]), s(6), s(6)),
                of("minimum", a -> a[0].minimum(a[1]), s(6), s(6)), of("neg", a -> a[0].neg(), s(5)),
                of("abs", a -> a[0].sub(1).abs(), s(5)), of("relu", a -> a[0].sub(1).relu(), s(6)),
                of("gelu", a -> a[0].gelu(), s(6)), of("geluTanh", a -> a[0].geluTanh(), s(6)),
                of("silu", a -> a[0].silu(), s(6)), of("sigmoid", a -> a[0].sigmoid(), s(6)),
                of("tanh", a -> a[0].tanh(), s(6)), of("exp", a -> a[0].exp(), s(6)), of("log", a -> a[0].log(), s(6)),
                of("log1p", a -> a[0].log1p(), s(6)), of("sqrt", a -> a[0].sqrt(), s(6)),
                of("rsqrt", a -> a[0].rsqrt(), s(6)), of("reciprocal", a -> a[0].reciprocal(), s(6)),
                of("sin", a -> a[0].sin(), s(6)), of("cos", a -> a[0].cos(), s(6)), of("erf", a -> a[0].erf(), s(6)),
                of("erfcx", a -> a[0].erfcx(), s(6)), of("erfcxOfNegative", a -> a[0].neg().erfcx(), s(6)),
                of("clamp", a -> a[0].clamp(0.8, 1.2), s(8)), of("clampMin", a -> a[0].clamp(1, 1e300 * 1e300), s(8)),
                of("where", a -> Tensor.where(a[0].gt(1), a[0], a[1]), s(6), s(6)),
                of("maskedFill", a -> a[0].maskedFill(a[0].gt(1), 7), s(6)), of("tril", a -> a[0].tril(0), s(4, 4)),
                of("triu", a -> a[0].triu(1), s(4, 4)), of("sum", a -> a[0].sum(), s(3, 4)),
                of("sumDim", a -> a[0].sum(new int[]{0, 2}, true), s(2, 3, 4)), of("mean", a -> a[0].mean(), s(3, 4)),
                of("meanDim", a -> a[0].mean(1), s(3, 4)), of("max", a -> a[0].max(), s(3, 4)),
                of("amax", a -> a[0].amax(1), s(3, 4)), of("amin", a -> a[0].amin(0), s(3, 4)),
                of("maxDim", a -> Functional.max(a[0], 1, false)[0], s(3, 4)),
                of("minDim", a -> Functional.min(a[0], 0, true)[0], s(3, 4)), of("norm", a -> a[0].norm(), s(3, 4)),
                of("var", a -> a[0].var(1), s(3, 4)), of("mm", a -> a[0].mm(a[1]), s(3, 4), s(4, 2)),
                of("mmTransposed", a -> a[0].t().mm(a[1].t()), s(4, 3), s(2, 4)),
                of("bmm", a -> a[0].bmm(a[1]), s(2, 3, 4), s(2, 4, 2)),
                of("addmm", a -> Tensor.addmm(a[0], a[1], a[2]), s(2), s(3, 4), s(4, 2)),
                of("matmulVectors", a -> a[0].matmul(a[1]), s(4), s(4)),
                of("matmulMatrixVector", a -> a[0].matmul(a[1]), s(3, 4), s(4)),
                of("matmulBatched", a -> a[0].matmul(a[1]), s(2, 1, 3, 4), s(3, 4, 2)),
                of("linear", a -> Functional.linear(a[0], a[1], a[2]), s(3, 4), s(2, 4), s(2)),
                of("linear3d", a -> Functional.linear(a[0], a[1], a[2]), s(2, 3, 4), s(2, 4), s(2)),
                of("linearNoBias", a -> Functional.linear(a[0], a[1], null), s(2, 3, 4), s(2, 4)),
                of("transpose", a -> a[0].transpose(0, 2).mul(a[1]), s(2, 3, 4), s(4, 3, 2)),
                of("permute", a -> a[0].permute(2, 0, 1).contiguous(), s(2, 3, 4)),
                of("view", a -> a[0].view(6, -1).mul(a[1]), s(2, 3, 4), s(6, 4)),
                of("reshapeCopy", a -> a[0].t().reshape(-1), s(3, 4)),
                of("expand", a -> a[0].expand(3, 4).mul(a[1]), s(3, 1), s(3, 4)),
                of("squeeze", a -> a[0].squeeze(1).unsqueeze(0).squeeze(), s(3, 1, 2)),
                of("flatten", a -> a[0].flatten(1, 2), s(2, 3, 4)), of("select", a -> a[0].select(1, 2), s(3, 4)),
                of("slice", a -> a[0].slice(1, 0, 4, 2), s(3, 4)), of("narrow", a -> a[0].narrow(0, 1, 2), s(3, 4)),
                of("clone", a -> a[0].clone(), s(3, 4)),
                of("cat", a -> Functional.cat(1, a[0], a[1]), s(2, 3), s(2, 1)),
                of("stack", a -> Functional.stack(1, a[0], a[1]), s(2, 3), s(2, 3)),
                of("split", a -> Functional.split(a[0], 2, 0)[1], s(5, 2)),
                of("unbind", a -> Functional.unbind(a[0], 1)[2], s(2, 3)),
                of("gather", a -> Functional.gather(a[0], 1, Tensor.of(2L, 0, 0, 1).view(2, 2)), s(2, 3)),
                of("index", a -> Functional.index(a[0], Tensor.of(2L, 0, 2, 1)), s(3, 4)),
                of("embedding", a -> Functional.embedding(Tensor.of(2L, 0, 2).view(3, 1), a[0]), s(3, 4)),
                of("topk", a -> Functional.topk(a[0], 2, 1, true)[0], s(3, 4)),
                of("softmax", a -> Functional.softmax(a[0], -1), s(3, 4)),
                of("softmaxFirst", a -> Functional.softmax(a[0], 0), s(3, 4)),
                of("logSoftmax", a -> Functional.logSoftmax(a[0], 1), s(3, 4)),
                of("crossEntropy", a -> Functional.crossEntropy(a[0], Tensor.of(1L, 0, 3)), s(3, 4)),
                of("crossEntropySum",
                        a -> Functional.crossEntropy(a[0], Tensor.of(1L, 0, 3), Reduction.SUM, 0), s(3, 4)),
                of("nllNone", a -> Functional.nllLoss(a[0], Tensor.of(1L, 0, 3), Reduction.NONE, -100), s(3, 4)),
                of("mse", a -> Functional.mseLoss(a[0], a[1], Reduction.MEAN), s(3, 4), s(3, 4)),
                of("mseNone", a -> Functional.mseLoss(a[0], a[1], Reduction.NONE), s(3, 4), s(3, 4)),
                of("l1", a -> Functional.l1Loss(a[0], a[1], Reduction.SUM), s(3, 4), s(3, 4)),
                of("bce", a -> Functional.binaryCrossEntropyWithLogits(a[0], a[1], Reduction.MEAN), s(3, 4), s(3, 4)),
                of("layerNorm", a -> Functional.layerNorm(a[0], s(4), a[1], a[2], 1e-5), s(3, 4), s(4), s(4)),
                of("layerNormPlain", a -> Functional.layerNorm(a[0], s(4), null, null, 1e-5), s(3, 4)),
                of("batchNorm", a -> Functional.batchNorm(a[0], null, null, a[1], a[2], true, 0.1, 1e-5), s(4, 3, 2),
                        s(3), s(3)),
                of("einsumProduct", a -> Functional.einsum("bij,bjk->bik", a[0], a[1]), s(2, 3, 4), s(2, 4, 2)),
                of("einsumTransposed", a -> Functional.einsum("ij,kj->ki", a[0], a[1]), s(3, 4), s(2, 4)),
                of("einsumOuter", a -> Functional.einsum("i,j->ij", a[0], a[1]), s(3), s(4)),
                of("einsumSum", a -> Functional.einsum("ijk->ki", a[0]), s(2, 3, 4)),
                of("conv2d", a -> Functional.conv2d(a[0], a[1], a[2], THREE), s(2, 2, 4, 4), s(3, 2, 3, 3), s(3)),
                of("maxPool2d", a -> Functional.maxPool2d(a[0], TWO), s(2, 2, 4, 4)),
                of("avgPool2d", a -> Functional.avgPool2d(a[0], TWO), s(2, 2, 4, 4)),
                of("inPlace", a -> a[0].mul(2).add_(a[1]).mul_(3).relu_(), s(5), s(5)),
                of("inPlaceProduct", a -> a[0].add(1).mul_(a[1]), s(5), s(5)),
                of("copyInto", a -> a[0].mul(2).copy_(a[1]), s(2, 3), s(3)),
                of("reuse", a -> a[0].mul(a[0]).add(a[0]).mul(a[0].exp()), s(5)));
    }

    private static final String ONE_ORDER = "vramlab.cudnn.deterministic";

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");
    private final String orderBefore = System.setProperty(ONE_ORDER, "on");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        if (orderBefore == null) {
            System.clearProperty(ONE_ORDER);
        } else {
            System.setProperty(ONE_ORDER, orderBefore);
        }
        Device.set(before);
        device.close();
    }

    private static Tensor leaf(double[] values, long... shape) {
        return Tensor.of(TensorOptions.of(DType.FLOAT64).requiresGrad(true), values, shape);
    }

    private static double[] values(int salt, long... shape) {
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
            // distinct, between 0.5 and 1.5, away from ties and kinks
            out[i] = 0.5 + ((i * 0.6180339887 + salt * 0.3141592653) % 1);
        }
        return out;
    }

    /** The weighted sum of a result, so that every element of its gradient is another number. */
    private static Tensor weighted(Tensor y) {
        double[] weights = values(7, y.shape());
        return y.mul(Tensor.of(TensorOptions.of(DType.FLOAT64), weights, y.shape())).sum();
    }

    private static double evaluate(Case c, double[][] inputs) {
        try (Scope s = Scope.open(); NoGrad n = new NoGrad()) {
            Tensor[] arguments = new Tensor[inputs.length];
            for (int i = 0; i < inputs.length; i++) {
                arguments[i] = leaf(inputs[i], c.shapes()[i]);
            }
            return weighted(c.function().apply(arguments)).item();
        }
    }

    private static double[][] gradients(Case c, double[][] inputs) {
        try (Scope s = Scope.open()) {
            Tensor[] arguments = new Tensor[inputs.length];
            for (int i = 0; i < inputs.length; i++) {
                arguments[i] = leaf(inputs[i], c.shapes()[i]);
            }
            weighted(c.function().apply(arguments)).backward();
            double[][] out = new double[inputs.length][];
            for (int i = 0; i < inputs.length; i++) {
                out[i] = arguments[i].grad().toDoubleArray();
            }
            return out;
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void gradientsAreTheSlopesAndTheSameEveryTime(Case c) {
        double[][] inputs = new double[c.shapes().length][];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = values(i + 1, c.shapes()[i]);
        }
        double[][] gradients = gradients(c, inputs);
        for (int i = 0; i < inputs.length; i++) {
            for (int j = 0; j < inputs[i].length; j++) {
                double x = inputs[i][j];
                inputs[i][j] = x + STEP;
                double above = evaluate(c, inputs);
                inputs[i][j] = x - STEP;
                double below = evaluate(c, inputs);
                inputs[i][j] = x;
                double slope = (above - below) / (2 * STEP);
                assertEquals(slope, gradients[i][j], TOLERANCE * (1 + Math.abs(slope)),
                        c + ": gradient " + j + " of argument " + i);
            }
        }
        double[][] again = gradients(c, inputs);
        for (int i = 0; i < again.length; i++) {
            assertArrayEquals(gradients[i], again[i], 0, "not the same bits in a second run");
        }
        assertEquals(0, Allocators.of(device).stats().allocatedBytes(), "left allocated");
        assertTrue(gradients.length > 0);
    }
}
