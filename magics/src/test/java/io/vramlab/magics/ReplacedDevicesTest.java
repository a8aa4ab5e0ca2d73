package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.LiveNotebook;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A GPU that {@code %device} replaced, and of which nobody holds anything, goes, and what is known of its memory with it. */
class ReplacedDevicesTest {

    private static final int DEVICES = 10;
    /** The last one, and those of which the last results and the last failure still tell. */
    private static final int HELD = 4;

    private static long left(List<WeakReference<Device>> devices) throws InterruptedException {
        long left = DEVICES;
        for (int i = 0; i < 20 && left > HELD; i++) {
            System.gc();
            Thread.sleep(50);
            left = devices.stream().filter(each -> each.get() != null).count();
        }
        return left;
    }

    @Test
    void devicesThatWereReplacedAreForgotten() throws Exception {
        try (LiveNotebook notebook = new LiveNotebook()) {
            List<WeakReference<Device>> devices = new ArrayList<>();
            for (int i = 0; i < DEVICES; i++) {
                notebook.ok("%device 1GiB");
                notebook.ok("Tensor.ones(1024).sum().item()");
                notebook.run("Tensor.empty(1L << 32);");
                devices.add(new WeakReference<>(Device.current()));
            }
            notebook.ok("%device 2GiB");
            notebook.ok("1 + 1;");
            notebook.ok("%gc");
            long left = left(devices);
            assertTrue(left <= HELD, left + " of " + DEVICES + " devices are held");
        }
    }
}
