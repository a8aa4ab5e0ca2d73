package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.Operand;
import io.vramlab.footprint.Convolution;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.Optional;

/**
 * The three products of a convolution on a device: over two dimensions its own kernels, over one the same with a height of
 * 1, over three a sum over the positions of the kernel, each a product of matrices. Operands are [n, channels, …].
 */
public final class ConvolutionKernels {

    private ConvolutionKernels() {
    }

    private static Window window(Geometry g, Operand weight) {
        boolean line = g.dims() == 1;
        int last = g.dims() - 1;
        long[] kernel = weight.shape();
        return new Window(line ? 1 : i(kernel[2]), i(kernel[last + 2]), line ? 1 : i(g.stride()[0]),
                i(g.stride()[last]),
                line ? 0 : i(g.padding()[0]), i(g.padding()[last]), line ? 1 : i(g.dilation()[0]),
                i(g.dilation()[last]), g.groups());
    }

    private static int i(long size) {
        return Math.toIntExact(size);
    }

    /** [n, c, length] as [n, c, 1, length]. */
    static Operand plane(Operand o) {
        return o.shape().length != 3
                ? o
                : new Operand(o.address(), o.dtype(), Views.insert(o.shape(), 2, 1),
                        Views.insert(o.strides(), 2, o.shape()[2] * o.strides()[2]));
    }

    /**
     * By the device's library of convolutions, which takes what it works in from the allocator; false where there is none, or
     * it cannot.
     *
     * @param x
     *            input or its gradient of the convolution from x to y, as {@code weight} and {@code y}
     */
    static boolean byLibrary(Convolution.Pass pass, TensorImpl x, TensorImpl weight, TensorImpl y, Geometry g) {
        Optional<ConvolutionLibrary> library = x.driver().kernels().convolutions();
        return library.isPresent() && library.get().compute(
                new ConvolutionCall(written(pass), plane(x.operand()), plane(weight.operand()), plane(y.operand()),
                        plane(g.stride(), 1), plane(g.padding(), 0), plane(g.dilation(), 1)),
                (bytes, use) -> Scratch.during(x.device(), bytes, use), x.stream());
    }

    private static ConvolutionCall.Pass written(Convolution.Pass pass) {
        return switch (pass) {
            case FORWARD -> ConvolutionCall.Pass.OUTPUT;
            case INPUT -> ConvolutionCall.Pass.INPUT;
            case WEIGHT -> ConvolutionCall.Pass.WEIGHT;
        };
    }

    /** PyTorch gives one dimension another before it. */
    private static long[] plane(long[] sizes, long other) {
        return sizes.length == 1 ? new long[]{other, sizes[0]} : sizes;
    }

    /** The output of the convolution that {@code g} describes, or whose gradient it is. */
    static void output(TensorImpl out, TensorImpl in, TensorImpl weight, Geometry g) {
        Kernels kernels = out.driver().kernels();
        if (g.dims() == 3) {
            Launch.into(ElementOp.FILL, new double[]{0}, out);
            new Taps(g, in.operand(), weight.operand(), out.operand())
                    .each((x, w, y) -> kernels.matmul(y, w, x, 1, 1, out.stream()));
            return;
        }
        kernels.conv2d(plane(out.operand()), plane(in.operand()), plane(weight.operand()), null,
                window(g, weight.operand()), out.stream());
    }

    /** The gradient of the input. */
    static void input(TensorImpl gradIn, TensorImpl gradOut, TensorImpl weight, Geometry g) {
        Kernels kernels = gradIn.driver().kernels();
        if (g.dims() == 3) {
            Launch.into(ElementOp.FILL, new double[]{0}, gradIn);
            new Taps(g, gradIn.operand(), weight.operand(), gradOut.operand())
                    .each((x, w, y) -> kernels.matmul(x, turned(w), y, 1, 1, gradIn.stream()));
            return;
        }
        kernels.conv2dBackwardInput(plane(gradIn.operand()), plane(gradOut.operand()), plane(weight.operand()),
                window(g, weight.operand()), gradIn.stream());
    }

    /** The gradient of the weight. */
    static void weight(TensorImpl gradWeight, TensorImpl gradOut, TensorImpl in, Geometry g) {
        Kernels kernels = gradWeight.driver().kernels();
        if (g.dims() == 3) {
            Launch.into(ElementOp.FILL, new double[]{0}, gradWeight);
            new Taps(g, in.operand(), gradWeight.operand(), gradOut.operand()).eachLine(
                    (x, w, y) -> kernels.matmul(w, y, turned(x), 1, 1, gradWeight.stream()));
            return;
        }
        kernels.conv2dBackwardWeight(plane(gradWeight.operand()), plane(gradOut.operand()), plane(in.operand()),
                window(g, gradWeight.operand()), gradWeight.stream());
    }

    private static Operand turned(Operand o) {
        long[] shape = o.shape().clone();
        long[] strides = o.strides().clone();
        int last = shape.length - 1;
        shape[last] = o.shape()[last - 1];
        shape[last - 1] = o.shape()[last];
        strides[last] = o.strides()[last - 1];
        strides[last - 1] = o.strides()[last];
        return new Operand(o.address(), o.dtype(), shape, strides);
    }
}
