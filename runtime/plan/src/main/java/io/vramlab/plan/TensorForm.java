package io.vramlab.plan;

import io.vramlab.device.DType;
import java.util.Arrays;
import java.util.Comparator;

/**
 * How a recorded tensor lies in its storage.
 *
 * @param dtype
 *            PyTorch's name, as {@code float32}
 * @param shape
 *            sizes, outermost first
 * @param strides
 *            in elements
 * @param offset
 *            of the first element, in elements
 * @param host
 *            whether it is not on the device
 */
record TensorForm(String dtype, long[] shape, long[] strides, long offset, boolean host) {

    /** By which arrays it has, as forms are equal; written out, since a record's own takes longer than what is looked up by it. */
    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(shape) + System.identityHashCode(strides);
    }

    long count() {
        long n = 1;
        for (long s : shape) {
            n *= s;
        }
        return n;
    }

    /** Bytes of its elements, packed. */
    long bytes() {
        return count() * element();
    }

    int element() {
        return bytesOf(dtype);
    }

    static int bytesOf(String dtype) {
        return switch (dtype) {
            case "float64", "int64", "complex64", "uint64" -> 8;
            case "complex128" -> 16;
            case "float16", "bfloat16", "int16", "uint16" -> 2;
            case "float32", "int32", "uint32", "complex32" -> 4;
            default -> 1;
        };
    }

    /** The dtype as far as the size of a partial sum depends on it. */
    DType summed() {
        return switch (element()) {
            case Double.BYTES -> DType.FLOAT64;
            case Float.BYTES -> DType.FLOAT32;
            default -> DType.FLOAT16;
        };
    }

    boolean isFloating() {
        return dtype.startsWith("float") || dtype.startsWith("bfloat") || dtype.startsWith("complex");
    }

    /** Whether one element stands for many, as in a gradient of a sum. */
    boolean isRepeated() {
        for (int d = 0; d < rank(); d++) {
            if (strides[d] == 0 && shape[d] > 1) {
                return true;
            }
        }
        return false;
    }

    /** Whether it chooses elements where it is set. */
    boolean isMask() {
        return dtype.equals("bool") || dtype.equals("uint8");
    }

    /** With these two dimensions exchanged. */
    TensorForm turned(int a, int b) {
        long[] sizes = shape.clone();
        long[] steps = strides.clone();
        sizes[a] = shape[b];
        sizes[b] = shape[a];
        steps[a] = strides[b];
        steps[b] = strides[a];
        return new TensorForm(dtype, sizes, steps, offset, host);
    }

    /** As it is seen in that shape, of at least its rank. */
    TensorForm expanded(long[] to) {
        long[] steps = new long[to.length];
        for (int d = 1; d <= rank(); d++) {
            steps[to.length - d] = shape[rank() - d] == to[to.length - d] ? strides[rank() - d] : 0;
        }
        return new TensorForm(dtype, to, steps, offset, host);
    }

    /** Converted to another dtype: as it lies where it fills a stretch of memory, else row by row. */
    TensorForm as(String other) {
        return new TensorForm(other, shape, isDense() ? strides : rowByRow().strides, 0, host);
    }

    /** The same sizes, as they read in memory of their own. */
    TensorForm rowByRow() {
        long[] steps = new long[rank()];
        long step = 1;
        for (int d = rank() - 1; d >= 0; d--) {
            steps[d] = step;
            step *= shape[d];
        }
        return new TensorForm(dtype, shape, steps, 0, host);
    }

    /** Whether it can be seen as one dimension without a copy. */
    boolean isFlat() {
        long expected = -1;
        for (int d = rank() - 1; d >= 0; d--) {
            if (shape[d] == 1) {
                continue;
            }
            if (expected >= 0 && strides[d] != expected) {
                return false;
            }
            expected = strides[d] * shape[d];
        }
        return true;
    }

    /** Whether its elements fill a stretch of memory, in whichever order. */
    boolean isDense() {
        if (isContiguous()) {
            return true;
        }
        Integer[] order = new Integer[rank()];
        for (int d = 0; d < rank(); d++) {
            order[d] = d;
        }
        Arrays.sort(order, Comparator.comparingLong(d -> strides[d]));
        long expected = 1;
        for (int d : order) {
            if (shape[d] == 1) {
                continue;
            }
            if (strides[d] != expected) {
                return false;
            }
            expected *= shape[d];
        }
        return true;
    }

    int rank() {
        return shape.length;
    }

    boolean isContiguous() {
        long expected = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            if (shape[d] != 1) {
                if (strides[d] != expected) {
                    return false;
                }
                expected *= shape[d];
            }
        }
        return true;
    }

    /** Whether channels, the second of four or five dimensions, lie side by side. */
    boolean isChannelsLast() {
        return !isContiguous() && isSideBySide();
    }

    /**
     * Whether PyTorch says so of it (is_channels_last_strides): it looks at steps also where a size is 1. Images over one
     * dimension count as if they had a second.
     */
    boolean suggestsChannelsLast() {
        if (rank() == 3) {
            return !isContiguous() && turned(1, 2).isContiguous();
        }
        if (rank() != 4 && rank() != 5 || strides[1] == 0) {
            return false;
        }
        long least = 0;
        for (int i = 0; i < rank(); i++) {
            int d = i == 0 ? 1 : i == rank() - 1 ? 0 : rank() - i;
            if (shape[d] == 0 || strides[d] < least || d == 0 && least == strides[1]) {
                return false;
            }
            least = strides[d] * shape[d];
        }
        return true;
    }

    /** The same, whether or not it is contiguous besides. */
    boolean isSideBySide() {
        if (rank() != 4 && rank() != 5) {
            return isContiguous();
        }
        long expected = 1;
        for (int i = 0; i < rank(); i++) {
            int d = i == 0 ? 1 : i == rank() - 1 ? 0 : rank() - i;
            if (shape[d] != 1 && strides[d] != expected) {
                return false;
            }
            expected *= shape[d];
        }
        return true;
    }
}
