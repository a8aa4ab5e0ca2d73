package io.vramlab.tensor.internal.values;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.HostCopy;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.lang.foreign.MemorySegment;

/**
 * Operations for which there is no kernel: their values are computed on the host, in double, and written back. They take no
 * device memory but what PyTorch's take. On a real GPU the way there and back is slow; a device that computes nothing is
 * left alone.
 */
public final class HostLoops {

    private HostLoops() {
    }

    /** Computes the elements of a result, row-major. */
    public interface Loop {
        double[] run();
    }

    /** Fills a tensor that nobody else sees yet, or the gradient of one. */
    public static void fill(TensorImpl out, Loop loop) {
        if (out.count() > 0 && out.driver().kernels().computes()) {
            write(out, loop.run());
        }
    }

    /** All elements, row-major, whatever their order in memory; nothing is taken on a GPU. */
    public static double[] read(TensorImpl a) {
        if (a.isContiguous() || !a.device().isCuda()) {
            return Values.read(a);
        }
        // the bytes as they lie, put in order on the host
        try (Temps t = new Temps()) {
            TensorImpl host = t.own(TensorImpl.emptyStrided(Device.cpu(), a.dtype(), a.shape(), a.strides()));
            HostCopy.bytes(host, a, false);
            return Values.read(host);
        }
    }

    private static void write(TensorImpl out, double[] values) {
        try (Temps t = new Temps()) {
            TensorImpl wide = t.own(Factories.ofHeap(Device.cpu(), DType.FLOAT64, MemorySegment.ofArray(values),
                    values.length, out.shape()));
            TensorImpl laid = t.own(TensorImpl.emptyStrided(Device.cpu(), out.dtype(), out.shape(), out.strides()));
            Launch.into(ElementOp.COPY, Launch.NONE, laid, wide);
            HostCopy.bytes(out, laid, false);
        }
    }
}
