package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Sums of products of three tensors, slice by slice of one dimension: at::_trilinear, of which a bilinear form and its gradients
 * are made. One node stands for all slices.
 */
public final class Trilinear {

    /** The dimension that is gone through slice by slice: the outputs. */
    private static final int SLICED = 1;

    /** Which dimensions of the common shape the first, the second and the third lack, and which are summed over. */
    private record Form(List<Integer> first, List<Integer> second, List<Integer> third, List<Integer> summed) {
    }

    private Trilinear() {
    }

    /** x1 [… in1] and x2 [… in2] through weight [out, in1, in2], plus bias [out] or null. */
    public static TensorImpl bilinear(TensorImpl x1, TensorImpl x2, TensorImpl weight, TensorImpl bias) {
        if (x1.size(-1) != weight.shape()[1] || x2.size(-1) != weight.shape()[2]) {
            throw new TensorException("bilinear(): input sizes " + x1.size(-1) + " and " + x2.size(-1)
                    + " do not match the weight of shape " + Shape.text(weight.shape())
                    + ": its last two sizes are theirs.");
        }
        long[] shape = x1.shape().clone();
        shape[shape.length - 1] = weight.shape()[0];
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Views.reshape(x1, -1, x1.size(-1)));
            TensorImpl b = t.own(Views.reshape(x2, -1, x2.size(-1)));
            TensorImpl sum = t.own(of(a, weight, b,
                    new Form(List.of(1, 3), List.of(0), List.of(1, 2), List.of(2, 3))));
            TensorImpl out = t.own(Views.reshape(sum, shape));
            if (bias == null) {
                return t.give(out);
            }
            TensorImpl moved = t.own(Elementwise.add(out, bias, 1));
            t.free(out);
            t.free(sum);
            return t.give(moved);
        }
    }

    private static TensorImpl of(TensorImpl a, TensorImpl b, TensorImpl c, Form f) {
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false)) {
            out = slices(a, b, c, f);
        }
        if (Graph.wanted(a, b, c)) {
            Node node = Graph.record("TrilinearBackward0", out, (n, g) -> backward(n, g, f), a, b, c).differentiable();
            node.save(Graph.input(node, a), Graph.input(node, b), Graph.input(node, c));
        }
        return out;
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, Form f) {
        TensorImpl a = n.saved(0);
        TensorImpl b = n.saved(1);
        TensorImpl c = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl first = n.wants(0)
                    ? t.own(of(g, b, c, new Form(f.summed, f.second, f.third, f.first)))
                    : null;
            TensorImpl second = n.wants(1)
                    ? t.own(of(a, g, c, new Form(f.first, f.summed, f.third, f.second)))
                    : null;
            TensorImpl third = n.wants(2)
                    ? t.own(of(a, b, g, new Form(f.first, f.second, f.summed, f.third)))
                    : null;
            return t.give(first, second, third);
        }
    }

    private static TensorImpl slices(TensorImpl first, TensorImpl second, TensorImpl third, Form f) {
        int rank = first.rank() + f.first.size();
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(widened(first, f.first));
            TensorImpl b = t.own(widened(second, f.second));
            TensorImpl c = t.own(widened(third, f.third));
            long[] shape = new long[rank];
            List<Integer> early = new ArrayList<>();
            List<Integer> late = new ArrayList<>();
            long many = 0;
            for (int d = 0; d < rank; d++) {
                long size = !f.third.contains(d)
                        ? c.shape()[d]
                        : f.second.contains(d)
                                ? a.shape()[d]
                                : b.shape()[d];
                boolean sums = f.summed.contains(d);
                shape[d] = sums ? 1 : size;
                if (d == SLICED) {
                    many = size;
                } else if (sums) {
                    (f.third.contains(d) ? early : late).add(d);
                }
            }
            TensorImpl out = t.own(Factories.full(first.device(), first.dtype(), 0, shape));
            for (long k = 0; k < many && a.count() != 0 && b.count() != 0 && c.count() != 0; k++) {
                try (Temps u = new Temps()) {
                    TensorImpl both = u.own(joined(u.own(slice(a, f.first, k)), u.own(slice(b, f.second, k)), early));
                    TensorImpl all = u.own(joined(both, u.own(slice(c, f.third, k)), late));
                    u.free(both);
                    InPlace.add(u.own(slice(out, f.summed, k)), all, 1);
                }
            }
            long[] kept = LongStream.range(0, rank).filter(d -> !f.summed.contains((int) d)).map(d -> shape[(int) d])
                    .toArray();
            return out.alias(kept, Shape.contiguous(kept), 0);
        }
    }

    /** With a dimension of one where it lacks one. */
    private static TensorImpl widened(TensorImpl a, List<Integer> lacks) {
        TensorImpl out = a.retain();
        for (int d : lacks) {
            TensorImpl before = out;
            out = Views.unsqueeze(before, d);
            before.release();
        }
        return out;
    }

    /** One slice, or all of what is the same for each. */
    private static TensorImpl slice(TensorImpl a, List<Integer> lacks, long k) {
        return Views.narrow(a, SLICED, lacks.contains(SLICED) ? 0 : k, 1);
    }

    /** at::sumproduct_pair with all dimensions kept. */
    private static TensorImpl joined(TensorImpl left, TensorImpl right, List<Integer> summed) {
        if (summed.isEmpty()) {
            return Elementwise.mul(left, right);
        }
        try (Temps t = new Temps()) {
            TensorImpl a = left;
            TensorImpl b = right;
            for (int d : summed) {
                boolean inLeft = left.shape()[d] != 1;
                boolean inRight = right.shape()[d] != 1;
                if (inLeft && !inRight) {
                    a = t.own(Sums.sum(a, new int[]{d}, true));
                } else if (inRight && !inLeft) {
                    b = t.own(Sums.sum(b, new int[]{d}, true));
                }
            }
            return Einsum.product(a, b, summed);
        }
    }
}
