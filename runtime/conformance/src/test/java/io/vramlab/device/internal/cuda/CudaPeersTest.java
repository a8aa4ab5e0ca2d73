package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.device.Stream;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several real GPUs: memory of their own, statistics of their own, copies between them. */
@Tag("gpus")
class CudaPeersTest {

    @BeforeAll
    static void useAll() {
        Device.select("cuda");
        assertTrue(Device.all().size() >= 2, "these tests need two GPUs");
    }

    @AfterAll
    static void back() {
        Device.all().forEach(Device::synchronize);
        Device.select("sim");
    }

    @Test
    void aTensorMovesFromEachGpuToEachOther() {
        for (Device from : Device.all()) {
            for (Device to : Device.all()) {
                Device.set(from);
                try (Tensor a = Tensor.randn(1000, 37); Tensor b = to == from ? a.add(0) : a.to(to)) {
                    assertEquals(to, b.device());
                    assertArrayEquals(a.toFloatArray(), b.toFloatArray());
                }
            }
        }
    }

    @Test
    void statisticsArePerDevice() {
        Device one = Device.cuda(0);
        Device two = Device.cuda(1);
        long before = Cuda.memoryAllocated(one);
        Device.set(two);
        long beforeTwo = Cuda.memoryAllocated(two);
        try (Tensor t = Tensor.zeros(1 << 20)) {
            assertEquals(before, Cuda.memoryAllocated(one));
            // 2^20 float32 elements: 4 MiB
            assertEquals(beforeTwo + (4L << 20), Cuda.memoryAllocated(two));
            assertEquals(two, t.device());
        }
        assertEquals(beforeTwo, Cuda.memoryAllocated(two));
    }

    @Test
    void aPeerCopyIsInOrderWithItsStream() {
        Device one = Device.cuda(0);
        Device two = Device.cuda(1);
        long bytes = 64L << 20;
        long source = one.driver().allocate(bytes);
        long target = two.driver().allocate(bytes);
        Stream stream = new Stream(two);
        one.driver().fill(source, (byte) 5, bytes, 0);
        two.driver().copyFromPeer(target, one.driver(), source, bytes, stream.handle());
        byte[] last = new byte[1];
        stream.synchronize();
        two.driver().copyToHost(MemorySegment.ofArray(last), target + bytes - 1, 0);

        assertEquals(5, last[0]);
        one.driver().free(source);
        two.driver().free(target);
    }

    @Test
    void aGpuThatIsNotThereIsRefusedByNumber() {
        String message = assertThrows(DeviceException.class, () -> new CudaDevices().devices("99"))
                .getMessage();
        assertTrue(message.contains("this machine has " + Device.all().size()), message);
    }
}
