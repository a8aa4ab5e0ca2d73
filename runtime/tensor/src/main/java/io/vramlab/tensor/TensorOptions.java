package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;

/**
 * Where and as what a new tensor is made, for instance
 * {@code Tensor.zeros(TensorOptions.of(DType.INT64).device(Device.cpu()), 2, 3)}.
 *
 * @param dtype
 *            element type
 * @param device
 *            where it lies
 * @param requiresGrad
 *            whether backward accumulates into it
 */
public record TensorOptions(DType dtype, Device device, boolean requiresGrad) {

    /** float32 on the current device. */
    public static TensorOptions defaults() {
        return new TensorOptions(DType.FLOAT32, Device.current(), false);
    }

    /** That dtype on the current device. */
    public static TensorOptions of(DType dtype) {
        return defaults().dtype(dtype);
    }

    /** float32 on that device. */
    public static TensorOptions on(Device device) {
        return new TensorOptions(DType.FLOAT32, device, false);
    }

    /** With another dtype. */
    public TensorOptions dtype(DType other) {
        return new TensorOptions(other, device, requiresGrad);
    }

    /** On another device. */
    public TensorOptions device(Device other) {
        return new TensorOptions(dtype, other, requiresGrad);
    }

    /** A leaf that backward accumulates into, or not. */
    public TensorOptions requiresGrad(boolean wanted) {
        return new TensorOptions(dtype, device, wanted);
    }
}
