package io.vramlab.tensor;

import io.vramlab.tensor.ops.index.Indexing;
import io.vramlab.tensor.ops.index.Lookup;
import io.vramlab.tensor.ops.index.MaskedElements;
import io.vramlab.tensor.ops.index.ScatterReduce;
import io.vramlab.tensor.ops.index.Scatters;
import io.vramlab.tensor.ops.index.Slice;
import io.vramlab.tensor.ops.pointwise.Selection;
import io.vramlab.tensor.ops.random.Draws;
import io.vramlab.tensor.values.NonZero;

/** {@link Tensor}'s elements by index: Python's brackets, gather and scatter. */
abstract class IndexMethods extends ShapeMethods {

    /**
     * Python's {@code this[items]}: a whole number takes one of a dimension, a slice ({@code "2:5"}, {@code
     * "::2"}, {@code ":"}, {@link Slice}) a part of it, null adds a dimension, {@code "..."} stands for all
     * between; these give a view. A tensor of int64 or bool, or an array of long, takes those elements: a copy.
     */
    public Tensor index(Object... items) {
        return map(a -> Indexing.get(a, Calls.items(items)));
    }

    /** The slices of a dimension that an int64 vector names. */
    public Tensor indexSelect(int dim, Tensor index) {
        return with(index, (a, i) -> Scatters.indexSelect(a, dim, i));
    }

    /** {@code this[… index[…] …]} along a dimension; index is int64 of this rank. */
    public Tensor gather(int dim, Tensor index) {
        return with(index, (a, i) -> Lookup.gather(a, dim, i));
    }

    /** As gather, with an index that is broadcast. */
    public Tensor takeAlongDim(Tensor index, int dim) {
        return with(index, (a, i) -> Scatters.takeAlongDim(a, i, dim));
    }

    /** Elements by their row-major positions. */
    public Tensor take(Tensor index) {
        return with(index, Scatters::take);
    }

    /** A copy with elements at row-major positions replaced or added to. */
    public Tensor put(Tensor index, Tensor source, boolean accumulate) {
        return with(x -> Scatters.put(x[0], x[1], x[2], accumulate), index, source);
    }

    /** A copy with {@code [… index[…] …] = source[…]} along a dimension. */
    public Tensor scatter(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.scatter(x[0], dim, x[1], x[2]), index, source);
    }

    /** A copy with {@code [… index[…] …] = value} along a dimension. */
    public Tensor scatter(int dim, Tensor index, double value) {
        return with(index, (a, i) -> Scatters.scatter(a, dim, i, value));
    }

    /** A copy with {@code [… index[…] …] += source[…]} along a dimension. */
    public Tensor scatterAdd(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.scatterAdd(x[0], dim, x[1], x[2]), index, source);
    }

    /**
     * A copy with source's elements joined to those that index names, by "sum", "prod", "mean", "amax" or "amin".
     */
    public Tensor scatterReduce(int dim, Tensor index, Tensor source, String reduce) {
        return with(x -> ScatterReduce.of(x[0], dim, x[1], x[2], reduce), index, source);
    }

    /** A copy with slices of source added to those that index names. */
    public Tensor indexAdd(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.indexAdd(x[0], dim, x[1], x[2], 1), index, source);
    }

    /** A copy with alpha times slices of source added to those that index names. */
    public Tensor indexAdd(int dim, Tensor index, Tensor source, double alpha) {
        return with(x -> Scatters.indexAdd(x[0], dim, x[1], x[2], alpha), index, source);
    }

    /** A copy with slices of source in the place of those that index names. */
    public Tensor indexCopy(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.indexCopy(x[0], dim, x[1], x[2]), index, source);
    }

    /** A copy with the slices that index names filled. */
    public Tensor indexFill(int dim, Tensor index, double value) {
        return with(index, (a, i) -> Scatters.indexFill(a, dim, i, value));
    }

    /** A copy with {@code [indices] = values}. */
    public Tensor indexPut(Tensor[] indices, Tensor values) {
        return indexPut(indices, values, false);
    }

    /** A copy with {@code [indices] = values}, or += where places may repeat. */
    public Tensor indexPut(Tensor[] indices, Tensor values, boolean accumulate) {
        return with(values, (a, v) -> Indexing.putInto(a, Calls.impls(indices), v, accumulate));
    }

    /** The elements where mask is true, flat. Their number is known once the device was waited for. */
    public Tensor maskedSelect(Tensor mask) {
        return with(mask, MaskedElements::select);
    }

    /** A copy with elements of source, one after another, where mask is true. */
    public Tensor maskedScatter(Tensor mask, Tensor source) {
        return with(x -> MaskedElements.scatter(x[0], x[1], x[2]), mask, source);
    }

    /**
     * Where elements are not zero: [number, rank] of int64. Their number is known once the device was waited for.
     */
    public Tensor nonzero() {
        return map(NonZero::of);
    }

    /**
     * Where elements are not zero: one int64 vector for each dimension, Python's {@code nonzero(as_tuple=True)}.
     */
    public Tensor[] nonzeroTuple() {
        return several(x -> NonZero.columns(x[0]));
    }

    /** Where elements are not zero: [number, rank] of int64. */
    public Tensor argwhere() {
        return map(NonZero::of);
    }

    /** Where it is true, as {@link #nonzeroTuple}. */
    public static Tensor[] where(Tensor condition) {
        return condition.nonzeroTuple();
    }

    /** condition ? a : b, element by element. */
    public static Tensor where(Tensor condition, Tensor a, double b) {
        return Calls.call(x -> Selection.where(x[0], x[1], b), condition, a);
    }

    /** condition ? a : b, element by element. */
    public static Tensor where(Tensor condition, double a, Tensor b) {
        return Calls.call(x -> Selection.where(x[0], a, x[1]), condition, b);
    }

    /** condition ? a : b, element by element, as float32. */
    public static Tensor where(Tensor condition, double a, double b) {
        return Calls.call(x -> Selection.where(x[0], a, b), condition);
    }

    /** So many different column numbers of each row, by the row's weights. */
    public Tensor multinomial(long samples) {
        return multinomial(samples, false);
    }

    /** So many column numbers of each row, by the row's weights. */
    public Tensor multinomial(long samples, boolean replacement) {
        return map(a -> Draws.multinomial(a, samples, replacement));
    }

    /** 1 with the probability that each element says. */
    public Tensor bernoulli() {
        return map(Draws::bernoulli);
    }

    /** How often something happens that happens that often on average. */
    public static Tensor poisson(Tensor rates) {
        return Calls.call(x -> Draws.poisson(x[0]), rates);
    }

    /** Normal values of those means and standard deviations. */
    public static Tensor normal(Tensor mean, Tensor std) {
        return Calls.call(x -> Draws.normal(x[0], x[1]), mean, std);
    }
}
