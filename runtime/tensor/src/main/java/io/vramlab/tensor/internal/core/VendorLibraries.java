package io.vramlab.tensor.internal.core;

import io.vramlab.device.DriverStep;

/**
 * Tells a device that a thread works with cuBLAS or cuDNN, as PyTorch would here: the first time the driver takes addresses
 * (docs/plan.md, "Where segments lie"). Real devices know it by themselves.
 */
public final class VendorLibraries {

    private VendorLibraries() {
    }

    /** cuBLAS multiplies into that tensor. */
    public static void products(TensorImpl on) {
        on.driver().step(DriverStep.KERNEL);
        on.driver().step(
                ThreadState.current().backward ? DriverStep.PRODUCTS_BACKWARD : DriverStep.PRODUCTS);
    }

    /** cuDNN works with that tensor: it asks for a little memory of the host that the device sees. */
    public static void networks(TensorImpl on) {
        on.driver().step(DriverStep.KERNEL);
        on.driver().step(DriverStep.HOST);
        on.driver().step(
                ThreadState.current().backward ? DriverStep.NETWORKS_BACKWARD : DriverStep.NETWORKS);
    }
}
