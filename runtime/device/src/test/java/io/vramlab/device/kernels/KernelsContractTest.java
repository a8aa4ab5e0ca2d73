package io.vramlab.device.kernels;

import io.vramlab.device.DeviceDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the kernels of every device must compute. One subclass per device; the families of kernels are the interfaces.
 */
abstract class KernelsContractTest
        implements
            ElementwiseContract,
            ReductionContract,
            MatmulContract,
            AttentionContract,
            LayerContract,
            WindowContract,
            IndexContract,
            RandomContract,
            OptimizerContract {

    private DeviceDriver driver;

    /** A fresh driver of at least 512 MiB. */
    abstract DeviceDriver open();

    @BeforeEach
    void openDriver() {
        driver = open();
    }

    @AfterEach
    void closeDriver() {
        driver.close();
    }

    @Override
    public void restart() {
        driver.close();
        driver = open();
    }

    @Override
    public DeviceDriver driver() {
        return driver;
    }
}
