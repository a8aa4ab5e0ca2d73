package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.Values;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** Nested Java arrays in a tensor's shape, in and out: a dimension is an array, the innermost is of a primitive type. */
final class Nested {

    private Nested() {
    }

    /** The Java type that holds the elements of a dtype exactly. */
    static Class<?> elementType(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> double.class;
            case FLOAT32, FLOAT16, BFLOAT16 -> float.class;
            case INT64 -> long.class;
            case INT32, UINT8 -> int.class;
            case BOOL -> boolean.class;
        };
    }

    private static DType dtypeOf(Class<?> element) {
        return element == double.class || element == Double.class
                ? DType.FLOAT64
                : element == float.class || element == Float.class
                        ? DType.FLOAT32
                        : element == long.class || element == Long.class
                                ? DType.INT64
                                : element == int.class || element == Integer.class
                                        ? DType.INT32
                                        : element == boolean.class || element == Boolean.class ? DType.BOOL : null;
    }

    /** The same, checked before anything is read. */
    static Object of(TensorImpl a, Class<?> wanted) {
        Class<?> element = elementType(a.dtype());
        Class<?> type = a.rank() == 0
                ? Array.get(Array.newInstance(element, 1), 0).getClass()
                : Array.newInstance(element, new int[a.rank()]).getClass();
        if (!wanted.isAssignableFrom(type)) {
            throw new TensorException("toArray(" + wanted.getSimpleName() + ".class) was asked of a tensor of dtype "
                    + a.dtype() + " and shape " + Shape.text(a.shape()) + ": its array is a " + type.getSimpleName()
                    + ". Ask for that, or convert the tensor first with to(dtype).");
        }
        return of(a);
    }

    /** The elements in the tensor's shape; of one without dimensions the boxed number. */
    static Object of(TensorImpl a) {
        int[] sizes = new int[a.rank()];
        for (int d = 0; d < sizes.length; d++) {
            if (a.shape()[d] > Integer.MAX_VALUE - 8) {
                throw new TensorException("toArray() was asked of a tensor of shape " + Shape.text(a.shape())
                        + ": a Java array holds fewer than 2^31 elements. Take a slice.");
            }
            sizes[d] = (int) a.shape()[d];
        }
        Object flat = flat(a);
        return a.rank() == 0 ? Array.get(flat, 0) : cut(flat, sizes, 0, new int[1]);
    }

    private static Object flat(TensorImpl a) {
        if (a.dtype().isFloatingPoint()) {
            return a.dtype() == DType.FLOAT64 ? Values.read(a) : Values.floats(a);
        }
        long[] wholes = Values.longs(a);
        if (a.dtype() == DType.INT64) {
            return wholes;
        }
        Object flat = Array.newInstance(elementType(a.dtype()), wholes.length);
        for (int i = 0; i < wholes.length; i++) {
            if (a.dtype() == DType.BOOL) {
                Array.setBoolean(flat, i, wholes[i] != 0);
            } else {
                Array.setInt(flat, i, (int) wholes[i]);
            }
        }
        return flat;
    }

    private static Object cut(Object flat, int[] sizes, int dim, int[] next) {
        int n = sizes[dim];
        Class<?> element = flat.getClass().getComponentType();
        if (dim == sizes.length - 1) {
            Object row = Array.newInstance(element, n);
            System.arraycopy(flat, next[0], row, 0, n);
            next[0] += n;
            return row;
        }
        // for an empty dimension the type alone keeps the number of dimensions inside
        Class<?> inner = Array.newInstance(element, new int[sizes.length - dim - 1]).getClass();
        Object rows = Array.newInstance(inner, n);
        for (int i = 0; i < n; i++) {
            Array.set(rows, i, cut(flat, sizes, dim + 1, next));
        }
        return rows;
    }

    /** A tensor of a nested array's values, converted to {@code dtype}; null keeps the array's own. */
    static TensorImpl tensor(TensorOptions options, DType dtype, Object nested) {
        List<Long> sizes = new ArrayList<>();
        Class<?> type = nested == null ? Object.class : nested.getClass();
        for (Object each = nested; type.isArray(); type = type.getComponentType()) {
            int length = each == null ? 0 : Array.getLength(each);
            sizes.add((long) length);
            each = length == 0 || type.getComponentType().isPrimitive() ? null : Array.get(each, 0);
        }
        DType given = sizes.isEmpty() || type.isPrimitive() ? dtypeOf(type) : null;
        if (given == null) {
            throw new TensorException("A tensor of " + (nested == null
                    ? "null"
                    : "a " + type.getSimpleName()
                            + "[]".repeat(sizes.size()))
                    + " was asked for: elements are float, double, long, int or boolean. "
                    + "Give a number or an array of one of these, nested as often as there are dimensions.");
        }
        long[] shape = sizes.stream().mapToLong(Long::longValue).toArray();
        if (Shape.count(shape) > Integer.MAX_VALUE - 8) {
            throw new TensorException("A tensor of a nested array of shape " + Shape.text(shape)
                    + " was asked for: more than 2^31 elements cannot be passed at once. Join it of parts with cat.");
        }
        int count = (int) Shape.count(shape);
        Object flat = Array.newInstance(elementType(given), count);
        if (shape.length == 0) {
            Array.set(flat, 0, nested);
        } else {
            join(nested, shape, 0, flat, new int[1]);
        }
        TensorOptions wanted = options.dtype(dtype == null ? given : dtype);
        return FlatArrays.of(wanted, given, bytes(flat), count, shape);
    }

    private static void join(Object part, long[] shape, int dim, Object flat, int[] next) {
        int length = part == null ? -1 : Array.getLength(part);
        if (length != shape[dim]) {
            throw new TensorException("A tensor of a nested array was asked for in which dimension " + dim + " has "
                    + shape[dim] + " elements in one place and " + (part == null ? "is null" : "has " + length)
                    + " in another: all arrays of a dimension are equally long. Pad the shorter ones.");
        }
        if (dim == shape.length - 1) {
            System.arraycopy(part, 0, flat, next[0], length);
            next[0] += length;
            return;
        }
        for (int i = 0; i < length; i++) {
            join(Array.get(part, i), shape, dim + 1, flat, next);
        }
    }

    private static MemorySegment bytes(Object flat) {
        return switch (flat) {
            case float[] f -> MemorySegment.ofArray(f);
            case double[] d -> MemorySegment.ofArray(d);
            case long[] l -> MemorySegment.ofArray(l);
            case int[] i -> MemorySegment.ofArray(i);
            case boolean[] b -> {
                byte[] bytes = new byte[b.length];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (b[i] ? 1 : 0);
                }
                yield MemorySegment.ofArray(bytes);
            }
            default -> throw new IllegalStateException("no elements in " + flat.getClass());
        };
    }
}
