package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.Values;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.MemorySegment;

/** New tensors from Java's arrays of numbers, in row-major order. */
final class FlatArrays {

    private FlatArrays() {
    }

    /** Of that dtype, converted to the options'. */
    static TensorImpl of(TensorOptions o, DType given, MemorySegment heap, int count, long... shape) {
        return Values.of(o.device(), o.dtype(), given, heap, count, shape);
    }

    /** A vector on the current device. */
    static TensorImpl of(boolean... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (values[i] ? 1 : 0);
        }
        Device device = TensorOptions.defaults().device();
        return Factories.ofHeap(device, DType.BOOL, MemorySegment.ofArray(bytes), bytes.length, bytes.length);
    }

    /** A matrix on the current device. */
    static TensorImpl of(float[]... rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        float[] flat = new float[rows.length * columns];
        for (int r = 0; r < rows.length; r++) {
            if (rows[r].length != columns) {
                throw new TensorException("A matrix was asked for with a row of " + columns + " values and one of "
                        + rows[r].length + ": all rows must be equally long.");
            }
            System.arraycopy(rows[r], 0, flat, r * columns, columns);
        }
        return of(TensorOptions.defaults(), DType.FLOAT32, MemorySegment.ofArray(flat), flat.length, rows.length,
                columns);
    }
}
