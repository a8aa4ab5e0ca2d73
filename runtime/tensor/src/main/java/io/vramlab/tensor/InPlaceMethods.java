package io.vramlab.tensor;

import io.vramlab.tensor.ops.index.Indexing;
import io.vramlab.tensor.ops.index.MaskedElements;
import io.vramlab.tensor.ops.index.Scatters;
import io.vramlab.tensor.ops.pointwise.InPlace;
import io.vramlab.tensor.ops.pointwise.MoreInPlace;
import io.vramlab.tensor.ops.random.Draws;

/** More of {@link Tensor}'s operations in place; each returns the tensor itself. */
abstract class InPlaceMethods extends MathMethods {

    /** this += value. */
    public Tensor add_(long value) {
        return change(a -> InPlace.add(a, (double) value));
    }

    /** this -= alpha * other. */
    public Tensor sub_(Tensor other, double alpha) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, -alpha));
    }

    /** To a power. */
    public Tensor pow_(double exponent) {
        return change(a -> MoreInPlace.pow(a, exponent));
    }

    /** Times itself. */
    public Tensor square_() {
        return change(a -> MoreInPlace.pow(a, 2));
    }

    /** -this. */
    public Tensor neg_() {
        return change(MoreInPlace::neg);
    }

    /** Magnitude. */
    public Tensor abs_() {
        return change(MoreInPlace::abs);
    }

    /** Sine. */
    public Tensor sin_() {
        return change(MoreInPlace::sin);
    }

    /** Cosine. */
    public Tensor cos_() {
        return change(MoreInPlace::cos);
    }

    /** Natural logarithm. */
    public Tensor log_() {
        return change(MoreInPlace::log);
    }

    /** Square root. */
    public Tensor sqrt_() {
        return change(InPlace::sqrt);
    }

    /** 1 / square root. */
    public Tensor rsqrt_() {
        return change(MoreInPlace::rsqrt);
    }

    /** 1 / this. */
    public Tensor reciprocal_() {
        return change(MoreInPlace::reciprocal);
    }

    /** Rounded down. */
    public Tensor floor_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.FLOOR, "FloorBackward0", a));
    }

    /** Rounded up. */
    public Tensor ceil_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.CEIL, "CeilBackward0", a));
    }

    /** Rounded, halves to even. */
    public Tensor round_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.ROUND, "RoundBackward0", a));
    }

    /** Without the fraction. */
    public Tensor trunc_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.TRUNC, "TruncBackward0", a));
    }

    /** At least min. */
    public Tensor clampMin_(double min) {
        return change(a -> InPlace.clamp(a, min, Double.POSITIVE_INFINITY));
    }

    /** At most max. */
    public Tensor clampMax_(double max) {
        return change(a -> InPlace.clamp(a, Double.NEGATIVE_INFINITY, max));
    }

    /** this += weight (end - this). */
    public Tensor lerp_(Tensor end, double weight) {
        return changeBy(end, (a, b) -> MoreInPlace.lerp(a, b, weight));
    }

    /** this += x y. */
    public Tensor addcmul_(Tensor x, Tensor y) {
        return addcmul_(x, y, 1);
    }

    /** this += value x y. */
    public Tensor addcmul_(Tensor x, Tensor y, double value) {
        return change(a -> MoreInPlace.addcmul(a, x.impl(), y.impl(), value));
    }

    /** this += x / y. */
    public Tensor addcdiv_(Tensor x, Tensor y) {
        return addcdiv_(x, y, 1);
    }

    /** this += value x / y. */
    public Tensor addcdiv_(Tensor x, Tensor y, double value) {
        return change(a -> MoreInPlace.addcdiv(a, x.impl(), y.impl(), value));
    }

    /** The lower triangle. */
    public Tensor tril_() {
        return tril_(0);
    }

    /** The lower triangle, up to that diagonal. */
    public Tensor tril_(long diagonal) {
        return change(a -> MoreInPlace.triangle(a, false, diagonal));
    }

    /** The upper triangle. */
    public Tensor triu_() {
        return triu_(0);
    }

    /** The upper triangle, from that diagonal. */
    public Tensor triu_(long diagonal) {
        return change(a -> MoreInPlace.triangle(a, true, diagonal));
    }

    /** Normal values with mean 0 and standard deviation 1. */
    public Tensor normal_() {
        return change(a -> InPlace.random(a, io.vramlab.device.RandomOp.NORMAL, 0, 1));
    }

    /** Uniform values in [0, 1). */
    public Tensor uniform_() {
        return change(a -> InPlace.random(a, io.vramlab.device.RandomOp.UNIFORM, 0, 1));
    }

    /** 1 with probability p, else 0. */
    public Tensor bernoulli_(double p) {
        return change(a -> Draws.bernoulli_(a, p));
    }

    /** Whole numbers in [from, to). */
    public Tensor random_(long from, long to) {
        return change(a -> Draws.random_(a, from, to));
    }

    /** Exponential values of rate 1. */
    public Tensor exponential_() {
        return exponential_(1);
    }

    /** Exponential values of that rate. */
    public Tensor exponential_(double rate) {
        return change(a -> Draws.exponential_(a, rate));
    }

    /** Cauchy values. */
    public Tensor cauchy_(double median, double sigma) {
        return change(a -> Draws.cauchy_(a, median, sigma));
    }

    /** Values whose logarithm is normal. */
    public Tensor logNormal_(double mean, double std) {
        return change(a -> Draws.logNormal_(a, mean, std));
    }

    /** Geometric values: the number of trials until the first success. */
    public Tensor geometric_(double p) {
        return change(a -> Draws.geometric_(a, p));
    }

    /** {@code this[… index[…] …] = source[…]} along a dimension; index is int64. */
    public Tensor scatter_(int dim, Tensor index, Tensor source) {
        return change(a -> Scatters.scatter_(a, dim, index.impl(), source.impl()));
    }

    /** {@code this[… index[…] …] = value} along a dimension; index is int64. */
    public Tensor scatter_(int dim, Tensor index, double value) {
        return changeBy(index, (a, i) -> Scatters.scatter_(a, dim, i, value));
    }

    /** {@code this[… index[…] …] += source[…]} along a dimension; index is int64. */
    public Tensor scatterAdd_(int dim, Tensor index, Tensor source) {
        return change(a -> Scatters.scatterAdd_(a, dim, index.impl(), source.impl()));
    }

    /** Adds slices of source to those of this that the int64 vector index names. */
    public Tensor indexAdd_(int dim, Tensor index, Tensor source) {
        return indexAdd_(dim, index, source, 1);
    }

    /** Adds alpha times slices of source to those of this that index names. */
    public Tensor indexAdd_(int dim, Tensor index, Tensor source, double alpha) {
        return change(a -> Scatters.indexAdd_(a, dim, index.impl(), source.impl(), alpha));
    }

    /** Puts slices of source in the place of those that index names. */
    public Tensor indexCopy_(int dim, Tensor index, Tensor source) {
        return change(a -> Scatters.indexCopy_(a, dim, index.impl(), source.impl()));
    }

    /** Fills the slices that index names. */
    public Tensor indexFill_(int dim, Tensor index, double value) {
        return changeBy(index, (a, i) -> Scatters.indexFill_(a, dim, i, value));
    }

    /** Puts elements at row-major positions. */
    public Tensor put_(Tensor index, Tensor source) {
        return put_(index, source, false);
    }

    /** Puts elements at row-major positions, or adds them there. */
    public Tensor put_(Tensor index, Tensor source, boolean accumulate) {
        return change(a -> Scatters.put_(a, index.impl(), source.impl(), accumulate));
    }

    /** Elements of source, one after another, where mask is true. */
    public Tensor maskedScatter_(Tensor mask, Tensor source) {
        return change(a -> MaskedElements.scatter_(a, mask.impl(), source.impl()));
    }

    /** Python's {@code this[items] = value}; see {@link Tensor#index} for the items. */
    public Tensor set(double value, Object... items) {
        return change(a -> Indexing.set(a, value, Calls.items(items)));
    }

    /** Python's {@code this[items] = value}, the value broadcast; see {@link Tensor#index} for the items. */
    public Tensor set(Tensor value, Object... items) {
        return changeBy(value, (a, v) -> Indexing.set(a, v, Calls.items(items)));
    }

    /** {@code this[indices] = values}; one index for each dimension, null for all of it. */
    public Tensor indexPut_(Tensor[] indices, Tensor values) {
        return indexPut_(indices, values, false);
    }

    /** {@code this[indices] = values}, or += where places may repeat. */
    public Tensor indexPut_(Tensor[] indices, Tensor values, boolean accumulate) {
        return change(a -> Indexing.put(a, Calls.impls(indices), values.impl(), accumulate));
    }
}
