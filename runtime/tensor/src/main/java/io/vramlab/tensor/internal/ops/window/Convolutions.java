package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.ElementOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Convolution;
import io.vramlab.footprint.Convolution.Pass;
import io.vramlab.footprint.ConvolutionWorkspace;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.internal.ops.arrange.Pads;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * Convolutions over one, two and three dimensions and their transposes, as PyTorch gives them to cuDNN: with the workspace
 * that {@link ConvolutionWorkspace} estimates, and in the order of memory of input and weight. Those whose groups are their
 * channels go to PyTorch's own kernel, unless they are of float16 in sizes that it leaves to cuDNN.
 */
public final class Convolutions {

    private Convolutions() {
    }

    /** Whose kernel it is, PyTorch's own or the library's, and whether channels lie last. */
    private record Route(boolean own, boolean last) {

        public static Route of(TensorImpl a, TensorImpl weight, Geometry g) {
            boolean own = Depthwise.isPyTorchs(a, weight, g);
            return new Route(own, !own && MemoryOrder.isChannelsLast(a, weight));
        }
    }

    /** Of [n, channels, …] or [channels, …]; bias [outputs] or null. */
    public static TensorImpl of(TensorImpl a, TensorImpl weight, TensorImpl bias, Geometry g) {
        if (a.rank() == g.dims() + 1 && weight.rank() == g.dims() + 2) {
            try (Temps t = new Temps()) {
                return Views.squeeze(t.own(of(t.own(Views.unsqueeze(a, 0)), weight, bias, g)), 0);
            }
        }
        long[] shape = g.output(a.shape(), weight.shape());
        requireAlike(a, weight, shape);
        try (Temps t = new Temps()) {
            if (Graph.wanted(a, weight, bias)) {
                Graph.announce(a, weight);
            }
            Route r = Route.of(a, weight, g);
            TensorImpl x = t.own(MemoryOrder.laid(a, r.last));
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, r.last));
            TensorImpl w = t.own(MemoryOrder.laid(weight, r.last));
            if (out.count() > 0) {
                if (g.transposed()) {
                    during(r, Pass.INPUT, g, out, w, x, () -> ConvolutionKernels.input(out, x, w, g));
                } else {
                    during(r, Pass.FORWARD, g, x, w, out, () -> ConvolutionKernels.output(out, x, w, g));
                }
                addBias(t, out, bias);
            }
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("ConvolutionBackward0", out, (n, grad) -> backward(n, grad, g), a, weight,
                        bias);
                node.save(Graph.input(node, a), Graph.input(node, weight));
            }
            return t.give(out);
        }
    }

    private static void requireAlike(TensorImpl a, TensorImpl weight, long[] shape) {
        Launch.device("convolution", a, weight);
        if (a.dtype() != weight.dtype()) {
            throw new TensorException("A convolution of dtypes " + a.dtype() + " and " + weight.dtype()
                    + " was asked for: input type and weight type should be the same. Convert one with to(dtype).");
        }
        for (int d = 2; d < shape.length; d++) {
            if (shape[d] <= 0) {
                throw new TensorException("A convolution of " + Shape.text(a.shape()) + " with a weight of "
                        + Shape.text(weight.shape()) + " was asked for: its output would be " + Shape.text(shape)
                        + ", which is too small. Pad less, or use a larger input.");
            }
        }
    }

    private static void addBias(Temps t, TensorImpl out, TensorImpl bias) {
        if (bias != null) {
            long[] shape = new long[out.rank() - 1];
            Arrays.fill(shape, 1);
            shape[0] = bias.count();
            long[] strides = new long[shape.length];
            strides[0] = bias.strides()[0];
            Launch.into(ElementOp.ADD, new double[]{1}, out, out,
                    t.own(bias.alias(shape, strides, bias.offset())));
        }
    }

    /**
     * Runs one product of the convolution from x to y, with the memory that its library takes meanwhile: the device's own
     * where it has one, the estimate of it elsewhere. A transposed convolution is told as the one whose gradient it is.
     */
    private static void during(Route r, Pass pass, Geometry g, TensorImpl x, TensorImpl weight, TensorImpl y,
            Runnable kernel) {
        if (r.own || !x.device().isCuda()) {
            kernel.run();
            return;
        }
        if (!ConvolutionKernels.byLibrary(pass, x, weight, y, g)) {
            Convolution told = told(r, pass, g, x, weight, y);
            Scratch.during(x, device -> ConvolutionWorkspace.of(told, device), () -> {
                VendorLibraries.networks(x);
                kernel.run();
            });
        }
    }

    private static Convolution told(Route r, Pass pass, Geometry g, TensorImpl in, TensorImpl weight, TensorImpl out) {
        long[] kernel = Arrays.copyOfRange(weight.shape(), 2, weight.rank());
        return new Convolution(pass, in.dtype(), r.last, in.shape()[0],
                in.shape()[1], out.shape()[1], g.groups(), Arrays.copyOfRange(in.shape(), 2, in.rank()), kernel,
                g.stride(), g.padding(), g.dilation(), Arrays.copyOfRange(out.shape(), 2, out.rank()));
    }

    private static TensorImpl[] backward(Node n, TensorImpl grad, Geometry g) {
        TensorImpl a = n.saved(0);
        TensorImpl weight = n.saved(1);
        Route r = Route.of(a, weight, g);
        try (Temps t = new Temps()) {
            TensorImpl gradIn = null;
            TensorImpl gradWeight = null;
            try (Temps inner = new Temps()) {
                // over one dimension PyTorch keeps the packed input to the end
                TensorImpl x = g.dims() == 1
                        ? t.own(MemoryOrder.laid(a, false))
                        : n.wants(1) || r.own ? inner.own(MemoryOrder.laid(a, r.last)) : a;
                TensorImpl dense = isCopiedOnce(r, grad, n.wants(1) ? x : a, g)
                        ? inner.own(MemoryOrder.laid(grad, r.last))
                        : grad;
                TensorImpl w = r.own ? inner.own(MemoryOrder.laid(weight, r.last)) : weight;
                // PyTorch's own kernel over two dimensions begins with the weight
                boolean weightFirst = r.own && g.dims() < 3;
                if (weightFirst && n.wants(1)) {
                    gradWeight = t.own(weightGradient(r, x, w, dense, g));
                }
                if (n.wants(0)) {
                    gradIn = t.own(inputGradient(r, x, w, dense, g));
                }
                if (!weightFirst && n.wants(1)) {
                    gradWeight = t.own(weightGradient(r, x, w, dense, g));
                }
            }
            TensorImpl gradBias = null;
            if (n.wants(2)) {
                boolean[] reduced = new boolean[grad.rank()];
                Arrays.fill(reduced, true);
                reduced[1] = false;
                gradBias = t.own(Reductions.reduce(ReduceOp.SUM, grad, reduced, false, a.dtype()));
            }
            TensorImpl[] gradients = {gradIn, gradWeight, gradBias};
            ConvolutionSlopes.record(gradients, grad, a, weight, g);
            return t.give(gradients);
        }
    }

    /**
     * Whether the gradient is copied before both products, if at all: for PyTorch's own kernels, for a transposed convolution, and
     * where PyTorch takes it to lie in another order than the input. Else each of cuDNN's products has a copy of its own of
     * a gradient with gaps, as a part of a {@code cat} has them (ConvShared.cpp, cudnn_convolution_backward).
     */
    private static boolean isCopiedOnce(Route r, TensorImpl grad, TensorImpl input, Geometry g) {
        return r.own || g.transposed()
                || MemoryOrder.suggestsChannelsLast(ConvolutionKernels.plane(grad.operand())) != MemoryOrder
                        .suggestsChannelsLast(input);
    }

    private static TensorImpl inputGradient(Route r, TensorImpl x, TensorImpl weight, TensorImpl grad,
            Geometry g) {
        try (Temps t = new Temps()) {
            TensorImpl gradIn = t.own(MemoryOrder.empty(x, x.shape(), r.last));
            if (x.count() > 0) {
                TensorImpl w = t.own(MemoryOrder.laid(weight, r.last));
                TensorImpl dense = t.own(MemoryOrder.laid(grad, r.last));
                if (g.transposed()) {
                    during(r, Pass.FORWARD, g, dense, w, gradIn,
                            () -> ConvolutionKernels.output(gradIn, dense, w, g));
                } else {
                    during(r, Pass.INPUT, g, gradIn, w, dense, () -> ConvolutionKernels.input(gradIn, dense, w, g));
                }
            }
            return t.give(gradIn);
        }
    }

    private static TensorImpl weightGradient(Route r, TensorImpl x, TensorImpl w, TensorImpl grad,
            Geometry g) {
        try (Temps t = new Temps()) {
            TensorImpl dense = t.own(MemoryOrder.laid(grad, r.last));
            TensorImpl gradWeight = t.own(MemoryOrder.empty(w, w.shape(), r.last));
            if (w.count() > 0) {
                if (g.transposed()) {
                    during(r, Pass.WEIGHT, g, dense, gradWeight, x,
                            () -> ConvolutionKernels.weight(gradWeight, x, dense, g));
                } else {
                    during(r, Pass.WEIGHT, g, x, gradWeight, dense,
                            () -> ConvolutionKernels.weight(gradWeight, dense, x, g));
                }
            }
            return t.give(gradWeight);
        }
    }

    /** What a convolution with PyTorch's word for its padding pads: {@code valid} or {@code same}. */
    public static TensorImpl of(TensorImpl a, TensorImpl weight, TensorImpl bias, long[] stride, String padding,
            long[] dilation, int groups, int dims) {
        long[] none = new long[dims];
        if (padding.equals("valid")) {
            return of(a, weight, bias, Geometry.of(dims, stride, none, dilation, groups));
        }
        if (!padding.equals("same")) {
            throw new TensorException(
                    "Invalid padding string: '" + padding + "' was given. Use \"valid\" or \"same\".");
        }
        long[] step = Geometry.each(stride, dims, "stride");
        long[] spread = Geometry.each(dilation, dims, "dilation");
        if (Arrays.stream(step).anyMatch(s -> s != 1)) {
            throw new TensorException("padding='same' is not supported for strided convolutions, but the stride is "
                    + Arrays.toString(step) + ". Give the padding as numbers.");
        }
        long[] pads = new long[2 * dims];
        boolean even = true;
        for (int d = 0; d < dims; d++) {
            long total = spread[d] * (weight.size(d - dims) - 1);
            none[d] = total / 2;
            pads[2 * (dims - 1 - d) + 1] = total % 2;
            even &= total % 2 == 0;
        }
        Geometry g = Geometry.of(dims, step, none, spread, groups);
        if (even) {
            return of(a, weight, bias, g);
        }
        // what is not even on both sides is padded before
        try (Temps t = new Temps()) {
            return of(t.own(Pads.pad(a, pads, Pads.Mode.CONSTANT, 0)), weight, bias, g);
        }
    }

}
