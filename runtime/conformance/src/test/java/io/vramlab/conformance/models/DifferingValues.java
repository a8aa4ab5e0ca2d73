package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Expressions whose values differ from the recording: one that begins to agree must leave the list. What is left of sums that cancel
 * depends on the order in which a device adds; the order of the simulated GPU is always the same, so that there they are held too,
 * but on a real GPU some of them may agree.
 *
 * @param everywhere
 *            those that differ on every device
 * @param sumsThatCancel
 *            those that differ by the order of additions
 */
record DifferingValues(Set<String> everywhere, Set<String> sumsThatCancel) {

    /** Fails unless just these differ on the device that was asked for as a simulated GPU. */
    void hold(Collection<String> seen, String told) {
        hold(seen, told, Device.realForSimulated());
    }

    void hold(Collection<String> seen, String told, boolean real) {
        Set<String> expected = new TreeSet<>(sumsThatCancel);
        if (real) {
            expected.retainAll(seen);
        }
        expected.addAll(everywhere);
        assertEquals(expected, new TreeSet<>(seen), told);
    }
}
