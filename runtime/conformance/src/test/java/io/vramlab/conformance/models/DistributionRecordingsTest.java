package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** torch.distributions as recorded on an H200 (oracle/models/distributions.py), in the spelling of distributions.txt. */
class DistributionRecordingsTest {

    /** Expressions that differ from the recording in some mode: one that begins to agree must leave the list. */
    private static final Set<String> DIFFER_IN_MEMORY = new TreeSet<>();
    private static final Set<String> DIFFER_IN_VALUES = new TreeSet<>();

    @Test
    void distributionsTakeWhatPyTorchTakesAndGiveItsValues() throws Exception {
        try (RecordedExpressions all = new RecordedExpressions().compare("distributions")) {
            assertEquals(DIFFER_IN_MEMORY, all.memory(), all.told());
            assertEquals(DIFFER_IN_VALUES, all.values(), all.told());
            assertTrue(all.compared() > 300, "rows compared: " + all.compared());
        }
    }
}
