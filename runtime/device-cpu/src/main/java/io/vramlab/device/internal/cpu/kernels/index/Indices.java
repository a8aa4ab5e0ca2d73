package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/** Reads indices and finds those that lie outside before anything is touched with them. */
public final class Indices {

    private Indices() {
    }

    /** All indices, or null after a fault was told because one is not within {@code 0 … size - 1}. */
    public static long[] checked(HostAccess host, Operand index, long size, String what) {
        View view = View.of(host, index);
        long[] all = new long[Math.toIntExact(view.count)];
        view.read(0, all.length, all);
        for (long i : all) {
            if (i < 0 || i >= size) {
                host.fault(DeviceFault.DEVICE_SIDE_ASSERT,
                        what + ": index " + i + " is out of bounds for a dimension of size " + size);
                return null;
            }
        }
        return all;
    }
}
