package example;

import io.vramlab.tensor.Tensor;

/** A user's program: frames of VramLab's own packages are not shown. */
public final class TwoTensors {

    private TwoTensors() {
    }

    /** Takes 2 times 1 MiB: 512 * 512 * 4 bytes. */
    public static void run() {
        Tensor a = Tensor.zeros(512, 512);
        Tensor b = Tensor.zeros(512, 512);
        if (a.numel() != b.numel()) {
            throw new AssertionError();
        }
    }
}
