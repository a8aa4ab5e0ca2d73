package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkspacesTest {

    private static final long MIB = 1 << 20;

    private final Device before = Device.current();
    private final Device device = Device.shapesOnly("H200");
    private Scope scope;

    @BeforeEach
    void switchOn() {
        Device.set(device);
        Workspaces.mode(Workspaces.Mode.PYTORCH);
        scope = Scope.open();
    }

    @AfterEach
    void switchOff() {
        scope.close();
        Workspaces.clear(device);
        Workspaces.mode(Workspaces.Mode.NONE);
        Device.set(before);
        device.close();
    }

    @Test
    void theFirstProductTakesAWorkspaceForGood() {
        Tensor a = Tensor.ones(16, 16);
        a.matmul(a);
        assertEquals(32 * MIB, Workspaces.bytes(device));
        a.matmul(a);
        assertEquals(32 * MIB, Workspaces.bytes(device));
    }

    @Test
    void aBiasTakesOneMore() {
        Tensor a = Tensor.ones(16, 16);
        Functional.linear(a, a, Tensor.ones(16));
        assertEquals(33 * MIB, Workspaces.bytes(device));
    }

    /** As an H100 took them when a ResNet-50 answered its first image: cuBLAS's 32 MiB, then cublasLt's 1 MiB. */
    @Test
    void aSingleRowGoesThroughLtAsSeveralDo() {
        Functional.linear(Tensor.ones(1, 16), Tensor.ones(16, 16), Tensor.ones(16));
        assertEquals(33 * MIB, Workspaces.bytes(device));
    }

    @Test
    void backwardHasAHandleOfItsOwn() {
        Tensor a = Tensor.ones(16, 16).requiresGrad_(true);
        Tensor sum = a.matmul(a).sum();
        assertEquals(32 * MIB, Workspaces.bytes(device));
        sum.backward();
        assertEquals(64 * MIB, Workspaces.bytes(device));
    }

    @Test
    void clearingGivesThemBack() {
        Tensor a = Tensor.ones(16, 16);
        a.matmul(a).close();
        Workspaces.clear(device);
        // the operand of 1,024 bytes stays
        assertEquals(1024, Allocators.of(device).stats().allocatedBytes());
    }

    @Test
    void switchedOffThereAreNone() {
        Workspaces.mode(Workspaces.Mode.NONE);
        Tensor a = Tensor.ones(16, 16);
        a.matmul(a);
        assertEquals(0, Workspaces.bytes(device));
    }

    @Test
    void aModeThatDoesNotExistIsRefusedWithThoseThatDo() {
        String told = org.junit.jupiter.api.Assertions.assertThrows(TensorException.class, () -> Workspaces.named("1"))
                .getMessage();
        org.junit.jupiter.api.Assertions.assertTrue(
                told.contains("VRAMLAB_CUBLAS_WORKSPACES=1") && told.contains("\"pytorch\""),
                told);
    }
}
