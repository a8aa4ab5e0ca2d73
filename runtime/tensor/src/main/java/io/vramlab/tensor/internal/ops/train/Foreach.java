package io.vramlab.tensor.internal.ops.train;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.footprint.GradientNorms;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.EuclideanNorm;
import io.vramlab.tensor.type.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The same operation over a list of tensors in one launch, PyTorch's {@code torch._foreach_*}: what optimizers and
 * gradient clipping are made of. Outside the graph; lists belong to one device. The tensors at position i of each list
 * have one shape. A list of new results is allocated whole before the first of them is computed, so all of them are
 * alive together: that is the memory spike of an Adam step.
 */
public final class Foreach {

    private Foreach() {
    }

    /** {@code a += alpha * b}. */
    public static void add_(List<TensorImpl> a, List<TensorImpl> b, double alpha) {
        into(ElementOp.ADD, same(alpha), a, List.of(a, b));
    }

    /** {@code a += value}. */
    public static void add_(List<TensorImpl> a, double value) {
        into(ElementOp.ADD_SCALAR, same(value), a, List.of(a));
    }

    /** {@code a *= value}. */
    public static void mul_(List<TensorImpl> a, double value) {
        into(ElementOp.MUL_SCALAR, same(value), a, List.of(a));
    }

    /** {@code a *= factor}, the factor being one tensor for all. */
    public static void mul_(List<TensorImpl> a, TensorImpl factor) {
        into(ElementOp.MUL, same(), a, List.of(a, Collections.nCopies(a.size(), factor)));
    }

    /** {@code a -= b}, b being one tensor for all. */
    public static void sub_(List<TensorImpl> a, TensorImpl b) {
        into(ElementOp.SUB, same(1), a, List.of(a, Collections.nCopies(a.size(), b)));
    }

    /** {@code a[i] /= values[i]}. */
    public static void div_(List<TensorImpl> a, double[] values) {
        into(ElementOp.DIV_SCALAR, each(values), a, List.of(a));
    }

    /** {@code a += weight * (b - a)}. */
    public static void lerp_(List<TensorImpl> a, List<TensorImpl> b, double weight) {
        into(ElementOp.LERP, same(weight), a, List.of(a, b));
    }

    /** {@code a += value * b * c}. */
    public static void addcmul_(List<TensorImpl> a, List<TensorImpl> b, List<TensorImpl> c, double value) {
        into(ElementOp.ADDCMUL, same(value), a, List.of(a, b, c));
    }

    /** {@code a[i] += values[i] * b[i] / c[i]}. */
    public static void addcdiv_(List<TensorImpl> a, List<TensorImpl> b, List<TensorImpl> c, double[] values) {
        into(ElementOp.ADDCDIV, each(values), a, List.of(a, b, c));
    }

    /** {@code a = max(a, b)}. */
    public static void maximum_(List<TensorImpl> a, List<TensorImpl> b) {
        into(ElementOp.MAXIMUM, same(), a, List.of(a, b));
    }

    /** {@code a[i] += values[i]}. */
    public static void add_(List<TensorImpl> a, double[] values) {
        into(ElementOp.ADD_SCALAR, each(values), a, List.of(a));
    }

    /** {@code a[i] *= values[i]}. */
    public static void mul_(List<TensorImpl> a, double[] values) {
        into(ElementOp.MUL_SCALAR, each(values), a, List.of(a));
    }

    /** {@code a *= b}. */
    public static void mul_(List<TensorImpl> a, List<TensorImpl> b) {
        into(ElementOp.MUL, same(), a, List.of(a, b));
    }

    /** {@code a /= b}. */
    public static void div_(List<TensorImpl> a, List<TensorImpl> b) {
        into(ElementOp.DIV, same(), a, List.of(a, b));
    }

    /** {@code a = sqrt(a)}. */
    public static void sqrt_(List<TensorImpl> a) {
        into(ElementOp.SQRT, same(), a, List.of(a));
    }

    /** {@code a = |a|}. */
    public static void abs_(List<TensorImpl> a) {
        into(ElementOp.ABS, same(), a, List.of(a));
    }

    /** The sign of each element, in place. */
    public static void sign_(List<TensorImpl> a) {
        into(ElementOp.SIGN, same(), a, List.of(a));
    }

    /** {@code a = 1 / a}. */
    public static void reciprocal_(List<TensorImpl> a) {
        into(ElementOp.RECIPROCAL, same(), a, List.of(a));
    }

    /** {@code a += value * b / c}. */
    public static void addcdiv_(List<TensorImpl> a, List<TensorImpl> b, List<TensorImpl> c, double value) {
        into(ElementOp.ADDCDIV, same(value), a, List.of(a, b, c));
    }

    /** That value everywhere. */
    public static void fill_(List<TensorImpl> a, double value) {
        into(ElementOp.FILL, same(value), a, List.of());
    }

    /** {@code a + value}; the caller holds the results. */
    public static List<TensorImpl> add(List<TensorImpl> a, double value) {
        return fresh(ElementOp.ADD_SCALAR, same(value), a, List.of(a));
    }

    /** {@code a[i] * values[i]}; the caller holds the results. */
    public static List<TensorImpl> mul(List<TensorImpl> a, double[] values) {
        return fresh(ElementOp.MUL_SCALAR, each(values), a, List.of(a));
    }

    /** {@code a * b}; the caller holds the results. */
    public static List<TensorImpl> mul(List<TensorImpl> a, List<TensorImpl> b) {
        return fresh(ElementOp.MUL, same(), a, List.of(a, b));
    }

    /** Magnitudes; the caller holds the results. */
    public static List<TensorImpl> abs(List<TensorImpl> a) {
        return fresh(ElementOp.ABS, same(), a, List.of(a));
    }

    /** {@code 1 / a}; the caller holds the results. */
    public static List<TensorImpl> reciprocal(List<TensorImpl> a) {
        return fresh(ElementOp.RECIPROCAL, same(), a, List.of(a));
    }

    /** {@code a + value * b * c}; the caller holds the results. */
    public static List<TensorImpl> addcmul(List<TensorImpl> a, List<TensorImpl> b, List<TensorImpl> c, double value) {
        return fresh(ElementOp.ADDCMUL, same(value), a, List.of(a, b, c));
    }

    /** Zeros. */
    public static void zero_(List<TensorImpl> a) {
        into(ElementOp.FILL, same(0), a, List.of());
    }

    /** {@code a + alpha * b}; the caller holds the results. */
    public static List<TensorImpl> add(List<TensorImpl> a, List<TensorImpl> b, double alpha) {
        return fresh(ElementOp.ADD, same(alpha), a, List.of(a, b));
    }

    /** Square roots; the caller holds the results. */
    public static List<TensorImpl> sqrt(List<TensorImpl> a) {
        return fresh(ElementOp.SQRT, same(), a, List.of(a));
    }

    /** {@code a[i] / values[i]}; the caller holds the results. */
    public static List<TensorImpl> div(List<TensorImpl> a, double[] values) {
        return fresh(ElementOp.DIV_SCALAR, each(values), a, List.of(a));
    }

    /** {@code -a}; the caller holds the results. */
    public static List<TensorImpl> neg(List<TensorImpl> a) {
        return fresh(ElementOp.NEG, same(), a, List.of(a));
    }

    /** Copies; the caller holds the results. */
    public static List<TensorImpl> copy(List<TensorImpl> a) {
        return fresh(ElementOp.COPY, same(), a, List.of(a));
    }

    /**
     * The Euclidean norm of each, all of one dtype; the caller holds them. As in PyTorch every tensor is cut into chunks,
     * whose sums meet in one buffer that lives while the norms are computed.
     */
    public static List<TensorImpl> norms(List<TensorImpl> a) {
        TensorImpl first = a.getFirst();
        long partialSums = GradientNorms.partialSums(a.stream().map(TensorImpl::count).toList());
        List<TensorImpl> norms = new ArrayList<>(a.size());
        DType sums = first.dtype().bytes() < Float.BYTES ? DType.FLOAT32 : first.dtype();
        TensorImpl parts = first.device().isCuda() ? TensorImpl.empty(first.device(), sums, partialSums) : null;
        try {
            for (TensorImpl t : a) {
                norms.add(TensorImpl.empty(t.device(), t.dtype()));
            }
            for (int i = 0; i < norms.size(); i++) {
                EuclideanNorm.normInto(norms.get(i), a.get(i));
            }
            norms.forEach(TensorImpl::retain);
            return norms;
        } finally {
            if (parts != null) {
                parts.release();
            }
            release(norms);
        }
    }

    /** An unfilled tensor of that form; the caller holds it. */
    public static TensorImpl emptyLike(TensorImpl t) {
        return TensorImpl.emptyStrided(t.device(), t.dtype(), t.shape(), Strides.like(t));
    }

    /** One more hold on each; returns them. */
    public static List<TensorImpl> retain(List<TensorImpl> list) {
        list.forEach(TensorImpl::retain);
        return List.copyOf(list);
    }

    /** Lets a list go, the last first: the order in which Python empties a list. */
    public static void release(List<TensorImpl> list) {
        for (int i = list.size() - 1; i >= 0; i--) {
            list.get(i).release();
        }
    }

    private static double[][] same(double... scalars) {
        return new double[][]{scalars};
    }

    private static double[][] each(double[] values) {
        double[][] rows = new double[values.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new double[]{values[i]};
        }
        return rows;
    }

    private static List<TensorImpl> fresh(ElementOp op, double[][] scalars, List<TensorImpl> like,
            List<List<TensorImpl>> inputs) {
        if (SparseSteps.anySparse(inputs)) {
            return SparseSteps.fresh(op, scalars, like.size(), inputs);
        }
        List<TensorImpl> results = new ArrayList<>(like.size());
        try {
            for (TensorImpl t : like) {
                results.add(emptyLike(t));
                results.getLast().storage().kind(Kind.TEMPORARY);
            }
            launch(op, scalars, results, inputs);
            return results;
        } catch (RuntimeException e) {
            release(results);
            throw e;
        }
    }

    private static void into(ElementOp op, double[][] scalars, List<TensorImpl> outs,
            List<List<TensorImpl>> inputs) {
        if (outs.stream().anyMatch(TensorImpl::isSparse) || SparseSteps.anySparse(inputs)) {
            SparseSteps.into(op, scalars, outs, inputs);
            return;
        }
        launch(op, scalars, outs, inputs);
        outs.forEach(t -> t.bumpVersion());
    }

    private static void launch(ElementOp op, double[][] scalars, List<TensorImpl> outs,
            List<List<TensorImpl>> inputs) {
        if (outs.isEmpty()) {
            return;
        }
        Operand[] targets = new Operand[outs.size()];
        Operand[][] sources = new Operand[targets.length][inputs.size()];
        for (int t = 0; t < targets.length; t++) {
            TensorImpl out = outs.get(t);
            targets[t] = out.operand();
            for (int i = 0; i < sources[t].length; i++) {
                TensorImpl in = inputs.get(i).get(t);
                sources[t][i] = in == out ? targets[t] : in.operand(out.shape());
            }
        }
        TensorImpl first = outs.getFirst();
        first.driver().kernels().foreach(op, scalars, targets, sources, first.stream());
    }
}
