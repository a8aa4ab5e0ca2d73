package io.vramlab.tensor.internal.ops.window;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.Arrays;

/**
 * The gradients of a convolution as results of the graph, and the gradients of those: PyTorch's
 * {@code _convolution_double_backward}, all of it convolutions again.
 */
final class ConvolutionSlopes {

    private ConvolutionSlopes() {
    }

    /** Ties the gradients of input, weight and bias, null where not wanted, to what they were computed of. */
    static void record(TensorImpl[] gradients, TensorImpl g, TensorImpl a, TensorImpl weight, Geometry how) {
        if (!Graph.wanted(g, a, weight)) {
            return;
        }
        Node node = Graph.recordWanted("ConvolutionBackwardBackward0", gradients,
                (n, seconds) -> backward(n, seconds[0], seconds[1], seconds[2], how), g, a, weight);
        node.save(Graph.input(node, g), Graph.input(node, a), Graph.input(node, weight));
    }

    private static TensorImpl[] backward(Node n, TensorImpl input, TensorImpl weight, TensorImpl bias, Geometry how) {
        TensorImpl g = n.saved(0);
        TensorImpl a = n.saved(1);
        TensorImpl w = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(ofGradient(t, input, weight, bias, n, how));
            TensorImpl ofWeight = input == null ? null : t.own(ofWeight(input, g, w, how));
            TensorImpl ofInput = weight == null ? null : t.own(ofInput(weight, g, a, w, how));
            // where nothing flows PyTorch leaves the gradient out
            return t.give(n.wants(0) ? out : null, n.wants(1) ? ofInput : null, n.wants(2) ? ofWeight : null);
        }
    }

    /** The convolutions of the one with the weight and of the input with the other, and the bias' seen everywhere. */
    private static TensorImpl ofGradient(Temps t, TensorImpl input, TensorImpl weight, TensorImpl bias, Node n,
            Geometry how) {
        TensorImpl sum = null;
        if (input != null) {
            sum = t.own(Convolutions.of(input, t.own(Copies.contiguous(n.saved(2))), null, how));
        }
        if (weight != null) {
            sum = added(t, sum, Convolutions.of(n.saved(1), t.own(Copies.contiguous(weight)), null, how));
        }
        if (bias != null) {
            long[] shape = new long[n.saved(0).rank()];
            Arrays.fill(shape, 1);
            shape[1] = bias.count();
            TensorImpl row = t.own(Views.view(t.own(Copies.contiguous(bias)), shape));
            sum = added(t, sum, Views.expand(row, n.saved(0).shape()));
        }
        return sum.retain();
    }

    private static TensorImpl added(Temps t, TensorImpl sum, TensorImpl next) {
        t.own(next);
        return sum == null ? next : t.own(Elementwise.add(sum, next, 1));
    }

    /** The batch is summed over as channels are: both turned, with stride and dilation in each other's place. */
    private static TensorImpl ofWeight(TensorImpl input, TensorImpl g, TensorImpl weight, Geometry how) {
        Geometry turned = new Geometry(how.dilation(), how.padding(), how.stride(), new long[how.dims()], false, 1);
        try (Temps t = new Temps()) {
            TensorImpl gradient = t.own(Views.transpose(g, 0, 1));
            TensorImpl second = t.own(Views.transpose(input, 0, 1));
            int groups = how.groups();
            TensorImpl[] parts = new TensorImpl[groups];
            for (int i = 0; i < groups; i++) {
                TensorImpl x = groups == 1 ? second : t.own(part(second, groups, i));
                TensorImpl y = t.own(Copies.contiguous(groups == 1 ? gradient : t.own(part(gradient, groups, i))));
                parts[i] = t.own(how.transposed()
                        ? Convolutions.of(y, x, null, turned)
                        : Convolutions.of(x, y, null, turned));
            }
            TensorImpl all = groups == 1 ? parts[0] : t.own(Joins.cat(1, parts));
            return cut(t, t.own(Views.transpose(all, 0, 1)), weight.shape()).retain();
        }
    }

    private static TensorImpl part(TensorImpl a, int groups, int index) {
        long size = a.shape()[0] / groups;
        return Views.narrow(a, 0, index * size, size);
    }

    /** Only what lies within: a stride that does not come out even leaves more. */
    private static TensorImpl cut(Temps t, TensorImpl a, long[] shape) {
        TensorImpl out = a;
        for (int d = 2; d < shape.length; d++) {
            if (out.shape()[d] > shape[d]) {
                out = t.own(Views.narrow(out, d, 0, shape[d]));
            }
        }
        return out;
    }

    /** What the gradient of the input is for another weight. */
    private static TensorImpl ofInput(TensorImpl second, TensorImpl g, TensorImpl a, TensorImpl weight, Geometry how) {
        try (Temps t = new Temps()) {
            TensorImpl dense = t.own(Copies.contiguous(g));
            if (how.transposed()) {
                Geometry plain = new Geometry(how.stride(), how.padding(), how.dilation(), new long[how.dims()], false,
                        how.groups());
                return cut(t, t.own(Convolutions.of(dense, second, null, plain)), a.shape()).retain();
            }
            long[] rest = new long[how.dims()];
            for (int d = 0; d < rest.length; d++) {
                long reached = (weight.shape()[d + 2] - 1) * how.dilation()[d] - 2 * how.padding()[d]
                        + how.stride()[d] * (g.shape()[d + 2] - 1) + 1;
                rest[d] = a.shape()[d + 2] - reached;
            }
            Geometry back = new Geometry(how.stride(), how.padding(), how.dilation(), rest, true, how.groups());
            return Convolutions.of(dense, second, null, back);
        }
    }
}
