package io.vramlab.device;

/**
 * A strided array in device memory, as a kernel sees it. Offsets are already in the address; a broadcast dimension has
 * stride 0. No bounds are checked here: the tensor layer has.
 *
 * @param address
 *            device address of the first element
 * @param dtype
 *            element type
 * @param shape
 *            sizes, outermost first; empty for a scalar
 * @param strides
 *            in elements, same length
 */
public record Operand(long address, DType dtype, long[] shape, long[] strides) {

    /** {@return the number of elements} */
    public long count() {
        long n = 1;
        for (long s : shape) {
            n *= s;
        }
        return n;
    }

    /** {@return true when elements lie one after another in row-major order; sizes of 1 do not matter} */
    public boolean isContiguous() {
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
}
