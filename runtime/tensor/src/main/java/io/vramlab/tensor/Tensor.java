package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.device.Stream;
import io.vramlab.tensor.core.AutocastMode;
import io.vramlab.tensor.core.AutogradException;
import io.vramlab.tensor.core.Copies;
import io.vramlab.tensor.core.Factories;
import io.vramlab.tensor.core.Generator;
import io.vramlab.tensor.core.Graph;
import io.vramlab.tensor.core.Launch;
import io.vramlab.tensor.core.MemoryFormat;
import io.vramlab.tensor.core.SavedTensorHooks;
import io.vramlab.tensor.core.Storage;
import io.vramlab.tensor.core.Strides;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.engine.BackwardEngine;
import io.vramlab.tensor.ops.matrix.MatrixOps;
import io.vramlab.tensor.ops.pointwise.Elementwise;
import io.vramlab.tensor.ops.pointwise.InPlace;
import io.vramlab.tensor.ops.pointwise.Pointwise;
import io.vramlab.tensor.ops.pointwise.Selection;
import io.vramlab.tensor.ops.reduce.Reductions;
import io.vramlab.tensor.ops.view.MemoryOrder;
import io.vramlab.tensor.ops.view.Views;
import io.vramlab.tensor.values.Elements;
import io.vramlab.tensor.values.TensorText;
import io.vramlab.tensor.values.Values;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A multi-dimensional array on a device, with PyTorch's operations in Java's spelling ({@code add_} is {@code add_},
 * {@code requires_grad} is {@code requiresGrad}). Each object is one handle on the array: {@link #close} lets it go, and
 * the memory is free once no handle, view or graph node holds it. A handle that is dropped unclosed is let go when the
 * collector finds it; inside a {@link Scope} it is closed with the scope.
 *
 * <p>
 * Shapes are in elements, outermost dimension first; dimensions may be counted from the back with negative numbers.
 * Operations throw {@link TensorException} for arguments that do not fit, {@link AutogradException} for what
 * differentiation forbids, and {@link io.vramlab.memory.OutOfMemoryException} when the device is full; in all cases
 * memory is as before the call.
 */
public class Tensor extends CreatingMethods implements AutoCloseable {

    private final Handle handle;

    /** Takes over the caller's hold. */
    protected Tensor(TensorImpl impl) {
        handle = new Handle(this, impl);
        Scope.register(handle);
    }

    /** A handle on what an operation made; takes over the caller's hold. */
    public static Tensor wrap(TensorImpl impl) {
        SavedTensorHooks hooks = SavedTensorHooks.current();
        if (hooks != null) {
            try {
                hooks.made(impl);
            } catch (RuntimeException e) {
                impl.release();
                throw e;
            }
        }
        return new Tensor(impl);
    }

    Handle handle() {
        return handle;
    }

    /**
     * What this is a handle to, borrowed: for the runtime's own operations.
     *
     * @throws TensorException
     *             after {@link #close}
     */
    @Override
    public TensorImpl impl() {
        if (handle.isClosed()) {
            throw new TensorException("Tensor #" + handle.id + ", " + handle.told()
                    + ", was used after it was closed: close it later, keep it with scope.keep(...), or make it anew.");
        }
        return handle.impl;
    }

    /** Lets the array go. Idempotent. */
    @Override
    public void close() {
        handle.close();
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return handle.isClosed();
    }

    static Tensor make(TensorOptions o, Function<TensorOptions, TensorImpl> factory) {
        TensorImpl impl = factory.apply(o);
        if (o.requiresGrad()) {
            impl.requiresGrad(true);
        }
        return wrap(impl);
    }

    // ---- making ----

    /** Whatever the memory held. float32 on the current device. */
    public static Tensor empty(long... shape) {
        return empty(TensorOptions.defaults(), shape);
    }

    /** Whatever the memory held. */
    public static Tensor empty(TensorOptions options, long... shape) {
        return make(options, p -> TensorImpl.empty(p.device(), p.dtype(), shape));
    }

    /** Zeros. float32 on the current device. */
    public static Tensor zeros(long... shape) {
        return zeros(TensorOptions.defaults(), shape);
    }

    /** Zeros. */
    public static Tensor zeros(TensorOptions options, long... shape) {
        return make(options, p -> Factories.full(p.device(), p.dtype(), 0, shape));
    }

    /** Ones. float32 on the current device. */
    public static Tensor ones(long... shape) {
        return ones(TensorOptions.defaults(), shape);
    }

    /** Ones. */
    public static Tensor ones(TensorOptions options, long... shape) {
        return make(options, p -> Factories.full(p.device(), p.dtype(), 1, shape));
    }

    /** Normal with mean 0 and standard deviation 1. float32 on the current device. */
    public static Tensor randn(long... shape) {
        return randn(TensorOptions.defaults(), shape);
    }

    /** Normal with mean 0 and standard deviation 1. */
    public static Tensor randn(TensorOptions options, long... shape) {
        return make(options, p -> Factories.random(RandomOp.NORMAL, p.device(), p.dtype(), 0, 1, shape));
    }

    /** Uniform in [0, 1). float32 on the current device. */
    public static Tensor rand(long... shape) {
        return rand(TensorOptions.defaults(), shape);
    }

    /** Uniform in [0, 1). */
    public static Tensor rand(TensorOptions options, long... shape) {
        return make(options, p -> Factories.random(RandomOp.UNIFORM, p.device(), p.dtype(), 0, 1, shape));
    }

    /** One value everywhere. float32 on the current device. */
    public static Tensor full(double value, long... shape) {
        return full(TensorOptions.defaults(), value, shape);
    }

    /** One value everywhere. */
    public static Tensor full(TensorOptions options, double value, long... shape) {
        return make(options, p -> Factories.full(p.device(), p.dtype(), value, shape));
    }

    /** Whole numbers in [low, high). int64 on the current device. */
    public static Tensor randint(long low, long high, long... shape) {
        return randint(TensorOptions.of(DType.INT64), low, high, shape);
    }

    /** Whole numbers in [low, high). */
    public static Tensor randint(TensorOptions options, long low, long high, long... shape) {
        return make(options, p -> Factories.random(RandomOp.INTEGERS, p.device(), p.dtype(), low, high, shape));
    }

    /** 0, 1, … end - 1. int64 on the current device. */
    public static Tensor arange(long end) {
        return arange(TensorOptions.of(DType.INT64), 0, end, 1);
    }

    /** start, start + step, … below end. */
    public static Tensor arange(TensorOptions options, double start, double end, double step) {
        return make(options, p -> Factories.arange(p.device(), p.dtype(), start, end, step));
    }

    /** A vector of those values. float32 on the current device. */
    public static Tensor of(float... values) {
        return of(TensorOptions.defaults(), values, values.length);
    }

    /** A vector of those values. float64 on the current device. */
    public static Tensor of(double... values) {
        return of(TensorOptions.of(DType.FLOAT64), values, values.length);
    }

    /** A vector of those values. int64 on the current device. */
    public static Tensor of(long... values) {
        return of(TensorOptions.of(DType.INT64), values, values.length);
    }

    /** A vector of those values. bool on the current device. */
    public static Tensor of(boolean... values) {
        return wrap(FlatArrays.of(values));
    }

    /** A matrix of those rows. float32 on the current device. */
    public static Tensor of(float[]... rows) {
        return wrap(FlatArrays.of(rows));
    }

    /**
     * The values of a nested array in its shape, as {@link #toArray()} gives them: {@code Tensor.ofNested(new
     * double[][][]{...})}. The dtype is the array's: float32, float64, int64, int32 or bool. On the current device.
     *
     * @param nested
     *            arrays of arrays, those of one dimension equally long; or a boxed number
     * @throws TensorException
     *             for arrays of different lengths, or of other elements
     */
    public static Tensor ofNested(Object nested) {
        return wrap(Nested.tensor(TensorOptions.defaults(), null, nested));
    }

    /** The values of a nested array in its shape, converted to the options' dtype; see {@link #ofNested(Object)}. */
    public static Tensor ofNested(TensorOptions options, Object nested) {
        return make(options, p -> Nested.tensor(p, p.dtype(), nested));
    }

    /** Those values in row-major order, converted to the options' dtype. */
    public static Tensor of(TensorOptions options, float[] values, long... shape) {
        return make(options, p -> FlatArrays.of(p, DType.FLOAT32, MemorySegment.ofArray(values), values.length, shape));
    }

    /** Those values in row-major order, converted to the options' dtype. */
    public static Tensor of(TensorOptions options, double[] values, long... shape) {
        return make(options, p -> FlatArrays.of(p, DType.FLOAT64, MemorySegment.ofArray(values), values.length, shape));
    }

    /** Those values in row-major order, converted to the options' dtype. */
    public static Tensor of(TensorOptions options, long[] values, long... shape) {
        return make(options, p -> FlatArrays.of(p, DType.INT64, MemorySegment.ofArray(values), values.length, shape));
    }

    /** Seeds the generators of all devices, as torch.manual_seed. */
    public static void manualSeed(long seed) {
        Generator.manualSeedAll(seed);
    }

    /** The seed of the current device's generator. */
    public static long initialSeed() {
        return Generator.of(Device.current()).initialSeed();
    }

    /** Zeros of this shape, dtype and device. */
    public Tensor zerosLike() {
        return map(Factories::zerosLike);
    }

    /** Ones of this shape, dtype and device. */
    public Tensor onesLike() {
        return map(a -> Factories.fullLike(a, 1));
    }

    /** An unfilled tensor of this shape, dtype and device. */
    public Tensor emptyLike() {
        return map(a -> TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.preserving(a)));
    }

    /** Normal values of this shape, dtype and device. */
    public Tensor randnLike() {
        return map(a -> Factories.random(RandomOp.NORMAL, a.device(), a.dtype(), 0, 1, a.shape()));
    }

    // ---- what it is ----

    /** Sizes. */
    public long[] shape() {
        return read(a -> a.shape().clone());
    }

    /** Size of one dimension. */
    public long size(int dim) {
        return read(a -> a.size(dim));
    }

    /** Strides in elements. */
    public long[] strides() {
        return read(a -> a.strides().clone());
    }

    /** Number of dimensions. */
    public int dim() {
        return read(TensorImpl::rank);
    }

    /** Number of elements. */
    public long numel() {
        return read(TensorImpl::count);
    }

    /** Element type. */
    public DType dtype() {
        return read(TensorImpl::dtype);
    }

    /** The device. */
    public Device device() {
        return read(TensorImpl::device);
    }

    /** Bytes per element. */
    public int elementSize() {
        return read(a -> a.dtype().bytes());
    }

    /** Elements times their size: what a contiguous copy would take. */
    public long nbytes() {
        return read(a -> a.count() * a.dtype().bytes());
    }

    /** The memory behind it. */
    public Storage storage() {
        return read(TensorImpl::storage);
    }

    /** Device address of the first element. */
    public long dataPtr() {
        return read(a -> a.operand().address());
    }

    /** True when elements lie one after another in row-major order. */
    public boolean isContiguous() {
        return read(TensorImpl::isContiguous);
    }

    /** True on a GPU, real or not. */
    public boolean isCuda() {
        return read(a -> a.device().isCuda());
    }

    /** True for page-locked host memory. */
    public boolean isPinned() {
        return read(a -> a.storage().isPinned());
    }

    /** How often the storage was written in place. */
    public int version() {
        return read(a -> a.storage().version());
    }

    /** Keeps the memory from being reused before what that stream has queued is done. */
    public void recordStream(Stream stream) {
        change(a -> a.storage().recordStream(stream));
    }

    // ---- reading values back ----

    /**
     * The one element as a double, for bool 0 or 1.
     *
     * @throws TensorException
     *             if there is not exactly one element, or it is a whole number that no double holds
     */
    public double item() {
        return read(a -> Elements.real(Elements.only(a)));
    }

    /**
     * The one element as a whole number, exactly; a fraction is cut off.
     *
     * @throws TensorException
     *             if there is not exactly one element, or it is NaN or infinite
     */
    public long itemLong() {
        return read(a -> Elements.whole(Elements.only(a)));
    }

    /**
     * The one element as a truth value: false for zero only.
     *
     * @throws TensorException
     *             if there is not exactly one element
     */
    public boolean itemBoolean() {
        return read(a -> Elements.truth(Elements.only(a)));
    }

    /**
     * One element as a double, for instance {@code matrix.get(0, -1)}: the last of the first row.
     *
     * @param index
     *            one index for each dimension, from the back when negative
     * @throws TensorException
     *             for another number of indices, one that is out of bounds, or a whole number that no double holds
     */
    public double get(long... index) {
        return read(a -> Elements.real(Elements.at(a, index)));
    }

    /** One element as a whole number, exactly; see {@link #get} and {@link #itemLong}. */
    public long getLong(long... index) {
        return read(a -> Elements.whole(Elements.at(a, index)));
    }

    /**
     * The elements as a Java array in the tensor's shape: of shape [2, 3] a {@code float[2][3]}, of one without dimensions
     * a boxed number. Elements are {@code float} for float32, float16 and bfloat16, {@code double} for float64, {@code long}
     * for int64, {@code int} for int32 and uint8, {@code boolean} for bool, so that each holds its value exactly.
     */
    public Object toArray() {
        return read(Nested::of);
    }

    /**
     * As {@link #toArray()}, as that type: {@code float[][] rows = x.toArray(float[][].class)}.
     *
     * @throws TensorException
     *             if the tensor's array is of another type
     */
    public <A> A toArray(Class<A> type) {
        Object array = read(a -> Nested.of(a, type));
        return type.cast(array);
    }

    /** All elements in row-major order. */
    public float[] toFloatArray() {
        return read(Values::floats);
    }

    /** All elements in row-major order. */
    public double[] toDoubleArray() {
        return read(Values::read);
    }

    /** All elements in row-major order; NaN and infinities are refused. */
    public long[] toLongArray() {
        return read(Values::longs);
    }

    /**
     * What {@link #toString} shows.
     *
     * @throws TensorException
     *             after {@link #close}
     * @throws io.vramlab.device.DeviceException
     *             if the device cannot be read
     */
    public String values() {
        return read(TensorText::of);
    }

    /** dtype, shape and device. Never touches the device. */
    public String describe() {
        return handle.impl.describe();
    }

    // ---- arithmetic ----

    /** this + other. */
    public Tensor add(Tensor other) {
        return add(other, 1);
    }

    /** this + alpha * other. */
    public Tensor add(Tensor other, double alpha) {
        return with(other, (a, b) -> Elementwise.add(a, b, alpha));
    }

    /** this - other. */
    public Tensor sub(Tensor other) {
        return sub(other, 1);
    }

    /** this - alpha * other. */
    public Tensor sub(Tensor other, double alpha) {
        return with(other, (a, b) -> Elementwise.sub(a, b, alpha));
    }

    /** this + value. */
    public Tensor add(double value) {
        return map(a -> Elementwise.add(a, value, false));
    }

    /** this + value; integers stay integers. */
    public Tensor add(long value) {
        return map(a -> Elementwise.add(a, value, true));
    }

    /** this - value. */
    public Tensor sub(double value) {
        return map(a -> Elementwise.sub(a, value, false));
    }

    /** this - value; integers stay integers. */
    public Tensor sub(long value) {
        return map(a -> Elementwise.sub(a, value, true));
    }

    /** value - this. */
    public Tensor rsub(double value) {
        return map(a -> Elementwise.rsub(a, value, false));
    }

    /** this * other. */
    public Tensor mul(Tensor other) {
        return with(other, Elementwise::mul);
    }

    /** this * value. */
    public Tensor mul(double value) {
        return map(a -> Elementwise.mul(a, value, false));
    }

    /** this * value; integers stay integers. */
    public Tensor mul(long value) {
        return map(a -> Elementwise.mul(a, value, true));
    }

    /** this / other. */
    public Tensor div(Tensor other) {
        return with(other, Elementwise::div);
    }

    /** this / value. */
    public Tensor div(double value) {
        return map(a -> Elementwise.div(a, value));
    }

    /** value / this. */
    public Tensor rdiv(double value) {
        return map(a -> Elementwise.rdiv(a, value));
    }

    /** this to the power exponent. */
    public Tensor pow(double exponent) {
        return map(a -> AutocastMode.full(x -> Pointwise.pow(x[0], exponent), a));
    }

    /** this to the power exponent. */
    public Tensor pow(Tensor exponent) {
        return with(exponent, Elementwise::pow);
    }

    /** The larger of the two. */
    public Tensor maximum(Tensor other) {
        return with(other, Elementwise::maximum);
    }

    /** The smaller of the two. */
    public Tensor minimum(Tensor other) {
        return with(other, Elementwise::minimum);
    }

    /** -this. */
    public Tensor neg() {
        return map(Pointwise::neg);
    }

    /** Magnitude. */
    public Tensor abs() {
        return map(Pointwise::abs);
    }

    /** -1, 0 or 1. */
    public Tensor sign() {
        return map(Pointwise::sign);
    }

    /** max(this, 0). */
    public Tensor relu() {
        return map(Pointwise::relu);
    }

    /** this * sigmoid(this). */
    public Tensor silu() {
        return map(Pointwise::silu);
    }

    /** 1 / (1 + exp(-this)). */
    public Tensor sigmoid() {
        return map(Pointwise::sigmoid);
    }

    /** Hyperbolic tangent. */
    public Tensor tanh() {
        return map(Pointwise::tanh);
    }

    /** e to the this. */
    public Tensor exp() {
        return map(a -> AutocastMode.full(x -> Pointwise.exp(x[0]), a));
    }

    /** Natural logarithm. */
    public Tensor log() {
        return map(a -> AutocastMode.full(x -> Pointwise.log(x[0]), a));
    }

    /** log(1 + this). */
    public Tensor log1p() {
        return map(a -> AutocastMode.full(x -> Pointwise.log1p(x[0]), a));
    }

    /** Square root. */
    public Tensor sqrt() {
        return map(Pointwise::sqrt);
    }

    /** 1 / square root. */
    public Tensor rsqrt() {
        return map(a -> AutocastMode.full(x -> Pointwise.rsqrt(x[0]), a));
    }

    /** 1 / this. */
    public Tensor reciprocal() {
        return map(a -> AutocastMode.full(x -> Pointwise.reciprocal(x[0]), a));
    }

    /** Sine. */
    public Tensor sin() {
        return map(Pointwise::sin);
    }

    /** Cosine. */
    public Tensor cos() {
        return map(Pointwise::cos);
    }

    /** Error function. */
    public Tensor erf() {
        return map(Pointwise::erf);
    }

    /** this * Phi(this), exact. */
    public Tensor gelu() {
        return map(a -> Pointwise.gelu(a, false));
    }

    /** GELU by the tanh approximation. */
    public Tensor geluTanh() {
        return map(a -> Pointwise.gelu(a, true));
    }

    /** Largest whole number not above. */
    public Tensor floor() {
        return map(a -> Pointwise.step(ElementOp.FLOOR, a));
    }

    /** Smallest whole number not below. */
    public Tensor ceil() {
        return map(a -> Pointwise.step(ElementOp.CEIL, a));
    }

    /** Nearest whole number, halves to even. */
    public Tensor round() {
        return map(a -> Pointwise.step(ElementOp.ROUND, a));
    }

    /** Limited to [min, max]; an infinite bound is none. */
    public Tensor clamp(double min, double max) {
        return map(a -> Selection.clamp(a, min, max));
    }

    /** Where this == other, as bool. */
    public Tensor eq(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.EQ, a, b));
    }

    /** Where this == value, as bool. */
    public Tensor eq(double value) {
        return map(a -> Elementwise.compare(ElementOp.EQ_SCALAR, a, value));
    }

    /** Where this != other, as bool. */
    public Tensor ne(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.NE, a, b));
    }

    /** Where this != value, as bool. */
    public Tensor ne(double value) {
        return map(a -> Elementwise.compare(ElementOp.NE_SCALAR, a, value));
    }

    /** Where this &lt; other, as bool. */
    public Tensor lt(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.LT, a, b));
    }

    /** Where this &lt; value, as bool. */
    public Tensor lt(double value) {
        return map(a -> Elementwise.compare(ElementOp.LT_SCALAR, a, value));
    }

    /** Where this &lt;= other, as bool. */
    public Tensor le(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.LE, a, b));
    }

    /** Where this &lt;= value, as bool. */
    public Tensor le(double value) {
        return map(a -> Elementwise.compare(ElementOp.LE_SCALAR, a, value));
    }

    /** Where this &gt; other, as bool. */
    public Tensor gt(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.GT, a, b));
    }

    /** Where this &gt; value, as bool. */
    public Tensor gt(double value) {
        return map(a -> Elementwise.compare(ElementOp.GT_SCALAR, a, value));
    }

    /** Where this &gt;= other, as bool. */
    public Tensor ge(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.GE, a, b));
    }

    /** Where this &gt;= value, as bool. */
    public Tensor ge(double value) {
        return map(a -> Elementwise.compare(ElementOp.GE_SCALAR, a, value));
    }

    /** This tensor's truth values and the other's. */
    public Tensor logicalAnd(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.AND, a, b));
    }

    /** This tensor's truth values or the other's. */
    public Tensor logicalOr(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.OR, a, b));
    }

    /** The opposite truth values. */
    public Tensor logicalNot() {
        return map(a -> Launch.unary(ElementOp.NOT, a, DType.BOOL));
    }

    /** Where the values are NaN, as bool. */
    public Tensor isnan() {
        return map(a -> Elementwise.compare(ElementOp.NE, a, a));
    }

    /** condition ? a : b, element by element. */
    public static Tensor where(Tensor condition, Tensor a, Tensor b) {
        try {
            return wrap(Selection.where(condition.impl(), a.impl(), b.impl()));
        } finally {
            Reference.reachabilityFence(condition);
            Reference.reachabilityFence(a);
            Reference.reachabilityFence(b);
        }
    }

    /** value where mask is true, this elsewhere. */
    public Tensor maskedFill(Tensor mask, double value) {
        return with(mask, (a, b) -> Selection.maskedFill(a, b, value));
    }

    /** The lower triangle, up to that diagonal. */
    public Tensor tril(long diagonal) {
        return map(a -> Selection.triangle(a, false, diagonal));
    }

    /** The upper triangle, from that diagonal. */
    public Tensor triu(long diagonal) {
        return map(a -> Selection.triangle(a, true, diagonal));
    }

    // ---- in place ----

    /** this += other. */
    public Tensor add_(Tensor other) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, 1));
    }

    /** this += alpha * other. */
    public Tensor add_(Tensor other, double alpha) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, alpha));
    }

    /** this += value. */
    public Tensor add_(double value) {
        return change(a -> InPlace.add(a, value));
    }

    /** this -= other. */
    public Tensor sub_(Tensor other) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, -1));
    }

    /** this -= value. */
    public Tensor sub_(double value) {
        return change(a -> InPlace.add(a, -value));
    }

    /** this *= other. */
    public Tensor mul_(Tensor other) {
        return changeBy(other, InPlace::mul);
    }

    /** this *= value. */
    public Tensor mul_(double value) {
        return change(a -> InPlace.mul(a, value));
    }

    /** this /= other. */
    public Tensor div_(Tensor other) {
        return changeBy(other, InPlace::div);
    }

    /** this /= value. */
    public Tensor div_(double value) {
        return change(a -> InPlace.div(a, value));
    }

    /** Relu in place. */
    public Tensor relu_() {
        return change(a -> InPlace.unary(ElementOp.RELU, ElementOp.RELU_BACKWARD, "ReluBackward0", a));
    }

    /** Sigmoid in place. */
    public Tensor sigmoid_() {
        return change(a -> InPlace.unary(ElementOp.SIGMOID, ElementOp.SIGMOID_BACKWARD, "SigmoidBackward0", a));
    }

    /** Tanh in place. */
    public Tensor tanh_() {
        return change(a -> InPlace.unary(ElementOp.TANH, ElementOp.TANH_BACKWARD, "TanhBackward0", a));
    }

    /** Exponential in place. */
    public Tensor exp_() {
        return change(a -> InPlace.unary(ElementOp.EXP, ElementOp.MUL, "ExpBackward0", a));
    }

    /** Zeros everywhere. */
    public Tensor zero_() {
        return fill_(0);
    }

    /** One value everywhere. */
    public Tensor fill_(double value) {
        return change(a -> InPlace.fill(a, value));
    }

    /** The other's values, from whatever device and dtype; broadcast. */
    public Tensor copy_(Tensor source) {
        return copy_(source, false);
    }

    /** As {@link #copy_(Tensor)}; with nonBlocking, a copy from page-locked memory to a device is not waited for. */
    public Tensor copy_(Tensor source, boolean nonBlocking) {
        return changeBy(source, (a, b) -> InPlace.copy(a, b, nonBlocking));
    }

    /** value where mask is true. */
    public Tensor maskedFill_(Tensor mask, double value) {
        return changeBy(mask, (a, b) -> InPlace.maskedFill(a, b, value));
    }

    /** Limited to [min, max]. */
    public Tensor clamp_(double min, double max) {
        return change(a -> InPlace.clamp(a, min, max));
    }

    /** Uniform values in [from, to). */
    public Tensor uniform_(double from, double to) {
        return change(a -> InPlace.random(a, RandomOp.UNIFORM, from, to));
    }

    /** Normal values. */
    public Tensor normal_(double mean, double std) {
        return change(a -> InPlace.random(a, RandomOp.NORMAL, mean, std));
    }

    // ---- reductions ----

    /** Sum of all elements. */
    public Tensor sum() {
        return map(a -> Reductions.sum(a, Reductions.ALL, false));
    }

    /** Sum over dimensions. */
    public Tensor sum(int... dims) {
        return map(a -> Reductions.sum(a, dims, false));
    }

    /** Sum over dimensions, kept as size 1 if asked. */
    public Tensor sum(int[] dims, boolean keepDim) {
        return map(a -> Reductions.sum(a, dims, keepDim));
    }

    /** Mean of all elements. */
    public Tensor mean() {
        return map(a -> Reductions.mean(a, Reductions.ALL, false));
    }

    /** Mean over dimensions. */
    public Tensor mean(int... dims) {
        return map(a -> Reductions.mean(a, dims, false));
    }

    /** Mean over dimensions, kept as size 1 if asked. */
    public Tensor mean(int[] dims, boolean keepDim) {
        return map(a -> Reductions.mean(a, dims, keepDim));
    }

    /** Largest element. */
    public Tensor max() {
        return map(a -> Reductions.extreme(a, true, Reductions.ALL, false));
    }

    /** Smallest element. */
    public Tensor min() {
        return map(a -> Reductions.extreme(a, false, Reductions.ALL, false));
    }

    /** Largest along dimensions. */
    public Tensor amax(int... dims) {
        return map(a -> Reductions.extreme(a, true, Reductions.named(a, dims), false));
    }

    /** Smallest along dimensions. */
    public Tensor amin(int... dims) {
        return map(a -> Reductions.extreme(a, false, Reductions.named(a, dims), false));
    }

    /** Index of the largest of all elements, as int64. */
    public Tensor argmax() {
        return map(a -> Reductions.argExtreme(a, true, Reductions.ALL, false));
    }

    /** Index of the largest along a dimension, as int64. */
    public Tensor argmax(int dim) {
        return map(a -> Reductions.argExtreme(a, true, new int[]{dim}, false));
    }

    /** Index of the smallest along a dimension, as int64. */
    public Tensor argmin(int dim) {
        return map(a -> Reductions.argExtreme(a, false, new int[]{dim}, false));
    }

    /** Whether any element is true. */
    public Tensor any() {
        return map(a -> Reductions.truth(a, false, Reductions.ALL, false));
    }

    /** Whether all elements are true. */
    public Tensor all() {
        return map(a -> Reductions.truth(a, true, Reductions.ALL, false));
    }

    /** Euclidean norm of all elements. */
    public Tensor norm() {
        return map(a -> AutocastMode.full(x -> Reductions.norm(x[0], Reductions.ALL, false), a));
    }

    /** Variance over dimensions (n - 1), all if none is named. */
    public Tensor var(int... dims) {
        return map(a -> Reductions.var(a, dims, false, 1));
    }

    // ---- matrix products ----

    /** Matrix product; leading dimensions are broadcast. */
    public Tensor matmul(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.matmul(x[0], x[1]), a, b));
    }

    /** [m, k] times [k, n]. */
    public Tensor mm(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.mm(x[0], x[1]), a, b));
    }

    /** [b, m, k] times [b, k, n]. */
    public Tensor bmm(Tensor other) {
        return with(other, (a, b) -> AutocastMode.lower(x -> MatrixOps.bmm(x[0], x[1]), a, b));
    }

    /** bias + a b, the bias broadcast. */
    public static Tensor addmm(Tensor bias, Tensor a, Tensor b) {
        try {
            return wrap(AutocastMode.lower(x -> MatrixOps.addmm(x[0], x[1], x[2]), bias.impl(), a.impl(), b.impl()));
        } finally {
            Reference.reachabilityFence(bias);
            Reference.reachabilityFence(a);
            Reference.reachabilityFence(b);
        }
    }

    // ---- views and copies ----

    /** Transpose of a matrix. */
    public Tensor t() {
        return map(Views::t);
    }

    /** Two dimensions swapped. */
    public Tensor transpose(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /** Dimensions in another order. */
    public Tensor permute(int... dims) {
        return map(a -> Views.permute(a, dims));
    }

    /** The same elements in another shape, never copied; one size may be -1. */
    public Tensor view(long... shape) {
        return map(a -> Views.view(a, shape));
    }

    /** The same elements in another shape, copied only if no view exists; one size may be -1. */
    public Tensor reshape(long... shape) {
        return map(a -> Views.reshape(a, shape));
    }

    /** All dimensions in one. */
    public Tensor flatten() {
        return flatten(0, -1);
    }

    /** A range of dimensions in one. */
    public Tensor flatten(int start, int end) {
        return map(a -> Views.flatten(a, start, end));
    }

    /** Seen in a larger shape; -1 keeps a size. */
    public Tensor expand(long... shape) {
        return map(a -> Views.expand(a, shape));
    }

    /** With a new dimension of size 1. */
    public Tensor unsqueeze(int dim) {
        return map(a -> Views.unsqueeze(a, dim));
    }

    /** Without a dimension, if its size is 1. */
    public Tensor squeeze(int dim) {
        return map(a -> Views.squeeze(a, dim));
    }

    /** Without dimensions of size 1. */
    public Tensor squeeze() {
        return map(Views::squeeze);
    }

    /** The index-th of a dimension: x[index]. */
    public Tensor select(int dim, long index) {
        return map(a -> Views.select(a, dim, index));
    }

    /** x[start:end] along a dimension. */
    public Tensor slice(int dim, long start, long end) {
        return map(a -> Views.slice(a, dim, start, end, 1));
    }

    /** x[start:end:step] along a dimension. */
    public Tensor slice(int dim, long start, long end, long step) {
        return map(a -> Views.slice(a, dim, start, end, step));
    }

    /** length elements from start along a dimension. */
    public Tensor narrow(int dim, long start, long length) {
        return map(a -> Views.narrow(a, dim, start, length));
    }

    /** The same memory outside the graph. */
    public Tensor detach() {
        return map(Views::detach);
    }

    /** A copy. */
    @Override
    public Tensor clone() {
        return map(Copies::clone);
    }

    /** This tensor's elements in row-major order: a new handle on it, or a copy. */
    public Tensor contiguous() {
        return map(Copies::contiguous);
    }

    /** In that order in memory: a new handle on this tensor if it lies so, or a copy. */
    public Tensor contiguous(MemoryFormat format) {
        return map(a -> MemoryOrder.as(a, format));
    }

    /** In that order in memory, as {@link #contiguous(MemoryFormat)}. */
    public Tensor to(MemoryFormat format) {
        return contiguous(format);
    }

    /** As another dtype: a new handle on this tensor if it is of that dtype. */
    public Tensor to(DType dtype) {
        return map(a -> Copies.to(a, a.device(), dtype));
    }

    /** On another device: a new handle on this tensor if it is there. */
    public Tensor to(Device device) {
        return map(a -> Copies.to(a, device, a.dtype()));
    }

    /** On another device as another dtype. */
    public Tensor to(Device device, DType dtype) {
        return map(a -> Copies.to(a, device, dtype));
    }

    /**
     * On another device; with nonBlocking, a copy from page-locked memory to a GPU is not waited for: the host must leave
     * the source alone until the stream has passed.
     */
    public Tensor to(Device device, boolean nonBlocking) {
        return map(a -> Copies.to(a, device, a.dtype(), nonBlocking));
    }

    /** On the current GPU, or the first one; see {@link #to(Device, boolean)}. */
    public Tensor cuda(boolean nonBlocking) {
        return to(gpu(), nonBlocking);
    }

    /** A copy in page-locked host memory, or a new handle on this if it lies there; only of CPU tensors. */
    public Tensor pinMemory() {
        return map(a -> Copies.pin(a, gpu()));
    }

    private static Device gpu() {
        return Device.current().isCuda() ? Device.current() : Device.cuda(0);
    }

    /** On the CPU. */
    public Tensor cpu() {
        return to(Device.cpu());
    }

    /** On the current GPU, or the first one. */
    public Tensor cuda() {
        return to(gpu());
    }

    /** As float16. */
    public Tensor half() {
        return to(DType.FLOAT16);
    }

    /** As bfloat16. */
    public Tensor bfloat16() {
        return to(DType.BFLOAT16);
    }

    /** As float32. */
    public Tensor toFloat() {
        return to(DType.FLOAT32);
    }

    /** As float64. */
    public Tensor toDouble() {
        return to(DType.FLOAT64);
    }

    /** As int64. */
    public Tensor toLong() {
        return to(DType.INT64);
    }

    // ---- autograd ----

    /** Whether backward passes through or accumulates into it. */
    public boolean requiresGrad() {
        return read(TensorImpl::saysRequiresGrad);
    }

    /** Makes this leaf one that backward accumulates into, or not; returns this. */
    public Tensor requiresGrad_(boolean wanted) {
        return change(a -> a.requiresGrad(wanted));
    }

    /** True when no recorded operation made it. */
    public boolean isLeaf() {
        return read(TensorImpl::isLeaf);
    }

    /** Name of the node that made it, or null. */
    public String gradFn() {
        return read(a -> a.gradFn() == null ? null : a.gradFn().name());
    }

    /** A handle on the accumulated gradient, or null. */
    public Tensor grad() {
        return read(a -> a.grad() == null ? null : wrap(a.grad().retain()));
    }

    /** Replaces the gradient; null drops it. */
    public void grad(Tensor gradient) {
        change(a -> a.grad(gradient == null ? null : gradient.impl().retain()));
    }

    /** Takes another tensor's memory and form, as assigning x.data; graph and gradient stay. */
    public void setData(Tensor other) {
        changeBy(other, TensorImpl::setData);
    }

    /** Calls the hook with each gradient that arrives here; what it returns, if not null, takes the gradient's place. */
    public void registerHook(UnaryOperator<Tensor> hook) {
        change(a -> Graph.hook(a, gradient -> {
            try (Tensor seen = wrap(gradient.retain()); Tensor replaced = hook.apply(seen)) {
                return replaced == null || replaced == seen ? null : replaced.impl().retain();
            }
        }));
    }

    /** Accumulates the gradients of this scalar into the leaves. */
    public void backward() {
        backward(null, false);
    }

    /** Accumulates the gradients of this scalar into the leaves; the graph may be walked again if it is retained. */
    public void backward(boolean retainGraph) {
        backward(null, retainGraph);
    }

    /** Accumulates gradients into the leaves, from that incoming gradient; null means one, for a scalar. */
    public void backward(Tensor gradient, boolean retainGraph) {
        change(a -> BackwardEngine.run(List.of(a), Arrays.asList(gradient == null ? null : gradient.impl()),
                retainGraph, List.of()));
        Reference.reachabilityFence(gradient);
    }

    /**
     * The numbers as PyTorch prints them, for instance {@code tensor([1., 2.], device='cuda:0')}: aligned, above 1,000
     * elements the first and the last three of each dimension, then what they do not tell of dtype, device and gradient.
     * A tensor whose device has no values shows its size. Copies what it shows to the host, waiting for the thread's
     * stream, and allocates nothing: no figure of the device changes. Never throws: a tensor that is closed, or whose
     * device fails, says so. {@link #describe} is the short form, which leaves the device alone.
     */
    @Override
    public String toString() {
        if (isClosed()) {
            return "Tensor(" + describe() + ", closed)";
        }
        TensorImpl impl = handle.impl;
        try {
            impl.retain(); // another thread may close the tensor meanwhile
        } catch (IllegalStateException e) {
            return "Tensor(" + describe() + ", closed)";
        }
        try {
            return TensorText.of(impl);
        } catch (RuntimeException e) {
            return "Tensor(" + describe() + ", its values cannot be read: " + e.getMessage() + ")";
        } finally {
            impl.release();
            Reference.reachabilityFence(this);
        }
    }
}
