package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.core.Copies;
import io.vramlab.tensor.core.Factories;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.index.Creation;
import io.vramlab.tensor.ops.random.Draws;

/** More of {@link Tensor}'s creation functions. float32 on the current device unless the options say otherwise. */
abstract class CreatingMethods extends IndexMethods {

    /** So many numbers from start to end, both among them. */
    public static Tensor linspace(double start, double end, long steps) {
        return linspace(TensorOptions.defaults(), start, end, steps);
    }

    /** So many numbers from start to end, both among them. */
    public static Tensor linspace(TensorOptions options, double start, double end, long steps) {
        return Tensor.make(options, p -> Creation.linspace(p.device(), p.dtype(), start, end, steps));
    }

    /** So many powers of 10 from 10 to the start to 10 to the end. */
    public static Tensor logspace(double start, double end, long steps) {
        return logspace(TensorOptions.defaults(), start, end, steps, 10);
    }

    /** So many powers of a base. */
    public static Tensor logspace(TensorOptions options, double start, double end, long steps, double base) {
        return Tensor.make(options, p -> Creation.logspace(p.device(), p.dtype(), start, end, steps, base));
    }

    /** The identity matrix. */
    public static Tensor eye(long n) {
        return eye(TensorOptions.defaults(), n, n);
    }

    /** Ones on the diagonal. */
    public static Tensor eye(long rows, long columns) {
        return eye(TensorOptions.defaults(), rows, columns);
    }

    /** Ones on the diagonal. */
    public static Tensor eye(TensorOptions options, long rows, long columns) {
        return Tensor.make(options, p -> Creation.eye(p.device(), p.dtype(), rows, columns));
    }

    /** start, start + 1, … end - 1. int64. */
    public static Tensor arange(long start, long end) {
        return Tensor.arange(TensorOptions.of(DType.INT64), start, end, 1);
    }

    /** start, start + step, … below end. int64. */
    public static Tensor arange(long start, long end, long step) {
        return Tensor.arange(TensorOptions.of(DType.INT64), start, end, step);
    }

    /** start, start + step, … below end. */
    public static Tensor arange(double start, double end, double step) {
        return Tensor.arange(TensorOptions.defaults(), start, end, step);
    }

    /** Row and column numbers of the lower triangle, [2, many] of int64. */
    public static Tensor trilIndices(long rows, long columns) {
        return trilIndices(rows, columns, 0);
    }

    /** Row and column numbers of the lower triangle up to a diagonal. */
    public static Tensor trilIndices(long rows, long columns, long offset) {
        return Tensor.make(TensorOptions.of(DType.INT64),
                p -> Creation.triangle(p.device(), rows, columns, offset, false));
    }

    /** Row and column numbers of the upper triangle, [2, many] of int64. */
    public static Tensor triuIndices(long rows, long columns) {
        return triuIndices(rows, columns, 0);
    }

    /** Row and column numbers of the upper triangle from a diagonal. */
    public static Tensor triuIndices(long rows, long columns, long offset) {
        return Tensor.make(TensorOptions.of(DType.INT64),
                p -> Creation.triangle(p.device(), rows, columns, offset, true));
    }

    /** 0 … n - 1 in random order, as int64. */
    public static Tensor randperm(long n) {
        return Tensor.make(TensorOptions.of(DType.INT64), p -> Creation.randperm(p.device(), p.dtype(), n));
    }

    /** Normal values. */
    public static Tensor normal(double mean, double std, long... shape) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Factories.random(RandomOp.NORMAL, p.device(), p.dtype(), mean, std, shape));
    }

    /** 0.5 - 0.5 cos(2 pi i / length). */
    public static Tensor hannWindow(long length) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Creation.cosineWindow(p.device(), p.dtype(), length, true, 0.5));
    }

    /** 0.54 - 0.46 cos(2 pi i / length). */
    public static Tensor hammingWindow(long length) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Creation.cosineWindow(p.device(), p.dtype(), length, true, 0.54));
    }

    /** One number without dimensions. */
    public static Tensor scalarTensor(double value) {
        return Tensor.full(value);
    }

    /** One value everywhere, of this shape, dtype and device. */
    public Tensor fullLike(double value) {
        return map(a -> Factories.fullLike(a, value));
    }

    /** Uniform values in [0, 1) of this shape, dtype and device. */
    public Tensor randLike() {
        return map(a -> Draws.like(a, x -> Factories.fillRandom(RandomOp.UNIFORM, x, 0, 1)));
    }

    /** Whole numbers in [0, high) of this shape, dtype and device. */
    public Tensor randintLike(long high) {
        return randintLike(0, high);
    }

    /** Whole numbers in [low, high) of this shape, dtype and device. */
    public Tensor randintLike(long low, long high) {
        return map(a -> Draws.like(a, x -> Factories.fillRandom(RandomOp.INTEGERS, x, low, high)));
    }

    /** Zeros of this dtype and device. */
    public Tensor newZeros(long... shape) {
        return newFull(0, shape);
    }

    /** Ones of this dtype and device. */
    public Tensor newOnes(long... shape) {
        return newFull(1, shape);
    }

    /** One value everywhere, of this dtype and device. */
    public Tensor newFull(double value, long... shape) {
        return map(a -> Factories.full(a.device(), a.dtype(), value, shape));
    }

    /** An unfilled tensor of this dtype and device. */
    public Tensor newEmpty(long... shape) {
        return map(a -> TensorImpl.empty(a.device(), a.dtype(), shape));
    }

    /** Zeros of a tensor's shape, dtype and device. */
    public static Tensor zerosLike(Tensor like) {
        return like.zerosLike();
    }

    /** Ones of a tensor's shape, dtype and device. */
    public static Tensor onesLike(Tensor like) {
        return like.onesLike();
    }

    /** An unfilled tensor of a tensor's shape, dtype and device. */
    public static Tensor emptyLike(Tensor like) {
        return like.emptyLike();
    }

    /** One value everywhere, of a tensor's shape, dtype and device. */
    public static Tensor fullLike(Tensor like, double value) {
        return like.fullLike(value);
    }

    /** Uniform values of a tensor's shape, dtype and device. */
    public static Tensor randLike(Tensor like) {
        return like.randLike();
    }

    /** Normal values of a tensor's shape, dtype and device. */
    public static Tensor randnLike(Tensor like) {
        return like.randnLike();
    }

    /** As int32. */
    public Tensor toInt() {
        return map(a -> Copies.to(a, a.device(), DType.INT32));
    }

    /** As bool. */
    public Tensor toBool() {
        return map(a -> Copies.to(a, a.device(), DType.BOOL));
    }
}
