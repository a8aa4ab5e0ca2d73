package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.device.Device;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.Test;

/** Faults that were there once, each with what PyTorch does. */
class KnownFaultsTest {

    @Test
    void aViewMadeWithoutGradientsOfWhatRequiresThemSaysSo() {
        try (Tensor weight = Tensor.ones(2, 3).requiresGrad_(true);
                NoGrad off = new NoGrad();
                Tensor view = weight.t();
                Tensor copy = weight.add(1)) {
            assertTrue(view.requiresGrad());
            assertFalse(copy.requiresGrad());
        }
    }

    @Test
    void aWindowThatDoesNotFitIsRefusedInsteadOfCutOff() {
        try (Tensor small = Tensor.ones(1, 1, 1, 1)) {
            String said = assertThrows(TensorException.class, () -> Functional.maxPool2d(small,
                    new io.vramlab.device.Kernels.Window(2, 2, 2, 2, 0, 0, 1, 1, 1))).getMessage();
            assertTrue(said.contains("the window does not fit"), said);
        }
    }

    @Test
    void theShapesDeviceGivesACopyOnTheCpu() {
        try (Device dry = Device.shapesOnly("1GiB");
                Tensor there = Tensor.ones(TensorOptions.on(dry), 2, 3);
                Tensor here = there.cpu()) {
            assertArrayEquals(new long[]{2, 3}, here.shape());
            assertEquals(Device.cpu(), here.device());
        }
    }

    @Test
    void aModulePrintsItsNumbersAsPython() {
        try (LayerNorm norm = new LayerNorm(4); BatchNorm2d batch = new BatchNorm2d(4)) {
            assertEquals("LayerNorm((4,), eps=1e-05, elementwise_affine=True)", norm.toString());
            assertEquals("BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
                    batch.toString());
        }
    }
}
