package io.vramlab.tensor;

import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.Values;
import io.vramlab.tensor.type.TensorException;

/**
 * A {@link Tensor}'s values in Java. Each method waits for the thread's stream. Single elements and {@link #values} are
 * read where they lie and take no device memory; whole arrays first make a tensor that is not contiguous so, on its
 * device, as PyTorch does.
 */
abstract sealed class ValueMethods extends PropertyMethods permits SparseMethods {

    /**
     * The one element as a double, for bool 0 or 1. As {@code torch.Tensor.item}.
     *
     * @return the number; float16 and bfloat16 exactly
     * @throws TensorException
     *             if there is not exactly one element, or it is a whole number that no double holds
     */
    public double item() {
        return read(a -> Elements.real(Elements.only(a)));
    }

    /**
     * The one element as a whole number, exactly; a fraction is cut off. As {@code torch.Tensor.item}.
     *
     * @return the number
     * @throws TensorException
     *             if there is not exactly one element, or it is NaN or infinite
     */
    public long itemLong() {
        return read(a -> Elements.whole(Elements.only(a)));
    }

    /**
     * The one element as a truth value: false for zero only. As {@code torch.Tensor.item}.
     *
     * @return false for zero only
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
     *            one for each dimension, from the back when negative
     * @return the number; float16 and bfloat16 exactly
     * @throws TensorException
     *             for another number of indices, one that is out of bounds, or a whole number that no double holds
     */
    public double get(long... index) {
        return read(a -> Elements.real(Elements.at(a, index)));
    }

    /**
     * One element as a whole number, exactly; see {@link #get} and {@link #itemLong}.
     *
     * @param index
     *            one for each dimension, from the back when negative
     * @return the number, a fraction cut off
     * @throws TensorException
     *             for another number of indices, one that is out of bounds, or NaN or an infinity
     */
    public long getLong(long... index) {
        return read(a -> Elements.whole(Elements.at(a, index)));
    }

    /**
     * The elements as a Java array in the tensor's shape: of shape [2, 3] a {@code float[2][3]}, of one without
     * dimensions a boxed number. Elements are {@code float} for float32, float16 and bfloat16, {@code double} for
     * float64, {@code long} for int64, {@code int} for int32 and uint8, {@code boolean} for bool, so that each holds
     * its value exactly. As {@code torch.Tensor.tolist}.
     *
     * @return nested arrays, new ones
     * @throws TensorException
     *             for 2^31 elements or more
     */
    public Object toArray() {
        return read(Nested::of);
    }

    /**
     * As {@link #toArray()}, as that type: {@code float[][] rows = x.toArray(float[][].class)}. As
     * {@code torch.Tensor.tolist}.
     *
     * @param <A>
     *            the array's type
     * @param type
     *            that of {@link #toArray()}, for instance {@code float[][].class}
     * @return nested arrays, new ones
     * @throws TensorException
     *             if the tensor's array is of another type, or for 2^31 elements or more
     */
    public <A> A toArray(Class<A> type) {
        Object array = read(a -> Nested.of(a, type));
        return type.cast(array);
    }

    /**
     * All elements in row-major order.
     *
     * @return a new flat array, converted from whatever dtype
     * @throws TensorException
     *             for 2^31 elements or more
     */
    public float[] toFloatArray() {
        return read(Values::floats);
    }

    /**
     * All elements in row-major order.
     *
     * @return a new flat array, converted from whatever dtype
     * @throws TensorException
     *             for 2^31 elements or more
     */
    public double[] toDoubleArray() {
        return read(Values::read);
    }

    /**
     * All elements in row-major order; NaN and infinities are refused.
     *
     * @return a new flat array; fractions are cut off
     * @throws TensorException
     *             for NaN and infinities, and for 2^31 elements or more
     */
    public long[] toLongArray() {
        return read(Values::longs);
    }
}
