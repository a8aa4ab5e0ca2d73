package io.vramlab.magics.fit;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.Pressure;
import io.vramlab.tensor.Scope;
import java.util.function.IntFunction;

/**
 * One run with one size.
 *
 * @param size
 *            the size
 * @param fits
 *            whether it ran to its end
 * @param allocatedPeak
 *            the most bytes handed out at once
 * @param reservedPeak
 *            the most bytes reserved at once
 */
public record Trial(int size, boolean fits, long allocatedPeak, long reservedPeak) {

    /** Runs the code on a fresh shapes-only GPU; what it made is let go afterwards. */
    static Trial of(IntFunction<?> code, int size, String profile) {
        Device before = Device.current();
        Device planned = Device.shapesOnly(profile);
        boolean fits = true;
        boolean strict = Pressure.strict();
        try {
            // no help from the collector: a plan must not depend on when it comes
            Pressure.strict(true);
            Device.set(planned);
            try (Scope scope = Scope.open()) {
                code.apply(size);
            } catch (OutOfMemoryException e) {
                fits = false;
            }
            MemoryStats stats = Allocators.of(planned).stats();
            return new Trial(size, fits, stats.peakAllocatedBytes(), stats.peakReservedBytes());
        } finally {
            Pressure.strict(strict);
            Device.set(before);
            planned.close();
        }
    }
}
