package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * {@link Tensor}'s making of constants and of Java's values. Each takes elements times their size, rounded up to 512
 * bytes by the allocator (docs/allocator.md, "Rounding"); without options float32 on the current device.
 */
abstract sealed class CreatingMethods extends ScatterMethods permits SequenceMethods {

    /**
     * Whatever the memory held. float32 on the current device. As {@code torch.empty}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor, unfilled
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor empty(long... shape) {
        return empty(TensorOptions.defaults(), shape);
    }

    /**
     * Whatever the memory held. As {@code torch.empty}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor, unfilled
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor empty(TensorOptions options, long... shape) {
        return Tensor.make(options, p -> TensorImpl.empty(p.device(), p.dtype(), shape));
    }

    /**
     * Zeros. float32 on the current device. As {@code torch.zeros}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor zeros(long... shape) {
        return zeros(TensorOptions.defaults(), shape);
    }

    /**
     * Zeros. As {@code torch.zeros}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor zeros(TensorOptions options, long... shape) {
        return Tensor.make(options, p -> Factories.full(p.device(), p.dtype(), 0, shape));
    }

    /**
     * Ones. float32 on the current device. As {@code torch.ones}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor ones(long... shape) {
        return ones(TensorOptions.defaults(), shape);
    }

    /**
     * Ones. As {@code torch.ones}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor ones(TensorOptions options, long... shape) {
        return Tensor.make(options, p -> Factories.full(p.device(), p.dtype(), 1, shape));
    }

    /**
     * One value everywhere. float32 on the current device. As {@code torch.full}.
     *
     * @param value
     *            converted to the dtype
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor full(double value, long... shape) {
        return full(TensorOptions.defaults(), value, shape);
    }

    /**
     * One value everywhere. As {@code torch.full}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param value
     *            converted to the dtype
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size, or more than 2^63 - 1 bytes
     */
    public static Tensor full(TensorOptions options, double value, long... shape) {
        return Tensor.make(options, p -> Factories.full(p.device(), p.dtype(), value, shape));
    }

    /**
     * One number without dimensions. As {@code torch.scalar_tensor}.
     *
     * @param value
     *            converted to the dtype
     * @return a new scalar, float32 on the current device
     */
    public static Tensor scalarTensor(double value) {
        return Tensor.full(value);
    }

    /**
     * One number without dimensions. As {@code torch.tensor(1.5)}; several are {@code Tensor.of(1, 2)}.
     *
     * @param value
     *            converted to float32
     * @return a new scalar, float32 on the current device
     */
    public static Tensor tensor(double value) {
        return Tensor.full(value);
    }

    /**
     * One whole number without dimensions. As {@code torch.tensor(3)}.
     *
     * @param value
     *            the number
     * @return a new scalar, int64 on the current device
     */
    public static Tensor tensor(long value) {
        return Tensor.full(TensorOptions.of(DType.INT64), value);
    }

    /**
     * One truth value without dimensions. As {@code torch.tensor(True)}.
     *
     * @param value
     *            the truth
     * @return a new scalar, bool on the current device
     */
    public static Tensor tensor(boolean value) {
        return Tensor.full(TensorOptions.of(DType.BOOL), value ? 1 : 0);
    }

    /**
     * A vector of a list's numbers on the current device: int64 if all are whole numbers' classes, else float32. As {@code torch.tensor}.
     *
     * @param values
     *            copied to the device
     * @return a new tensor [how many]
     */
    public static Tensor tensor(List<? extends Number> values) {
        boolean whole = !values.isEmpty() && values.stream().noneMatch(n -> n instanceof Double || n instanceof Float);
        if (whole) {
            return of(values.stream().mapToLong(Number::longValue).toArray());
        }
        float[] numbers = new float[values.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = values.get(i).floatValue();
        }
        return of(numbers);
    }

    /**
     * A vector of those values. float32 on the current device. As {@code torch.tensor}.
     *
     * @param values
     *            copied to the device
     * @return a new tensor [how many]
     */
    public static Tensor of(float... values) {
        return of(TensorOptions.defaults(), values, values.length);
    }

    /**
     * A vector of those values. float64 on the current device. As {@code torch.tensor}.
     *
     * @param values
     *            copied to the device
     * @return a new tensor [how many]
     */
    public static Tensor of(double... values) {
        return of(TensorOptions.of(DType.FLOAT64), values, values.length);
    }

    /**
     * A vector of those values. int64 on the current device. As {@code torch.tensor}.
     *
     * @param values
     *            copied to the device
     * @return a new tensor [how many]
     */
    public static Tensor of(long... values) {
        return of(TensorOptions.of(DType.INT64), values, values.length);
    }

    /**
     * A vector of those values. bool on the current device. As {@code torch.tensor}.
     *
     * @param values
     *            copied to the device
     * @return a new tensor [how many]
     */
    public static Tensor of(boolean... values) {
        return Tensor.wrap(FlatArrays.of(values));
    }

    /**
     * A matrix of those rows. float32 on the current device. As {@code torch.tensor}.
     *
     * @param rows
     *            of one length, copied to the device
     * @return a new tensor [rows, columns]
     * @throws TensorException
     *             for rows of different lengths
     */
    public static Tensor of(float[]... rows) {
        return Tensor.wrap(FlatArrays.of(rows));
    }

    /**
     * Those values in row-major order, converted to the options' dtype. As {@code torch.tensor}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param values
     *            row-major, as many as the shape has elements
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor; conversion happens on the host, and takes no device memory
     * @throws TensorException
     *             if there are more or fewer values than elements
     */
    public static Tensor of(TensorOptions options, float[] values, long... shape) {
        return Tensor.make(options,
                p -> FlatArrays.of(p, DType.FLOAT32, MemorySegment.ofArray(values), values.length, shape));
    }

    /**
     * Those values in row-major order, converted to the options' dtype. As {@code torch.tensor}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param values
     *            row-major, as many as the shape has elements
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor; conversion happens on the host, and takes no device memory
     * @throws TensorException
     *             if there are more or fewer values than elements
     */
    public static Tensor of(TensorOptions options, double[] values, long... shape) {
        return Tensor.make(options,
                p -> FlatArrays.of(p, DType.FLOAT64, MemorySegment.ofArray(values), values.length, shape));
    }

    /**
     * Those values in row-major order, converted to the options' dtype. As {@code torch.tensor}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param values
     *            row-major, as many as the shape has elements
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor; conversion happens on the host, and takes no device memory
     * @throws TensorException
     *             if there are more or fewer values than elements
     */
    public static Tensor of(TensorOptions options, long[] values, long... shape) {
        return Tensor.make(options,
                p -> FlatArrays.of(p, DType.INT64, MemorySegment.ofArray(values), values.length, shape));
    }

    /**
     * The values of a nested array in its shape, as {@link Tensor#toArray()} gives them:
     * {@code Tensor.ofNested(new double[][][]{...})}. The dtype is the array's: float32, float64, int64, int32 or bool.
     * On the current device. As {@code torch.tensor}.
     *
     * @param nested
     *            arrays of arrays, those of one dimension equally long; or a boxed number
     * @return a new tensor
     * @throws TensorException
     *             for arrays of different lengths, or of other elements
     */
    public static Tensor ofNested(Object nested) {
        return Tensor.wrap(Nested.tensor(TensorOptions.defaults(), null, nested));
    }

    /**
     * The values of a nested array in its shape, converted to the options' dtype; see {@link #ofNested(Object)}. As
     * {@code torch.tensor}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param nested
     *            arrays of arrays, those of one dimension equally long; or a boxed number
     * @return a new tensor
     * @throws TensorException
     *             for arrays of different lengths, or of other elements
     */
    public static Tensor ofNested(TensorOptions options, Object nested) {
        return Tensor.make(options, p -> Nested.tensor(p, p.dtype(), nested));
    }
}
