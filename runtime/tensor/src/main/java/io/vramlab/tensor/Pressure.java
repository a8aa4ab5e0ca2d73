package io.vramlab.tensor;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;

/**
 * What happens before an allocator gives up: handles that the user dropped without closing are collected, in the hope
 * that their memory serves. Counted apart (see {@link LiveTensors}), and switched off by {@link #strict}, because PyTorch
 * has no such step.
 */
public final class Pressure {

    /** One object, so that an allocator can tell that it has it already: only the allocator knows that it is watched. */
    private static final BooleanSupplier RELIEF = Pressure::relieve;
    /** What was held by something dropped is only found in the next round. */
    private static final int ROUNDS = 3;
    private static volatile boolean strict;
    private static volatile Reference<Allocator> last = new WeakReference<>(null);

    private Pressure() {
    }

    /**
     * Chooses what happens before an allocator of a GPU gives up, for all of them.
     *
     * @param on
     *            true for PyTorch's behaviour: no collection, the allocation fails at once; false by default
     */
    public static void strict(boolean on) {
        strict = on;
    }

    /** {@return whether the collector is left alone} */
    public static boolean strict() {
        return strict;
    }

    /** A tensor of that allocator now has a handle, which may be dropped; asked for each, so the last one is remembered. */
    static void watch(Device device, Allocator allocator) {
        if (device.isCuda() && !last.refersTo(allocator)) {
            allocator.onPressure(RELIEF);
            last = new WeakReference<>(allocator);
        }
    }

    private static boolean relieve() {
        if (strict) {
            return false;
        }
        // always a collection of its own: what earlier ones happened to find may be too little, and there is no second try
        boolean freed = false;
        for (int round = 0; round < ROUNDS; round++) {
            System.gc();
            if (Handle.sweep(true) == 0) {
                break;
            }
            freed = true;
        }
        return freed;
    }
}
