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

    /** {@return float32 on the current device, no leaf for backward} */
    public static TensorOptions defaults() {
        return new TensorOptions(DType.FLOAT32, Device.current(), false);
    }

    /**
     * That dtype on the current device.
     *
     * @param dtype
     *            element type
     * @return that dtype on the current device, no leaf for backward
     */
    public static TensorOptions of(DType dtype) {
        return defaults().dtype(dtype);
    }

    /**
     * float32 on that device.
     *
     * @param device
     *            where, which need not be the current one
     * @return float32 on that device, no leaf for backward
     */
    public static TensorOptions on(Device device) {
        return new TensorOptions(DType.FLOAT32, device, false);
    }

    /**
     * With another dtype.
     *
     * @param other
     *            element type
     * @return new options, these but for the dtype
     */
    public TensorOptions dtype(DType other) {
        return new TensorOptions(other, device, requiresGrad);
    }

    /**
     * On another device.
     *
     * @param other
     *            where
     * @return new options, these but for the device
     */
    public TensorOptions device(Device other) {
        return new TensorOptions(dtype, other, requiresGrad);
    }

    /**
     * A leaf that backward accumulates into, or not.
     *
     * @param wanted
     *            true for a leaf that backward accumulates into; needs a floating dtype
     * @return new options, these but for that
     */
    public TensorOptions requiresGrad(boolean wanted) {
        return new TensorOptions(dtype, device, wanted);
    }
}
