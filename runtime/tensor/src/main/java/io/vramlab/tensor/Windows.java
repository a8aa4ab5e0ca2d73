package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Kernels.Window;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;

/**
 * Convolution and pooling over [n, c, h, w]. PyTorch's convolution takes a workspace whose size is cuDNN's choice; none is
 * taken here.
 */
final class Windows {

    private Windows() {
    }

    private static long out(long in, int kernel, int stride, int pad, int dilation) {
        return Math.floorDiv(in + 2L * pad - dilation * (kernel - 1L) - 1, stride) + 1;
    }

    private static long[] outShape(TensorImpl a, long channels, Window w, String what) {
        if (a.rank() != 4) {
            throw new TensorException(what + " was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it takes [n, channels, height, width].");
        }
        if (w.strideH() <= 0 || w.strideW() <= 0 || w.kernelH() <= 0 || w.kernelW() <= 0) {
            throw new TensorException(what + " was asked with a window or stride that is not positive: " + w + ".");
        }
        long h = out(a.shape()[2], w.kernelH(), w.strideH(), w.padH(), w.dilationH());
        long width = out(a.shape()[3], w.kernelW(), w.strideW(), w.padW(), w.dilationW());
        if (h <= 0 || width <= 0) {
            throw new TensorException(what + ": the window " + w.kernelH() + "x" + w.kernelW() + " does not fit into "
                    + Shape.text(a.shape()) + ": calculated output size would be " + h + "x" + width + ".");
        }
        return new long[]{a.shape()[0], channels, h, width};
    }

    static TensorImpl conv2d(TensorImpl a, TensorImpl weight, TensorImpl bias, Window w) {
        if (weight.rank() != 4 || a.rank() == 4 && a.shape()[1] != weight.shape()[1] * w.groups()) {
            throw new TensorException("conv2d: given groups=" + w.groups() + ", weight of size "
                    + Shape.text(weight.shape()) + ", expected input " + Shape.text(a.shape())
                    + " to have as many channels as the weight takes.");
        }
        Launch.device("conv2d", a, weight);
        if (a.dtype() != weight.dtype()) {
            throw new TensorException("conv2d of dtypes " + a.dtype() + " and " + weight.dtype()
                    + " was asked for: input type and weight type should be the same.");
        }
        long[] shape = outShape(a, weight.shape()[0], w, "conv2d");
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            if (Graph.wanted(a, weight, bias)) {
                Graph.announce(x, weight);
            }
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            a.driver().kernels().conv2d(out.operand(), x.operand(), weight.operand(),
                    bias == null ? null : bias.operand(), w, a.stream());
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("ConvolutionBackward0", out, (n, g) -> convBackward(n, g, w), a, weight, bias);
                node.save(Graph.input(node, x), Graph.input(node, weight));
            }
            return t.give(out);
        }
    }

    private static TensorImpl[] convBackward(Node n, TensorImpl g, Window w) {
        try (Temps t = new Temps()) {
            TensorImpl x = n.saved(0);
            TensorImpl weight = n.saved(1);
            TensorImpl dense = t.own(Copies.contiguous(g));
            TensorImpl gradIn = null;
            TensorImpl gradWeight = null;
            TensorImpl gradBias = null;
            if (n.wants(0)) {
                gradIn = t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape()));
                x.driver().kernels().conv2dBackwardInput(gradIn.operand(), dense.operand(), weight.operand(), w,
                        x.stream());
            }
            if (n.wants(1)) {
                gradWeight = t.own(TensorImpl.empty(x.device(), x.dtype(), weight.shape()));
                x.driver().kernels().conv2dBackwardWeight(gradWeight.operand(), dense.operand(), x.operand(), w,
                        x.stream());
            }
            if (n.wants(2)) {
                gradBias = t.own(Reductions.reduce(ReduceOp.SUM, g, new boolean[]{true, false, true, true}, false,
                        x.dtype()));
            }
            return t.give(gradIn, gradWeight, gradBias);
        }
    }

    private static void requirePads(String what, Window w) {
        if (w.padH() < 0 || w.padW() < 0 || w.padH() > ((w.kernelH() - 1) * w.dilationH() + 1) / 2
                || w.padW() > ((w.kernelW() - 1) * w.dilationW() + 1) / 2) {
            throw new TensorException(what + ": pad should be at most half of effective kernel size, but got pad="
                    + w.padH() + "x" + w.padW() + ", kernel_size=" + w.kernelH() + "x" + w.kernelW() + " and dilation="
                    + w.dilationH() + "x" + w.dilationW() + ". Pad less, or pad the input before.");
        }
    }

    static TensorImpl maxPool2d(TensorImpl a, Window w) {
        requirePads("maxPool2d", w);
        long[] shape = outShape(a, a.rank() == 4 ? a.shape()[1] : 0, w, "maxPool2d");
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            a.driver().kernels().maxPool2d(out.operand(), indices.operand(), x.operand(), w, a.stream());
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Node node = Graph.recordUnary("MaxPool2DWithIndicesBackward0", out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        TensorImpl grad = inner.own(Factories.full(g.device(), g.dtype(), 0, was));
                        TensorImpl dense = inner.own(Copies.contiguous(g));
                        Operand at = n.saved(1).operand();
                        g.driver().kernels().maxPool2dBackward(grad.operand(), dense.operand(), at, w, g.stream());
                        return inner.give(grad);
                    }
                });
                node.save(Graph.input(node, x), Graph.input(node, indices));
            }
            return t.give(out);
        }
    }

    static TensorImpl avgPool2d(TensorImpl a, Window w) {
        requirePads("avgPool2d", w);
        long[] shape = outShape(a, a.rank() == 4 ? a.shape()[1] : 0, w, "avgPool2d");
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            a.driver().kernels().avgPool2d(out.operand(), x.operand(), w, a.stream());
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Node node = Graph.recordUnary("AvgPool2DBackward0", out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        TensorImpl grad = inner.own(Factories.full(g.device(), g.dtype(), 0, was));
                        TensorImpl dense = inner.own(Copies.contiguous(g));
                        g.driver().kernels().avgPool2dBackward(grad.operand(), dense.operand(), w, g.stream());
                        return inner.give(grad);
                    }
                });
                node.save(Graph.input(node, x));
            }
            return t.give(out);
        }
    }
}
