package io.vramlab.tensor.internal.values;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.type.TensorException;
import java.lang.foreign.MemorySegment;

/**
 * Where elements are not zero. How many there are is known on the host before the result can be made, in PyTorch as here: the
 * positions are found on the host and sent back, while what PyTorch's kernels take meanwhile is taken.
 */
public final class NonZero {

    private NonZero() {
    }

    /** Positions as [number, rank] of int64, in row-major order; the columns lie one after another in memory, as in PyTorch. */
    public static TensorImpl of(TensorImpl a) {
        requireValues(a, "nonzero");
        long[] flat = positions(a);
        int rank = a.rank();
        long[] host = new long[flat.length * rank];
        for (int i = 0; i < flat.length; i++) {
            long rest = flat[i];
            for (int d = rank - 1; d >= 0; d--) {
                host[d * flat.length + i] = rest % a.shape()[d];
                rest /= a.shape()[d];
            }
        }
        return columnsOf(a, flat.length, host);
    }

    /** What {@link #of} takes where no element is zero, without values: for a device that has none. */
    public static TensorImpl ofAll(TensorImpl a) {
        return columnsOf(a, a.count());
    }

    private static TensorImpl columnsOf(TensorImpl a, long many, long... host) {
        try (Temps t = new Temps(); Scratch scratch = Scratch.on(a.device())) {
            if (a.device().isCuda() && a.count() > 0) {
                scratch.take(SelectionScratch.counting(a.driver().properties(), a.count()));
            }
            TensorImpl columns = t.own(TensorImpl.empty(a.device(), DType.INT64, a.rank(), many));
            if (a.device().isCuda() && a.count() > 0) {
                scratch.take(SelectionScratch.selecting(a.count()));
            }
            if (host.length > 0) {
                send(columns, host);
            }
            return columns.alias(new long[]{many, a.rank()}, new long[]{1, Math.max(many, 1)}, 0);
        }
    }

    /** One vector of positions for each dimension. */
    public static TensorImpl[] columns(TensorImpl a) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            return Joins.unbind(t.own(of(a)), 1);
        }
    }

    /** Row-major positions of what is not zero. */
    public static long[] positions(TensorImpl a) {
        try (GradMode.State off = GradMode.enter(false)) {
            double[] values = HostValues.doubles(a);
            return java.util.stream.IntStream.range(0, values.length).filter(i -> values[i] != 0).asLongStream()
                    .toArray();
        }
    }

    /** Writes numbers of the host into a contiguous tensor of int64. */
    public static void send(TensorImpl to, long[] values) {
        TensorImpl cpu = Factories.ofHeap(Device.cpu(), DType.INT64, MemorySegment.ofArray(values), values.length,
                to.shape());
        try {
            Copies.copyAcross(to, cpu, false);
        } finally {
            cpu.release();
        }
    }

    public static void requireValues(TensorImpl a, String what) {
        if (!a.driver().holdsValues()) {
            throw new TensorException(what + " was asked on \"" + a.driver().properties().name()
                    + "\": the shape of its result depends on values, and a shapes-only device has none. Use "
                    + "Device.simulated(\"8GiB\"), or a form of fixed shape such as where(condition, a, b) or maskedFill.");
        }
    }
}
