package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What may agree with a recording where a real GPU adds in another order. */
class DifferingValuesTest {

    private final DifferingValues differing = new DifferingValues(Set.of("a.mode(0)"), Set.of("a.sum()", "a.mean()"));

    @Test
    void aSumThatCancelsMayAgreeOnARealGpuAlone() {
        assertDoesNotThrow(() -> differing.hold(List.of("a.mode(0)", "a.sum()"), "", true));
        assertDoesNotThrow(() -> differing.hold(List.of("a.mode(0)", "a.sum()", "a.mean()"), "", true));
        assertThrows(AssertionError.class, () -> differing.hold(List.of("a.mode(0)", "a.sum()"), "", false));
    }

    @Test
    void whatDiffersEverywhereMayNotAgree() {
        assertThrows(AssertionError.class, () -> differing.hold(List.of("a.sum()"), "", true));
    }

    @Test
    void whatIsInNoListMayNotDiffer() {
        assertThrows(AssertionError.class, () -> differing.hold(List.of("a.mode(0)", "a.exp()"), "", true));
    }
}
